"""What concerns the whole fleet: it runs once, on the controller."""

from __future__ import absolute_import, annotations, division, print_function

__metaclass__ = type  # pylint: disable=invalid-name

from ansible.plugins.action import ActionBase
from ansible_collections.unixbench.fleet.plugins.plugin_utils.fleet import Fleet
from ansible_collections.unixbench.fleet.plugins.plugin_utils.settings import PREFIX, SettingError
from ansible_collections.unixbench.fleet.plugins.plugin_utils.suite import SuiteError

OPERATIONS = ["settings", "preview", "ready", "plan", "lost", "report"]
OPTIONS = {
    "operation": {"type": "str", "required": True, "choices": OPERATIONS},
    "phase": {"type": "str", "choices": ["alone", "together"], "default": "alone"},
    "attempt": {"type": "int", "choices": [1, 2], "default": 1},
}


class ActionModule(ActionBase):
    """The action unixbench.fleet.fleet. plugins/modules/fleet.py describes its options and what it returns."""

    BYPASS_HOST_LOOP = True
    TRANSFERS_FILES = False

    def run(self, tmp=None, task_vars=None):
        """Does the operation of the task; fails with one line if a variable is wrong, or the suite refuses it."""
        super().run(tmp, task_vars)
        words = self.validate_argument_spec(OPTIONS)[1]
        try:
            fleet = Fleet(list(task_vars["ansible_play_hosts_all"]), self._variables(task_vars),
                          lambda host: _own(task_vars["hostvars"][host]))
            if words["operation"] == "settings":
                return {"changed": False, "seconds": fleet.check(not _only_cleans_up(task_vars))}
            if words["operation"] == "ready":
                return {"changed": False, "table": _not_ready(task_vars)}
            return {"changed": False, **self._operate(fleet, **words)}
        except (SettingError, SuiteError) as error:
            return {"failed": True, "msg": str(error)}
        except OSError as error:
            return {"failed": True, "msg": f"unixbench_results: {error.filename}: {error.strerror}"}

    def _operate(self, fleet, operation, phase, attempt):
        """Takes a fleet and the options; returns the values that the task returns."""
        if operation == "preview":
            return {"table": fleet.preview()}
        if operation == "plan":
            plan = fleet.plan(phase, attempt)
            return {"plan": plan, "waves": plan[-1]["wave"] if plan else 0}
        if operation == "lost":
            return {"plan": fleet.lost()}
        if self._task.check_mode:
            return {}
        changed, summary = fleet.report()
        return {**summary, "changed": changed}

    def _variables(self, task_vars):
        """Returns the variables of the role as the task has them, with templates filled in."""
        return {name: self._templar.template(task_vars[name]) for name in task_vars if name.startswith(PREFIX)}


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
