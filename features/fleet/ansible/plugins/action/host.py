"""What concerns one host: it runs on the controller, and needs only a shell and Perl on the host."""

from __future__ import absolute_import, annotations, division, print_function

__metaclass__ = type  # pylint: disable=invalid-name

import subprocess
import time

from ansible.errors import AnsibleActionFail, AnsibleConnectionFailure, AnsibleError
from ansible.plugins.action import ActionBase
from ansible_collections.unixbench.fleet.plugins.plugin_utils import settings, suite
from ansible_collections.unixbench.fleet.plugins.plugin_utils.children import has_controller
from ansible_collections.unixbench.fleet.plugins.plugin_utils.limit import OutOfTime, TooMuch, within
from ansible_collections.unixbench.fleet.plugins.plugin_utils.machine import Machine, name_problem
from ansible_collections.unixbench.fleet.plugins.plugin_utils.outcome import outcome
from ansible_collections.unixbench.fleet.plugins.plugin_utils.record import Record
from ansible_collections.unixbench.fleet.plugins.plugin_utils.release import ReleaseError
from ansible_collections.unixbench.fleet.plugins.plugin_utils.runs import Runs
from ansible_collections.unixbench.fleet.plugins.plugin_utils.talk import (
    NoShell, Refusal, Talk, Unreachable, sentence)

OPTIONS = {
    "operation": {
        "type": "str",
        "required": True,
        "choices": ["install", "doctor", "start", "wait", "collect", "cleanup", "programs"],
    },
    "phase": {"type": "str", "choices": ["alone", "together"], "default": "alone"},
    "attempt": {"type": "int", "choices": [1, 2], "default": 1},
    "wave": {"type": "int", "default": 1},
    "at": {"type": "float", "default": 0},
}

# Operations that only look and tell in check mode. The others are skipped.
LOOKING = ("install", "doctor", "programs")

# Operations that need the time limit of a run.
LIMITED = ("start", "wait")


class ActionModule(ActionBase):
    """The action unixbench.fleet.host. plugins/modules/host.py describes its options and what it returns."""

    TRANSFERS_FILES = False
    _supports_check_mode = True

    def run(self, tmp=None, task_vars=None):
        """Does the operation of the task. A host that can't be reached does not fail it; a wrong variable does."""
        super().run(tmp, task_vars)
        words = self.validate_argument_spec(OPTIONS)[1]
        try:
            host = task_vars["inventory_hostname"]
            own = settings.read({name: self._templar.template(task_vars[name])
                                 for name in task_vars if name.startswith(settings.PREFIX)})
            if words["operation"] in LIMITED and not own.time_limit:
                with suite.suite(own) as run:
                    seconds = suite.seconds(run, [*own.options, *own.tests], own.require)
                own.time_limit = suite.time_limit(seconds)
            done = self.operate(host, own, _hypervisor(own, host), check=self._task.check_mode, **words)
            # Nothing is reported later about files that are left.
            return dict(done, **_failure(done) if words["operation"] == "cleanup" else {})
        except (settings.SettingError, ReleaseError, suite.SuiteError) as error:
            raise AnsibleActionFail(str(error)) from error
        except OSError as error:
            raise AnsibleActionFail(settings.results_problem(error)) from error

    def operate(self, host, own, shares, operation, phase="alone", attempt=1, wave=1, at=0, silent=0, check=False):
        """Takes a host, its settings, its hypervisor, and the options of a task; returns what the task returns.

        The operation poll asks once whether a run has ended, see Runs.poll.
        """
        record = Record(own.results)
        problem = name_problem(host)
        if problem:
            if operation == "install" and not check:
                record.add("prepared", host, outcome="refused", reason=problem)
            return outcome("refused", problem)
        talk = Talk(self._execute, own.directory)
        machine = Machine(host, own, talk, record)
        runs = Runs(host, own, shares, talk, record)
        if operation == "cleanup":
            return machine.cleanup(runs, check)
        if operation in LOOKING:
            return getattr(machine, operation)(check)
        if check:
            return dict(outcome("ready", "Nothing is measured in check mode."), skipped=True)
        if operation == "start":
            return runs.start(phase, attempt, wave, at)
        if operation == "poll":
            return runs.poll(phase, attempt, wave, silent)
        if operation == "wait":
            return runs.wait(phase, attempt, wave, _pause)
        return runs.collect(phase, attempt)

    def _execute(self, command, data, limit, size):
        """Runs a command line on the host, see Talk. After the limit, no process of the connection is left here."""
        command = f"{self._compute_environment_string()} {command}".strip()
        try:
            with within(limit, size):
                done = self._low_level_execute_command(command, in_data=data)
        except OutOfTime as error:
            self._end_shared_connection()
            raise Unreachable(str(error)) from None
        except TooMuch as error:
            self._end_shared_connection()
            raise Refusal(str(error)) from None
        except AnsibleConnectionFailure as error:
            raise Unreachable(f"No connection: {sentence(str(error))}") from None
        except AnsibleError as error:
            # The host was reached, but the user may not become another one.
            raise NoShell(sentence(str(error))) from None
        return done["stdout"], done["stderr"]

    def _end_shared_connection(self):
        """Ends the process that several calls of ssh share: it would wait for the end of a command that hangs."""
        build = getattr(self._connection, "_build_command", None)
        if not build or self._connection.transport != "ssh":
            return
        program = self._connection.get_option("ssh_executable")
        words = build(program, "ssh", "-O", "exit", self._connection.get_option("host"))
        words = words[words.index(program.encode()):] if program.encode() in words else words
        try:
            subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=10)
        except (OSError, subprocess.TimeoutExpired):
            pass


def _failure(done):
    """Takes an outcome; returns what makes the task fail if the host was not reached or refused the operation."""
    return {} if done["outcome"] == "ready" else {"failed": True, "msg": f"{done['outcome']}: {done['reason']}"}


def _pause(seconds):
    """Waits some seconds. It ends this process if the controller has ended."""
    until = time.monotonic() + seconds
    while has_controller() and time.monotonic() < until:
        time.sleep(max(0, min(1, until - time.monotonic())))
    if not has_controller():
        raise AnsibleActionFail("The controller has ended.")


def _hypervisor(own, host):
    """Takes the settings of a host, and its name; returns its hypervisor, or an empty text."""
    if own.shares or not own.shares_file:
        return own.shares
    return settings.hypervisors(own.shares_file).get(host, "")
