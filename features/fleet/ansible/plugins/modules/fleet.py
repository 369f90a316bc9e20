#!/usr/bin/python
# Copyright: (c) 2026, The UnixBench developers
# MIT License (see LICENSE of UnixBench)
"""Documentation of the action unixbench.fleet.fleet, which runs on the controller only."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
module: fleet
short_description: Checks, plans and reports the measurement of a fleet
version_added: 8.0.0
description:
  - Runs once for all hosts of the play, on the controller. Only C(measure) and C(collect) connect to hosts.
  - It reads the variables of the role C(unixbench.fleet.unixbench), and the record of what happened.
author:
  - The UnixBench developers (@unixbench)
options:
  operation:
    description:
      - C(settings) checks the variables of all hosts, and the tests, options and requirements of the run.
      - C(preview) tells who would be measured when, in words.
      - C(ready) tells which hosts are not ready, after the role has prepared them.
      - C(measure) prepares and measures all hosts, those of each hypervisor one after the other.
      - It tries those again that have failed or have a bad result. It waits for no host that others do not depend on.
      - As many hosts are asked at the same time as Ansible has forks. A run needs no connection.
      - C(collect) collects the results of runs that were started, not collected, and have ended.
      - C(report) writes the list of the machines and all reports. It does not fail if a machine is not accepted.
    type: str
    required: true
    choices: [settings, preview, ready, measure, collect, report]
attributes:
  check_mode:
    description: C(measure), C(collect) and C(report) do nothing in check mode. The others change nothing anyway.
    support: full
"""

EXAMPLES = r"""
- name: Measure all machines
  unixbench.fleet.fleet:
    operation: measure
  run_once: true
"""

RETURN = r"""
seconds:
  description: About how many seconds a run takes, according to the plan of the suite.
  returned: operation is C(settings)
  type: int
  sample: 3360
table:
  description:
    - With C(preview), a line for each wave, and the time of all of them.
    - With C(ready), a line for each host that is not ready.
    - With C(report), the first lines of the report as text.
  returned: operation is C(preview), C(ready) or C(report)
  type: list
  elements: str
accepted:
  description: Whether all machines were measured and accepted.
  returned: operation is C(report)
  type: bool
rejected:
  description: The hosts of the play that are not accepted, each with its outcome and the reason.
  returned: operation is C(report)
  type: dict
  sample: {"web3": "unreachable: There was no answer within 60 s."}
summary:
  description: One line with the numbers of machines of each outcome, and the path of the page.
  returned: operation is C(report)
  type: str
  sample: "1 of 5 machines was not accepted (1 unreachable): /home/me/unixbench-results/fleet.html"
"""
