"""Waves: which machines may measure at the same time. Machines of one hypervisor never do."""

from __future__ import absolute_import, annotations, division, print_function

import hashlib


def waves(hosts, shares, seed=1, first=()):
    """Divides machines into waves: wave k has the k-th machine of each hypervisor.

    Takes the names of hosts, a dictionary of the hypervisors of those that have one, a seed, and the hosts that come
    first on their hypervisor. Returns a list of waves, each a list of names. Their number is the number of machines of
    the largest hypervisor. A host without a hypervisor is in the first wave. The order depends on the seed and the
    names only, so it is the same if the inventory is sorted differently.
    """
    result = []
    size = {}
    for host in sorted(set(hosts), key=lambda name: (name not in first, _shuffled(name, seed))):
        hypervisor = shares.get(host)
        wave = size.get(hypervisor, 0) if hypervisor else 0
        if hypervisor:
            size[hypervisor] = wave + 1
        if wave == len(result):
            result.append([])
        result[wave].append(host)
    return result


def rounds(plan, most):
    """Takes the plan of the phase alone and the limit; returns the lists of entries that measure at the same time.

    Each hypervisor has one machine in a list. If the limit leaves some out, they come next, before further machines of
    the others, as in the schedule.
    """
    chains = {}
    for entry in sorted(plan, key=lambda entry: entry["wave"]):
        chains.setdefault(("on", entry["shares"]) if entry["shares"] else ("of", entry["host"]), []).append(entry)
    waiting, rounds = list(chains.values()), []
    while waiting:
        now, waiting = (waiting[:most], waiting[most:]) if most else (waiting, [])
        rounds.append([chain[0] for chain in now])
        waiting += [chain[1:] for chain in now if chain[1:]]
    return rounds


def groups(together, most):
    """Takes the plan of the phase together, and the limit; returns lists of entries that measure at the same time."""
    machines = {}
    for entry in together:
        machines.setdefault(entry["shares"], []).append(entry)
    groups = []
    for chain in machines.values():
        if not groups or most and len(groups[-1]) + len(chain) > most:
            groups.append([])
        groups[-1].extend(chain)
    return groups


def pace(seconds, poll):
    """Takes the seconds of a run, and those between two questions; returns the seconds of a wave.

    The next machine starts when a question finds that the run has ended, and a run is a little longer than planned.
    """
    return (seconds // poll + 1) * poll


def _shuffled(name, seed):
    """Takes a name and a seed; returns the place of the name in an order that only the seed decides."""
    return hashlib.sha256(f"{seed}\0{name}".encode("utf-8", "surrogateescape")).digest(), name
