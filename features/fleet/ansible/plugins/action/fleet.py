"""What concerns the whole fleet: it runs once, on the controller."""

from __future__ import absolute_import, annotations, division, print_function

__metaclass__ = type  # pylint: disable=invalid-name

import asyncio

from ansible.errors import AnsibleError
from ansible.plugins.action import ActionBase
from ansible.utils.display import Display
from ansible_collections.unixbench.fleet.plugins.action import host as host_action
from ansible_collections.unixbench.fleet.plugins.plugin_utils import suite
from ansible_collections.unixbench.fleet.plugins.plugin_utils.children import ChildError, in_child
from ansible_collections.unixbench.fleet.plugins.plugin_utils.connect import Connector
from ansible_collections.unixbench.fleet.plugins.plugin_utils.fleet import Fleet
from ansible_collections.unixbench.fleet.plugins.plugin_utils.outcome import outcome
from ansible_collections.unixbench.fleet.plugins.plugin_utils.release import ReleaseError
from ansible_collections.unixbench.fleet.plugins.plugin_utils.runs import may_answer
from ansible_collections.unixbench.fleet.plugins.plugin_utils.schedule import Asking, Orphaned, Schedule
from ansible_collections.unixbench.fleet.plugins.plugin_utils.settings import PREFIX, SettingError, results_problem
from ansible_collections.unixbench.fleet.plugins.plugin_utils.suite import SuiteError

OPERATIONS = ["settings", "preview", "ready", "measure", "collect", "report"]
OPTIONS = {"operation": {"type": "str", "required": True, "choices": OPERATIONS}}


class ActionModule(ActionBase):
    """The action unixbench.fleet.fleet. plugins/modules/fleet.py describes its options and what it returns."""

    BYPASS_HOST_LOOP = True
    TRANSFERS_FILES = False

    def run(self, tmp=None, task_vars=None):
        """Does the operation of the task; fails with one line if a variable is wrong, or the suite refuses it."""
        super().run(tmp, task_vars)
        operation = self.validate_argument_spec(OPTIONS)[1]["operation"]
        try:
            fleet = Fleet(list(task_vars["ansible_play_hosts_all"]), self._variables(task_vars),
                          lambda host: _own(task_vars["hostvars"][host]), task_vars["groups"]["all"])
            if operation == "settings":
                return {"changed": False, "seconds": fleet.check(not _only_cleans_up(task_vars))}
            if operation == "ready":
                return {"changed": False, "table": _not_ready(task_vars)}
            return {"changed": False, **self._operate(fleet, operation, task_vars)}
        except (SettingError, SuiteError, ReleaseError, ChildError, Orphaned) as error:
            return {"failed": True, "msg": str(error)}
        except OSError as error:
            return {"failed": True, "msg": results_problem(error)}

    def _operate(self, fleet, operation, task_vars):
        """Takes a fleet, the operation and the variables of the task; returns the values that the task returns."""
        if operation == "preview":
            return {"table": fleet.preview()}
        if self._task.check_mode:
            return {}
        if operation == "report":
            changed, summary = fleet.report()
            return {**summary, "changed": changed}
        before = len(fleet.record.events())
        with suite.suite(fleet.settings) as run:
            asker = _Asker(self, fleet, run, task_vars)
            asyncio.run(asker.collect() if operation == "collect" else asker.measure())
        return {"changed": any(event["event"] in ("start", "end") for event in fleet.record.events()[before:])}

    def _variables(self, task_vars):
        """Returns the variables of the role as the task has them, with templates filled in."""
        return {name: self._templar.template(task_vars[name]) for name in task_vars if name.startswith(PREFIX)}


class _Asker:
    """Asks the hosts of a fleet, each in a process of its own, because one call of a connection waits for its end."""

    def __init__(self, action, fleet, run, task_vars):
        """Takes the action, a Fleet, a function that runs the suite, and the variables of the task."""
        self._action = action
        self._fleet = fleet
        self._run = run
        self._task_vars = task_vars
        self._shares = fleet.shares()
        self._connector = Connector(action._task, action._play_context, action._templar, task_vars)
        self._recipes = {}

    async def measure(self):
        """Measures all hosts, see Schedule."""
        self._fleet.prepare_measuring(self._run)
        schedule = Schedule(self._fleet, self.ask, lambda: in_child(lambda: self._fleet.judge(self._run)),
                            Display().display)
        await schedule.run(self._forks(), _wants(self._task_vars, "install") or _wants(self._task_vars, "doctor"))

    async def collect(self):
        """Collects the results of runs that have ended."""
        ask = Asking(self.ask, self._forks())
        await asyncio.gather(*(ask(host, "collect", phase=phase, attempt=attempt)
                               for host, phase, attempt in self._fleet.lost()))

    async def ask(self, host, operation, **words):
        """Takes a host, an operation of the action host, and its words; returns the outcome."""
        recipe = self._recipe(host)
        own = self._fleet.limited(self._run, host)
        try:
            return await in_child(lambda: self._asked(host, own, recipe, operation, words))
        except ChildError as error:
            # Only this host is concerned. Its run may still be under way.
            if operation == "poll" and may_answer(words.get("silent", 0)):
                return outcome("silent", str(error))
            return self._ended(host, operation, words, "unreachable", error)

    def _recipe(self, host):
        if host not in self._recipes:
            self._recipes[host] = self._connector.recipe(self._task_vars["hostvars"][host])
        return self._recipes[host]

    def _asked(self, host, own, recipe, operation, words):
        """Does an operation on a host. An error that concerns the host alone becomes its outcome."""
        action = self._action
        try:
            connection, context = self._connector.open(recipe)
            asking = host_action.ActionModule(action._task, connection, context, action._loader, action._templar,
                                              action._shared_loader_obj)
            return asking.operate(host, own, self._shares.get(host, ""), operation, **words)
        except AnsibleError as error:
            return self._ended(host, operation, words, "failed", error)

    def _ended(self, host, operation, words, kind, error):
        """Writes down an error as the outcome of an operation on a host; returns the outcome."""
        event = "prepared" if operation in ("install", "doctor") else "end"
        self._fleet.record.add(event, host, outcome=kind, reason=str(error), **{
            name: words[name] for name in ("phase", "attempt") if name in words})
        return outcome(kind, str(error))

    def _forks(self):
        return int(self._task_vars.get("ansible_forks") or 5)


def _wants(task_vars, tag):
    """Tells whether the steps with a tag are part of this play."""
    wanted = set(task_vars["ansible_run_tags"])
    return bool(wanted & {"all", "tagged", tag}) and tag not in task_vars["ansible_skip_tags"]


def _not_ready(task_vars):
    """Returns a line for each host of the play that is not ready, by what its tasks have returned."""
    lines = []
    for host in task_vars["ansible_play_hosts_all"]:
        variables = task_vars["hostvars"].raw_get(host)
        for result in (variables.get("_unixbench_installed", {}), variables.get("_unixbench_examined", {})):
            if result.get("outcome", "ready") != "ready":
                lines.append(f"{host}: {result['outcome']}: {result['reason']}")
    return lines


def _only_cleans_up(task_vars):
    """Tells whether the playbook runs with the tag cleanup alone."""
    return list(task_vars["ansible_run_tags"]) == ["cleanup"]


def _own(variables):
    """Takes the variables of one host; returns those of the role."""
    return {name: variables[name] for name in variables if name.startswith(PREFIX)}
