"""The operations on a whole fleet, without Ansible: check the variables, plan who measures when, report."""

from __future__ import absolute_import, annotations, division, print_function

import os

from . import report, settings, suite
from .history import TRIES, History, todo
from .preview import preview
from .record import Record
from .waves import waves

# Variables that concern the fleet. All hosts must have the same value.
COMMON = ("results", "run", "require", "shares_file", "seed", "together", "second_try")


class Fleet:
    """The hosts of a play with their variables."""

    def __init__(self, hosts, variables, variables_of):
        """Takes the names of the hosts, the variables of the fleet, and a function that returns those of one host.

        Raises SettingError for a wrong value in the variables of the fleet.
        """
        self.hosts = hosts
        self.settings = settings.read(variables)
        self._variables_of = variables_of

    def check(self, measures=True):
        """Checks the variables of all hosts; if measures is set, also has the suite check the words that it will get.

        Returns about how many seconds a run takes, or 0. Raises SettingError or SuiteError for the first wrong value.
        """
        first = {}
        for host in self.hosts:
            variables = self._variables_of(host)
            settings.check_names(variables)
            own = settings.read(variables)
            for name in COMMON:
                known, value = first.setdefault(name, (host, getattr(own, name)))
                if value != getattr(own, name):
                    raise settings.SettingError(f"unixbench_{name}: {host} has another value than {known}: "
                                                "this variable belongs to group_vars/all")
        self.shares()
        return self._seconds() if measures else 0

    def shares(self):
        """Returns the hypervisors of the hosts that have one: that of unixbench_shares, or else that of the file."""
        path = self.settings.shares_file
        result = settings.hypervisors(path) if path else {}
        for host in self.hosts:
            own = settings.read(self._variables_of(host)).shares
            if own:
                result[host] = own
        return result

    def plan(self, phase, attempt):
        """Takes a phase (alone, together) and a try (1, 2); returns who measures when.

        That is a list with a dictionary for each host, in the order of the waves: host, shares, and wave, from 1 on.
        A run that was not collected comes first on its hypervisor.
        """
        history = self._history()
        shares = self.shares()
        bad = self._bad(history) if attempt == 2 else ()
        hosts = todo(history, self.hosts, phase, attempt, shares, bad)
        if phase == "together":
            groups = [sorted(hosts, key=lambda host: (shares[host], host))]
        else:
            found = {host for host in hosts if history.is_open(host, phase, attempt)}
            groups = waves(hosts, shares, self.settings.seed, found)
        return [{"host": host, "shares": shares.get(host, ""), "wave": number}
                for number, group in enumerate(groups, 1) for host in group]

    def preview(self):
        """Returns lines that tell who would be measured when."""
        together = self.plan("together", 1) if self.settings.together else ()
        return preview(self.plan("alone", 1), self._seconds(), together)

    def lost(self):
        """Returns the hosts with runs that were started and not collected: a list of host and runs (phase, attempt)."""
        history = self._history()
        runs = {host: [{"phase": phase, "attempt": attempt} for phase, attempt in TRIES
                       if history.is_open(host, phase, attempt)] for host in self.hosts}
        return [{"host": host, "runs": runs[host]} for host in self.hosts if runs[host]]

    def report(self):
        """Writes the list of the machines and all reports; returns whether one has changed, and the summary."""
        directory = self.settings.results
        os.makedirs(directory, exist_ok=True)
        listed = report.write_list(directory, self._history(), self.hosts, self.shares())
        with suite.suite(self.settings) as run:
            changed, summary = report.write_reports(directory, run, self.settings.require)
        return listed or changed, summary

    def _seconds(self):
        """Returns about how many seconds a run takes; raises SuiteError if the suite refuses its words."""
        words = [*self.settings.options, *self.settings.tests]
        with suite.suite(self.settings) as run:
            return suite.seconds(run, words, self.settings.require)

    def _bad(self, history):
        """Returns the hosts with a bad result, see report.suspects."""
        if not any(history.is_measured(host, "alone", 1) for host in self.hosts):
            return []
        report.write_list(self.settings.results, history, self.hosts, self.shares())
        with suite.suite(self.settings) as run:
            return report.suspects(self.settings.results, run, self.settings.require)

    def _history(self):
        directory = self.settings.results
        return History(Record(directory).events(),
                       lambda event: os.path.isfile(os.path.join(directory, event.get("result") or "")))
