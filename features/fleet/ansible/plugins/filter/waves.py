"""The filter unixbench.fleet.waves."""

from __future__ import absolute_import, annotations, division, print_function

__metaclass__ = type  # pylint: disable=invalid-name

DOCUMENTATION = r"""
name: waves
short_description: Divides machines into waves that do not disturb each other
description:
  - Wave number k has the k-th machine of each hypervisor, in the order of the inventory. A machine whose run is under
    way is the first one of its hypervisor.
  - A machine without a hypervisor is in the first wave. Machines that are not ready are in none.
author: The UnixBench developers
version_added: 8.0.0
positional: variables
options:
  _input:
    description: The names of the machines.
    type: list
    elements: str
    required: true
  variables:
    description:
      - The variables of each machine, such as C(hostvars). C(unixbench_shares) is the name of its hypervisor,
        C(unixbench_state) is C(ready) or C(running) if the role has prepared it, and C(unixbench_most) is the largest
        number of machines in a wave.
    type: dict
    required: true
"""

EXAMPLES = r"""
- name: Print the waves of the machines of a play
  ansible.builtin.debug:
    msg: "{{ ansible_play_hosts_all | unixbench.fleet.waves(hostvars) }}"
"""

RETURN = r"""
_value:
  description: The waves, the first one first. Each is a list of names.
  type: list
  elements: list
"""


def waves(hosts, variables):
    """Takes names of machines, and the variables of each; returns the waves, each a list of names."""
    own = {host: {name: variables[host].get(f"unixbench_{name}") for name in ("state", "shares", "most")}
           for host in hosts}
    last, result = {}, []
    for host in sorted(hosts, key=lambda host: own[host]["state"] != "running"):
        if own[host]["state"] not in (None, "ready", "running"):
            continue
        hypervisor, most = own[host]["shares"], int(own[host]["most"] or 0)
        number = last.get(hypervisor, -1) + 1 if hypervisor else 0
        while number < len(result) and most and len(result[number]) >= most:
            number += 1
        if number == len(result):
            result.append([])
        result[number].append(host)
        last[hypervisor] = number
    return result


class FilterModule:
    """The filters of this file."""

    @staticmethod
    def filters():
        """Returns the filters by their names."""
        return {"waves": waves}
