"""Connections to hosts other than that of the task, with the variables of these hosts."""

from __future__ import absolute_import, annotations, division, print_function

from ansible import constants as C
from ansible.errors import AnsibleError
from ansible.module_utils.parsing.convert_bool import boolean
from ansible.playbook.play_context import PlayContext
from ansible.plugins.loader import become_loader, connection_loader


class Connector:
    """Makes connections as Ansible does for a task of the host itself."""

    def __init__(self, task, play_context, templar, variables):
        """Takes the task and the play context of an action, its templar, and the variables of its own host."""
        self._task = task
        self._templar = templar
        own = {name for kind in ("password", "become_pass") for name in C.MAGIC_VARIABLE_MAPPING.get(kind, ())}
        # A password of the command line is for all hosts, and a variable only for the own one.
        passwords = {} if own & set(variables) else {"conn_pass": play_context.password,
                                                     "become_pass": play_context.become_pass}
        self._base = PlayContext(passwords=passwords, connection_lockfd=play_context.connection_lockfd)

    def recipe(self, variables):
        """Takes the variables of a host, templated; returns what open() needs. It is small enough to be kept."""
        name = variables["ansible_connection"] if "ansible_connection" in variables else self._task.connection
        name = "ssh" if name == "smart" else name
        become = variables["ansible_become"] if "ansible_become" in variables else self._task.become
        method = None
        if boolean(become or False):
            method = variables["ansible_become_method"] if "ansible_become_method" in variables else \
                self._task.become_method
        magic = {each for names in C.MAGIC_VARIABLE_MAPPING.values() for each in names}
        wanted = magic | {"inventory_hostname"} | _variables_of("connection", name)
        wanted |= _variables_of("become", method) if method else set()
        wanted |= _variables_of("shell", _of(variables, "ansible_shell_type", "sh"))
        return name, method, {each: variables[each] for each in wanted if each in variables}

    def open(self, recipe):
        """Takes a recipe; returns the connection and its play context. Raises AnsibleError for an unknown plugin."""
        name, method, variables = recipe
        context = self._base.set_task_and_variable_override(self._task, variables, self._templar)
        context.connection = name
        context.remote_addr = context.remote_addr or variables["inventory_hostname"]
        connection = connection_loader.get(name, context, "/dev/null")
        if not connection:
            raise AnsibleError(f"There is no connection plugin {name}.")
        words = dict(self._task.dump_attrs(), timeout=context.timeout)
        words.pop("retries", None)
        if context.password:
            words["password"] = context.password
        connection.set_options(task_keys=words, var_options=variables)
        connection._shell.set_options(task_keys=words, var_options=variables)  # pylint: disable=protected-access
        if method:
            become = become_loader.get(method)
            if not become:
                raise AnsibleError(f"There is no become plugin {method}.")
            if context.become_pass:
                words["become_pass"] = context.become_pass
            become.set_options(task_keys=words, var_options=variables)
            connection.set_become_plugin(become)
            context.set_become_plugin(become.name)
        context.set_attributes_from_plugin(connection)
        return connection, context


def _variables_of(kind, name):
    """Returns the names of the variables that a plugin reads."""
    loader = connection_loader if kind == "connection" else become_loader if kind == "become" else None
    if loader:
        # The names are known after the plugin was loaded.
        plugin = loader.get(name, class_only=True)
        name = getattr(plugin, "_load_name", name)
    return set(C.config.get_plugin_vars(kind, name))


def _of(variables, name, default):
    return variables[name] if name in variables else default
