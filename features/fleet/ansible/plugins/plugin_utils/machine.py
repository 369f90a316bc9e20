"""What happens with one host before and after its runs: install, ask the doctor, clean up.

Each operation returns an outcome (see outcome.py), and the record gets what happened. Runs are in runs.py.
"""

from __future__ import absolute_import, annotations, division, print_function

import hashlib
import os
import re
import time

from .outcome import NotPossible, message, operation, outcome
from .release import fitting
from .runs import clock_ahead
from .talk import NoShell, Refusal

# Names of files in the directory of results, which are not names of directories of hosts.
RESERVED = re.compile(r"(record|machines|fleet|junit)[.]\w+(([.][0-9]+(-[0-9]+)?)?[.]new)?|verdicts")

# Seconds by which the clock of a host may differ before that is reported. A question by SSH takes some time itself.
CLOCK_S = 5

# Programs for hosts without Perl, and the seconds that each one runs.
PROGRAMS = ("dhry2reg", "whetstone-double", "syscall", "pipe", "context1", "spawn")
SECONDS = 5


def name_problem(host):
    """Takes the name of a host; returns why it can't be that of its directory of results, or None."""
    if not host or host.startswith(".") or "/" in host or not host.isprintable() or len(os.fsencode(host)) > 200:
        return "The name of the host can't be the name of a directory; rename it in the inventory."
    if RESERVED.fullmatch(host):
        return "The name of the host is that of a file of the results; rename it in the inventory."
    return None


class Machine:
    """One host of the fleet."""

    def __init__(self, host, settings, talk, record):
        """Takes its name, the settings, a Talk and the Record."""
        self.host = host
        self.settings = settings
        self.talk = talk
        self.record = record
        self.clock = {}

    def install(self, check=False):
        """Installs the release unless it is there; only says what it would do if check is set."""
        return self._prepared(self._install(check), check)

    def doctor(self, check=False):
        """Asks the doctor, and lets the suite plan the run. Refuses a host on which the suite refuses the words."""
        return self._prepared(self._doctor(check), check)

    @operation
    def cleanup(self, runs, check=False):
        """Takes the Runs of the host; ends them, and removes all files. Only says what it would do if check is set."""
        if check:
            there = self.talk.ask("look").has("running")
            return outcome("ready", "The directory would be removed." if there else "", there)
        removed = self.talk.ask("cleanup").text("removed") == "yes"
        runs.give_up("The run was ended by the cleanup.")
        return outcome("ready", "", removed)

    @operation
    def programs(self, check=False):
        """Runs single programs for some seconds each, without Perl. Also returns lines: a table of counts."""
        installed = self._install(check, needs_perl=False)
        if check or installed["outcome"] != "ready":
            return installed
        limit = len(PROGRAMS) * (SECONDS + 12) + 30
        answer = self.talk.ask("programs", SECONDS, *PROGRAMS, limit=limit)
        lines = [f"{name:16} {_count(answer.lines(name))}" for name in PROGRAMS]
        return outcome("ready", "", installed["changed"], lines=lines)

    def _prepared(self, result, check):
        """Takes an outcome of the preparation; adds it to the record, and returns it."""
        if not check:
            self.record.add("prepared", self.host, outcome=result["outcome"], reason=result["reason"], **self.clock)
        return result

    @operation
    def _install(self, check, needs_perl=True):
        look = self._look(needs_perl)
        release = fitting(self.settings.release, look.text("architecture"))
        if not release:
            raise NotPossible("refused", f"No archive of unixbench_release is for {look.text('architecture')}.")
        if look.text("release") == release.sha256():
            self._compare(look, release)
            return outcome("ready")
        if look.text("running"):
            raise NotPossible("refused", "A run of another release is under way.")
        if check:
            return outcome("ready", f"{release.name} would be installed.", True)
        self._compare(self._transfer(release, look.text("unpacks")), release)
        return outcome("ready", f"{release.name} was installed.", True)

    def _look(self, needs_perl):
        asked = time.time()
        try:
            look = self.talk.ask("look")
            ahead = clock_ahead(look, asked)
        except (Refusal, NoShell) as error:
            raise NotPossible("refused", str(error)) from None
        self.clock = {"clock": round(ahead) if abs(ahead) > CLOCK_S + time.time() - asked else 0}
        if needs_perl and look.text("perl").partition(" ")[2] != "1":
            version = look.text("perl").partition(" ")[0]
            there = f"Perl {version} is too old" if version else "There is no Perl"
            raise NotPossible("refused", f"{there}; install Perl 5.14 or newer, or run the playbook programs.yml.")
        return look

    @staticmethod
    def _compare(look, release):
        """Ends if the installed files are not those of the release."""
        if look.text("files") != release.files():
            which = next(filter(None, look.lines("changed")), "a file")
            raise NotPossible("refused", f"Another binary: {which} is not that of {release.name}; "
                                         "the tag cleanup removes the installed release.")

    def _transfer(self, release, packing):
        """Sends the release to the host; returns the answer."""
        data = release.content() if packing == "xz" else release.unpacked()
        return self.talk.repeat("install", release.sha256(), packing, hashlib.sha256(data).hexdigest(), data=data)

    @operation
    def _doctor(self, check):
        look = self._look(True) if check else None
        if look and not look.text("release"):
            return outcome("ready", "No release is installed.")
        strict = ["--strict"] if self.settings.strict else []
        answer = self.talk.ask("doctor", "-q", *strict, *self._words())
        said = answer.lines("said")
        if answer.text("status") == "4":
            raise NotPossible("refused", f"The doctor refuses: {_findings(said)}")
        if answer.text("status") != "0":
            raise NotPossible("refused", f"The suite refuses: {message(said)}")
        plan = self.talk.ask("plan", *self._words())
        if plan.text("status") != "0":
            raise NotPossible("refused", f"The suite refuses: {message(plan.lines('said'))}")
        return outcome("ready", "", doctor=said, plan=plan.lines("said"))

    def _words(self):
        return [*self.settings.options, *self.settings.tests]


def _findings(said):
    """Takes the lines of the doctor; returns the last ones, which name the problems, and the first of these.

    A finding is indented by three blanks, and the further lines of its sentence by five.
    """
    text = "\n".join(said)
    named = re.search(r"^[1-9][0-9]* problems?: .+(?:\n.+)*", text, re.MULTILINE)
    found = re.search(r"^(?:Obstacles|Disturbances).*\n {3}(\S.*(?:\n {5}\S.*)*)", text, re.MULTILINE)
    parts = [part for part in (named and named.group(), found and found.group(1)) if part]
    return " ".join(word for part in parts or said[:1] for word in part.split())


def _count(lines):
    """Takes what a program has printed; returns its count in words."""
    for line in lines:
        words = line.split("|")
        if words[0] == "COUNT" and len(words) >= 4:
            return f"{words[1]} in {SECONDS} s"
    return message([line for line in lines if line])
