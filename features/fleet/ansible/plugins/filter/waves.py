"""The filter unixbench.fleet.waves."""

from __future__ import absolute_import, annotations, division, print_function

__metaclass__ = type  # pylint: disable=invalid-name

DOCUMENTATION = r"""
name: waves
short_description: Divides machines into waves that do not disturb each other
description:
  - Machines of one hypervisor disturb each other when they measure at the same time.
  - Wave number k has the k-th machine of each hypervisor. So two machines of one hypervisor are never in the same wave.
  - The number of waves is the number of machines of the largest hypervisor.
  - A machine without a hypervisor is in the first wave.
author: The UnixBench developers
version_added: 8.0.0
positional: shares, seed
options:
  _input:
    description: The names of the machines.
    type: list
    elements: str
    required: true
  shares:
    description: A dictionary that has the name of the hypervisor for the name of a machine.
    type: dict
    required: true
  seed:
    description: A number or word that decides the order of the machines of a hypervisor, and nothing else does.
    type: raw
    default: 1
  first:
    description: Machines that come before the others of their hypervisor.
    type: list
    elements: str
    default: []
"""

EXAMPLES = r"""
- name: Print the waves of four machines, two of them on hv1
  ansible.builtin.debug:
    msg: "{{ ['a', 'b', 'c', 'd'] | unixbench.fleet.waves({'a': 'hv1', 'b': 'hv1', 'c': 'hv2'}, seed=7) }}"
"""

RETURN = r"""
_value:
  description: The waves, the first one first. Each is a list of names.
  type: list
  elements: list
"""

from ansible.errors import AnsibleFilterError  # noqa: E402
from ansible_collections.unixbench.fleet.plugins.plugin_utils import waves as plan  # noqa: E402


def waves(hosts, shares, seed=1, first=()):
    """Takes and returns the same as plugin_utils/waves.py; raises AnsibleFilterError for other types."""
    if not isinstance(hosts, (list, tuple)) or not isinstance(shares, dict):
        raise AnsibleFilterError("waves: expects a list of hosts and a dictionary of their hypervisors")
    return plan.waves(hosts, shares, seed, first)


class FilterModule:
    """The filters of this file."""

    @staticmethod
    def filters():
        """Returns the filters by their names."""
        return {"waves": waves}
