"""The operations on a whole fleet, without Ansible: check the variables, plan who measures when, report."""

from __future__ import absolute_import, annotations, division, print_function

import collections
import os

from . import report, settings, suite
from .history import TRIES, History, todo
from .machine import name_problem
from .preview import preview
from .record import Record
from .waves import pace, waves

# Variables that concern the fleet. All hosts must have the same value.
COMMON = ("results", "run", "require", "shares_file", "seed", "together", "second_try", "most", "again", "poll", "lead")


class Fleet:
    """The hosts of a play with their variables."""

    def __init__(self, hosts, variables, variables_of, inventory=()):
        """Takes the hosts of the play, the variables of the fleet, and a function that returns those of one host.

        The inventory may have further hosts: those are not tried, and are in the list of machines. Raises SettingError
        for a wrong value in the variables of the fleet.
        """
        self.hosts = hosts
        self._all = sorted({*hosts, *inventory})
        self.settings = settings.read(variables)
        self.record = Record(self.settings.results)
        self.seconds = 0
        self._variables_of = variables_of
        self._own = {}
        self._limits = {}

    def own(self, host):
        """Returns the settings of one host; raises SettingError for a wrong value."""
        if host not in self._own:
            self._own[host] = settings.read(self._variables_of(host))
        return self._own[host]

    def check(self, measures=True):
        """Checks the variables of all hosts; if measures is set, also has the suite check the words that it will get.

        Returns about how many seconds a run takes, or 0. Raises SettingError or SuiteError for the first wrong value.
        """
        first = {}
        for host in self.hosts:
            variables = self._variables_of(host)
            settings.check_names(variables)
            own = self.own(host)
            for name in COMMON:
                known, value = first.setdefault(name, (host, getattr(own, name)))
                if value != getattr(own, name):
                    raise settings.SettingError(f"unixbench_{name}: {host} has another value than {known}: "
                                                "this variable belongs to group_vars/all")
        unknown = next((host for host in self.settings.again if host not in self.hosts), None)
        if unknown:
            raise settings.SettingError(f"unixbench_again: there is no machine {unknown} in this play")
        self._check_together()
        return self._seconds() if measures else 0

    def _check_together(self):
        """Raises SettingError if a hypervisor has more machines than may measure at once."""
        machines = collections.Counter(self.shares().values())
        most = self.settings.most
        if self.settings.together and most and max(machines.values(), default=0) > most:
            name, number = machines.most_common(1)[0]
            raise settings.SettingError(f"unixbench_most: {number} machines of {name} have to measure together: "
                                        f"expected 0, or at least {number}, not {most}")

    def prepare_measuring(self, run):
        """Takes a function that runs the suite. Finds out how long a run takes, and forgets results on demand."""
        self.seconds = self._planned(run, self.settings)
        for host in self.settings.again:
            if not any(self.history(host).is_open(host, *each) for each in TRIES):
                self.record.add("again", host)

    def limited(self, run, host):
        """Takes that function and a host; returns its settings with a time limit, by default that of the plan."""
        own = self.own(host)
        if own.time_limit is None:
            own.time_limit = suite.time_limit(self._planned(run, own))
        return own

    def _planned(self, run, own):
        """Returns about how many seconds a run with these settings takes; raises SuiteError if a word is refused."""
        words = (*own.options, "--", *own.tests)
        if words not in self._limits:
            self._limits[words] = suite.seconds(run, [*own.options, *own.tests], own.require)
        return self._limits[words]

    def shares(self):
        """Returns the hypervisors of the hosts that have one: that of unixbench_shares, or else that of the file."""
        path = self.settings.shares_file
        result = settings.hypervisors(path) if path else {}
        result.update({host: self.own(host).shares for host in self._all if self.own(host).shares})
        return result

    def plan(self, phase, attempt):
        """Takes a phase (alone, together) and a try (1, 2); returns who measures when.

        That is a list with a dictionary for each host, in the order of the waves: host, shares, and wave, from 1 on.
        A run that was not collected comes first on its hypervisor.
        """
        history = self.history()
        shares = self.shares()
        hosts = todo(history, [host for host in self.hosts if not name_problem(host)], phase, attempt, shares)
        if phase == "together":
            groups = [sorted(hosts, key=lambda host: (shares[host], host))]
        else:
            found = {host for host in hosts if history.is_open(host, phase, attempt)}
            groups = waves(hosts, shares, self.settings.seed, found)
        return [{"host": host, "shares": shares.get(host, ""), "wave": number}
                for number, group in enumerate(groups, 1) for host in group]

    def preview(self):
        """Returns lines that tell who would be measured when, and who never."""
        together = self.plan("together", 1) if self.settings.together else ()
        refused = [f"{host}: refused: {name_problem(host)}" for host in self.hosts if name_problem(host)]
        seconds = pace(self._seconds(), self.settings.poll)
        return [*refused, *preview(self.plan("alone", 1), seconds, together, self.settings.most)]

    def lost(self):
        """Returns the runs that were started and not collected, each as host, phase and try."""
        history = self.history()
        return [(host, phase, attempt) for host in self.hosts for phase, attempt in TRIES
                if history.is_open(host, phase, attempt)]

    def report(self):
        """Writes the list of the machines and all reports; returns whether one has changed, and the summary."""
        directory = self.settings.results
        os.makedirs(directory, exist_ok=True)
        listed = self._list()
        with suite.suite(self.settings) as run:
            changed, summary = report.write_reports(directory, run, self.settings.require)
            if self._note_unusable(summary.pop("hosts")):
                self._list()
                summary = report.write_reports(directory, run, self.settings.require)[1]
                summary.pop("hosts")
        summary["rejected"] = {host: why for host, why in summary["rejected"].items() if host in self.hosts}
        return listed or changed, summary

    def judge(self, run):
        """Takes a function that runs the suite; returns the hosts with a bad result, see report.suspects.

        A result that the suite can't use becomes a failure in the record.
        """
        history = self.history()
        if not any(history.is_measured(host, "alone", 1) for host in self.hosts):
            return []
        self._list()
        hosts = report.judged(self.settings.results, run, self.settings.require)
        self._note_unusable(hosts)
        return report.suspects(hosts)

    def _list(self):
        """Writes the list of machines; returns whether it has changed."""
        return report.write_list(self.settings.results, self.history(), self._all, self.shares())

    def _note_unusable(self, hosts):
        """Takes the hosts of fleet.json. Notes those results that the suite refuses; returns whether there are any."""
        history = self.history()
        unusable = [(host["host"], each) for host in hosts for each in host["tries"] if each["outcome"] == "failed"
                    and history.is_measured(host["host"], each["phase"], each["try"])]
        for host, each in unusable:
            self.record.add("end", host, phase=each["phase"], attempt=each["try"], outcome="failed",
                            reason=f"The result can't be used: {each['reason']}")
        return bool(unusable)

    def _seconds(self):
        """Returns about how many seconds a run takes; raises SuiteError if the suite refuses its words."""
        with suite.suite(self.settings) as run:
            return self._planned(run, self.settings)

    def history(self, *hosts):
        """Returns the History of the given hosts, or of all."""
        directory = self.settings.results
        return History(self.record.events(*hosts),
                       lambda event: os.path.isfile(os.path.join(directory, event.get("result") or "")))
