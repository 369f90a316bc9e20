#!/usr/bin/python
# Copyright: (c) 2026, The UnixBench developers
# MIT License (see LICENSE of UnixBench)
"""Documentation of the action unixbench.fleet.host, which runs on the controller and needs no Python on the host."""

from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
module: host
short_description: Measures one host with UnixBench
version_added: 8.0.0
description:
  - Does one step of a measurement on a host, with the variables of the role C(unixbench.fleet.unixbench).
  - The host needs a shell and Perl 5.14 or newer. It needs no Python, no compiler and no C library.
  - A host that can't be reached, or is refused, does not fail the task. C(outcome) tells it, and the record keeps it.
  - Only C(cleanup) fails then, because nothing reports later what is left on a host.
  - Each call to a host has a time limit, after which no process of the connection is left on the controller.
author:
  - The UnixBench developers (@unixbench)
options:
  operation:
    description:
      - C(install) installs the release that fits the architecture, unless it is there.
      - It refuses a host without Perl, and one whose installed files are not those of the release.
      - C(doctor) asks C(Run doctor), and lets C(Run --dry-run) check the tests and options.
      - C(start) starts a run that needs no connection. A run that was started before is found again.
      - C(wait) waits for its end, and collects its result. It resumes an interrupted run.
      - If another machine of the hypervisor may still measure, C(start) starts nothing, and C(wait) does it later.
      - The playbook C(unixbench.fleet.accept) does not use both. It lets the action C(fleet) ask all hosts.
      - C(collect) collects the result of a run that has ended, and waits for nothing.
      - C(cleanup) ends all runs of the host, and removes all files.
      - C(programs) runs single programs for some seconds each, without Perl. Their counts are not a score.
    type: str
    required: true
    choices: [install, doctor, start, wait, collect, cleanup, programs]
  phase:
    description: The phase of the run, for C(start), C(wait) and C(collect).
    type: str
    choices: [alone, together]
    default: alone
  attempt:
    description: The number of the try.
    type: int
    choices: [1, 2]
    default: 1
  wave:
    description: The number of the wave, for the record.
    type: int
    default: 1
  at:
    description:
      - For C(start). The run begins at this time, in seconds since 1970 by the clock of the controller.
      - The clock of the host may differ. 0 means at once.
    type: float
    default: 0
attributes:
  check_mode:
    description:
      - C(install) and C(doctor) look, and change nothing.
      - C(cleanup) and C(programs) tell what they would do.
      - C(start), C(wait) and C(collect) are skipped.
    support: full
"""

EXAMPLES = r"""
- name: Install the release
  unixbench.fleet.host:
    operation: install

- name: Start a run
  unixbench.fleet.host:
    operation: start
  register: started

- name: Wait for its end
  unixbench.fleet.host:
    operation: wait
  when: started.outcome == 'running'
"""

RETURN = r"""
outcome:
  description:
    - C(ready) after a preparation or a clean-up, C(running) if a run is under way, and C(measured) with a result.
    - C(waiting) if another machine of the hypervisor may still measure.
    - C(failed) if a run has no usable result, C(unreachable) without a connection, and C(refused).
  returned: always
  type: str
  sample: measured
reason:
  description: A sentence that says why, or an empty text.
  returned: always
  type: str
  sample: There is no Perl; install Perl 5.14 or newer, or run the playbook programs.yml.
result:
  description: The path of the result below the directory of results.
  returned: outcome is C(measured), or the run has a result although a test failed
  type: str
  sample: web1/alone-1.json
doctor:
  description: What the doctor says.
  returned: operation is C(doctor), and outcome is C(ready)
  type: list
  elements: str
plan:
  description: What the suite would measure, and how long that takes.
  returned: operation is C(doctor), and outcome is C(ready)
  type: list
  elements: str
lines:
  description: A line for each program with its count.
  returned: operation is C(programs), and outcome is C(ready)
  type: list
  elements: str
  sample: ["pipe             6689113 in 5 s"]
"""
