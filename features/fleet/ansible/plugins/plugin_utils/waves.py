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


def _shuffled(name, seed):
    """Takes a name and a seed; returns the place of the name in an order that only the seed decides."""
    return hashlib.sha256(f"{seed}\0{name}".encode("utf-8", "surrogateescape")).digest(), name
