#!/usr/bin/python
# Copyright: (c) 2026, The UnixBench developers
# MIT License (see LICENSE of UnixBench)
"""Documentation of the action unixbench.fleet.fleet, which runs on the controller only."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
module: fleet
short_description: Checks, plans and reports the measurement of a fleet
version_added: 7.1.0
description:
  - Runs once for all hosts of the play, on the controller. It connects to no host.
  - It reads the variables of the role C(unixbench.fleet.suite), and the record of what happened.
author:
  - The UnixBench developers (@unixbench)
options:
  operation:
    description:
      - C(settings) checks the variables of all hosts, and the tests, options and requirements of the run.
      - C(preview) tells who would be measured when, in words.
      - C(ready) tells which hosts are not ready, after the role has prepared them.
      - C(plan) tells which hosts are to be measured, and in which wave.
      - C(lost) tells whose runs were started and not collected.
      - C(report) writes the list of the machines and all reports. It does not fail if a machine is not accepted.
    type: str
    required: true
    choices: [settings, preview, ready, plan, lost, report]
  phase:
    description:
      - For C(plan). C(alone) has one machine of each hypervisor in each wave.
      - C(together) has all machines of those hypervisors that have at least two.
    type: str
    choices: [alone, together]
    default: alone
  attempt:
    description: For C(plan) of the phase C(alone). The second try is for machines without a result or with a bad one.
    type: int
    choices: [1, 2]
    default: 1
attributes:
  check_mode:
    description: C(report) does nothing in check mode. The other operations change nothing anyway.
    support: full
"""

EXAMPLES = r"""
- name: Plan the waves
  unixbench.fleet.fleet:
    operation: plan
  run_once: true
  register: plan
"""

RETURN = r"""
seconds:
  description: About how many seconds a run takes, according to the plan of the suite.
  returned: operation is C(settings)
  type: int
  sample: 3360
plan:
  description:
    - The hosts that are to be measured, in the order of the waves.
    - Each has C(host), C(shares) and C(wave), or with C(lost) C(host), C(phase) and C(attempt).
  returned: operation is C(plan) or C(lost)
  type: list
  elements: dict
table:
  description:
    - With C(preview), a line for each wave, and the time of all of them.
    - With C(ready), a line for each host that is not ready.
    - With C(report), the first lines of the report as text.
  returned: operation is C(preview), C(ready) or C(report)
  type: list
  elements: str
waves:
  description: The number of waves.
  returned: operation is C(plan)
  type: int
  sample: 4
accepted:
  description: Whether all machines were measured and accepted.
  returned: operation is C(report)
  type: bool
summary:
  description: One line with the numbers of machines of each outcome, and the path of the page.
  returned: operation is C(report)
  type: str
  sample: "1 of 5 machines was not accepted (1 unreachable): /home/me/unixbench-results/fleet.html"
"""
