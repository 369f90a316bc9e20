"""The filter unixbench.fleet.sizes."""

from __future__ import absolute_import, annotations, division, print_function

__metaclass__ = type  # pylint: disable=invalid-name

DOCUMENTATION = r"""
name: sizes
short_description: Returns the sizes of groups of hosts
description: A play that has these sizes as its C(serial) has one group in each batch.
author: The UnixBench developers
version_added: 7.1.0
positional: prefix
options:
  _input:
    description: The variable C(groups).
    type: dict
    required: true
  prefix:
    description: The beginning of the names of the groups. They are sorted by name.
    type: str
    required: true
"""

EXAMPLES = r"""
- name: Measure wave after wave
  hosts: unixbench_alone_1
  serial: "{{ groups | unixbench.fleet.sizes('unixbench_alone_1_wave_') }}"
"""

RETURN = r"""
_value:
  description: The number of hosts of each group.
  type: list
  elements: int
"""


def sizes(groups, prefix):
    """Takes the hosts of each group, and the beginning of a name; returns the sizes of the groups named like this."""
    return [len(groups[name]) for name in sorted(groups) if name.startswith(prefix) and groups[name]]


class FilterModule:
    """The filters of this file."""

    @staticmethod
    def filters():
        """Returns the filters by their names."""
        return {"sizes": sizes}
