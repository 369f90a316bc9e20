"""What happens with one host: the release is installed, the doctor is asked, a run is started and collected.

Each operation returns a dictionary: changed, outcome (ready, running, measured, failed, unreachable or refused), and
reason (a sentence, or an empty text). The record gets what happened.
"""

from __future__ import absolute_import, annotations, division, print_function

import functools
import hashlib
import os
import re
import secrets
import time

from .release import fitting
from .talk import Refusal, Unreachable, sentence, source

# The statuses of a run that has a whole result: 3 and 4 are verdicts on requirements.
MEASURED = ("0", "3", "4")

# How often an interrupted run is resumed before it has failed, and a torn transfer is repeated.
RESUMPTIONS = 3
TRANSFERS = 3

# How many questions in a row may have no answer before the host is unreachable.
SILENT_POLLS = 20

# Seconds after the time limit of a run, in which host.sh ends it.
GRACE = 60

# A verdict on a requirement; it does not say why a run has failed.
VERDICT = re.compile("Run: (PASS|FAIL|INCONCLUSIVE) ")

# Names of files in the directory of results, which are not names of directories of hosts.
RESERVED = re.compile(r"(record|machines|fleet|junit)[.]\w+([.]new)?")

# Programs for hosts without Perl, and the seconds that each one runs.
PROGRAMS = ("dhry2reg", "whetstone-double", "syscall", "pipe", "context1", "spawn")
SECONDS = 5


class NotPossible(Exception):
    """An operation has ended early: the outcome, and the reason."""

    def __init__(self, outcome, reason):
        super().__init__(reason)
        self.outcome = outcome


def operation(function):
    """Makes the function return an outcome, whatever stops it."""
    @functools.wraps(function)
    def wrapped(self, *arguments):
        try:
            return function(self, *arguments)
        except NotPossible as end:
            return outcome(end.outcome, str(end))
        except Unreachable as error:
            return outcome("unreachable", str(error))
        except Refusal as error:
            return outcome("failed", str(error))
    return wrapped


def name_problem(host):
    """Takes the name of a host; returns why it can't be that of its directory of results, or None."""
    if not host or host.startswith(".") or "/" in host or not host.isprintable() or len(os.fsencode(host)) > 200:
        return "The name of the host can't be the name of a directory; rename it in the inventory."
    if RESERVED.fullmatch(host):
        return "The name of the host is that of a file of the results; rename it in the inventory."
    return None


def outcome(name, reason="", changed=False, **more):
    """Returns the dictionary of an outcome."""
    return dict(more, outcome=name, reason=reason, changed=changed)


class Machine:
    """One host of the fleet."""

    def __init__(self, host, settings, shares, talk, record):
        """Takes its name, the settings, the name of its hypervisor or an empty text, a Talk and the Record."""
        self.host = host
        self.settings = settings
        self.shares = shares
        self.talk = talk
        self.record = record

    def install(self, check=False):
        """Installs the release unless it is there; only says what it would do if check is set."""
        return self._prepared(self._install(check), check)

    def doctor(self, check=False):
        """Asks the doctor, and lets the suite plan the run. Refuses a host on which the suite refuses the words."""
        return self._prepared(self._doctor(check), check)

    def prepare(self, check=False):
        """Does both."""
        installed = self.install(check)
        if installed["outcome"] != "ready" or installed["changed"] and check:
            return installed
        return dict(self.doctor(check), changed=installed["changed"])

    @operation
    def start(self, phase, attempt, wave=1, at=0):
        """Starts a run in the background, at a time of the controller's clock, or at once if that is 0.

        A run that was started before is found again. A host that is measured is left alone. If the hypervisor is busy,
        nothing is started: wait() does it later, so that the other machines of the wave do not wait for this one.
        """
        done = self._measured(phase, attempt)
        if done:
            return done
        try:
            earlier = self._earlier(phase, attempt)
            if earlier:
                return earlier
            event = self._open(phase, attempt)
            name = event["run"] if event else _new_name(phase, attempt)
            asked = time.time()
            answer = self.talk.ask("state", name)
            if answer.text("state") in ("running", "ended"):
                return outcome("running", "The run was found again.")
            ahead = _ahead(answer, asked)
        except Unreachable as error:
            return self._ended(phase, attempt, "unreachable", str(error))
        return self._start(name, phase, attempt, wave, at, ahead)

    @operation
    def wait(self, phase, attempt, wave=1):
        """Waits for the end of a run, and collects its result. Resumes it if it was interrupted.

        If start() found the hypervisor busy, starts the run as soon as it is free.
        """
        while True:
            done = self._measured(phase, attempt)
            if done:
                return done
            event = self._open(phase, attempt) or self._open_one()
            if event:
                return self._wait(event)
            started = self.start(phase, attempt, wave)
            if started["outcome"] != "running":
                return started
            if not self._open_one():
                time.sleep(self.settings.poll)

    @operation
    def collect(self, phase, attempt):
        """Collects the result of a run that has ended; waits for nothing."""
        done = self._measured(phase, attempt)
        if done:
            return done
        event = self._open(phase, attempt)
        if not event:
            return self._last(phase, attempt)
        try:
            state = self.talk.ask("state", event["run"])
            if state.text("state") == "ended":
                return self._collected(event, state)
        except Unreachable as error:
            return self._ended(phase, attempt, "unreachable", str(error))
        if state.text("state") == "running":
            return outcome("running", "The run has not ended yet.")
        return outcome("failed", "The run was interrupted; the playbook accept.yml resumes it.")

    @operation
    def cleanup(self, check=False):
        """Ends all runs of the host, and removes the directory; only says what it would do if check is set."""
        if check:
            there = self.talk.ask("look").has("running")
            return outcome("ready", "The directory would be removed." if there else "", there)
        removed = self.talk.ask("cleanup").text("removed") == "yes"
        for event in self._opens():
            self._ended(event["phase"], event["attempt"], "failed", "The run was ended by the cleanup.")
        return outcome("ready", "", removed)

    @operation
    def programs(self, check=False):
        """Runs single programs for some seconds each, without Perl. Also returns lines: a table of counts."""
        installed = self._install(check, needs_perl=False)
        if check:
            return installed
        limit = len(PROGRAMS) * (SECONDS + 12) + 30
        answer = self.talk.ask("programs", SECONDS, *PROGRAMS, limit=limit)
        lines = [f"{name:16} {_count(answer.lines(name))}" for name in PROGRAMS]
        return outcome("ready", "", installed["changed"], lines=lines)

    def _prepared(self, result, check):
        """Takes an outcome of the preparation; adds it to the record, and returns it."""
        if not check:
            self.record.add("prepared", self.host, outcome=result["outcome"], reason=result["reason"])
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
        try:
            look = self.talk.ask("look")
        except Refusal as error:
            raise NotPossible("refused", str(error)) from None
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
        return self._repeated("install", release.sha256(), packing, hashlib.sha256(data).hexdigest(), data=data)

    def _repeated(self, *words, data=b"\n", use=lambda answer: answer):
        """Asks, and asks again if the answer is torn. Takes a function that checks the answer; returns its value."""
        for left in reversed(range(TRANSFERS)):
            try:
                return use(self.talk.ask(*words, data=data))
            except Unreachable:
                if not left:
                    raise
            except Refusal as error:
                if not left or "torn" not in str(error):
                    raise

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
            raise NotPossible("refused", f"The suite refuses: {_message(said)}")
        plan = self.talk.ask("plan", *self._words())
        if plan.text("status") != "0":
            raise NotPossible("refused", f"The suite refuses: {_message(plan.lines('said'))}")
        return outcome("ready", "", doctor=said, plan=plan.lines("said"))

    def _words(self):
        return [*self.settings.options, *self.settings.tests]

    def _run_words(self):
        """Returns the words of the run. Requirements make a quick run measure until they are certain.

        Those that name another result are left to the report: that result is not on the host.
        """
        require = [word for each in self.settings.require if "*" not in each for word in ("--require", each)]
        return ["-q", *require, *self._words()]

    def _start(self, name, phase, attempt, wave, at, ahead):
        """Starts a run that is not under way, if its hypervisor is free."""
        delay = max(0, at - time.time()) if at else 0
        late = at and time.time() - at
        window = delay + self.settings.time_limit + GRACE
        if self.record.begin(self.host, self.shares, window, time.time(), phase,
                             attempt=attempt, wave=wave, run=name, host_time=time.time() + ahead):
            return outcome("running", "Another machine of the hypervisor may still measure; the run starts later.")
        try:
            self._launch(name, at and at + ahead)
        except Refusal as error:
            return self._ended(phase, attempt, "failed", str(error))
        except Unreachable as error:
            return outcome("running", f"The start is not certain: {error}", True)
        return outcome("running", f"The run began {late:.0f} s late." if late > 1 else "", True)

    def _launch(self, name, at=0):
        limit = int(self.settings.time_limit) or 1
        return self.talk.ask("start", name, f"{at:.3f}" if at else 0, limit, *self._run_words(),
                             data=source("runner.pl").encode())

    def _earlier(self, phase, attempt):
        """Looks for a run of another try that was not collected: it may be under way, or have ended meanwhile.

        Returns the outcome if there is one. Otherwise that run is over.
        """
        for event in self._opens():
            if (event["phase"], event["attempt"]) == (phase, attempt):
                continue
            state = self.talk.ask("state", event["run"])
            if state.text("state") == "running":
                return outcome("running", f"The run {event['run']} is under way.")
            if state.text("state") == "ended":
                result = self._collected(event, state)
                if result["outcome"] == "measured" and event["phase"] == phase:
                    return result
            else:
                self._ended(event["phase"], event["attempt"], "failed", "The run was interrupted.")
        return None

    def _wait(self, event):
        """Takes the start of a run; polls until it has ended, or has failed, or the host is silent for too long."""
        resumptions = silent = 0
        deadline = event["time"] + event["limit"]
        while True:
            try:
                state = self.talk.ask("state", event["run"], limit=self._patience())
                silent = 0
                if state.text("state") == "ended":
                    return self._collected(event, state)
                if state.text("state") != "running":
                    if resumptions == RESUMPTIONS:
                        return self._failed(event, self._interruptions(state))
                    window = self._resume(event)
                    if window:
                        resumptions += 1
                        deadline = time.time() + window
                elif time.time() > deadline:
                    self.talk.ask("stop", event["run"])
                    return self._failed(event, self._limit_reason())
            except Unreachable as error:
                silent += 1
                if silent >= SILENT_POLLS or time.time() > deadline:
                    return self._ended(event["phase"], event["attempt"], "unreachable", str(error))
            except Refusal as error:
                return self._failed(event, str(error))
            time.sleep(self.settings.poll)

    def _resume(self, event):
        """Resumes an interrupted run, or starts one whose start was lost, if its hypervisor is free.

        Returns the seconds in which it must have ended, or None if the hypervisor is busy.
        """
        window = self.settings.time_limit + GRACE
        until = self.record.begin(self.host, self.shares, window, time.time(), event["phase"],
                                  attempt=event["attempt"], wave=event.get("wave"), run=event["run"], again=True)
        if until is not None:
            return None
        self._launch(event["run"])
        return window

    @staticmethod
    def _interruptions(state):
        said = _message(state.lines("said")) if state.lines("said") else ""
        return f"The run was interrupted {RESUMPTIONS + 1} times; its last message: {said}" if said else \
            f"The run was interrupted {RESUMPTIONS + 1} times, perhaps because the host ends processes at a log-out."

    def _patience(self):
        """Returns the seconds for the answer to a question that is asked often."""
        return min(30, max(5, 2 * self.settings.poll))

    def _collected(self, event, state):
        """Takes the start of a run that has ended, and its state; gets its result."""
        status, how = state.text("status"), state.text("how")
        if how == "limit":
            return self._failed(event, self._limit_reason())
        if how != "ended" or state.text("signal") != "0":
            return self._failed(event, f"The run was ended by signal {state.text('signal')}." if how == "ended"
                                else "The run was stopped.")
        if state.text("has_result") != "yes":
            return self._failed(event, f"The run has no result: {_message(state.lines('said'))}")
        content = self._repeated("result", event["run"], use=lambda answer: answer.file("json"))
        path = self._path(event["phase"], event["attempt"])
        _write_whole(os.path.join(self.settings.results, path), content)
        if status not in MEASURED:
            return self._failed(event, _message(state.lines("said")), result=path)
        return self._ended(event["phase"], event["attempt"], "measured", "", result=path,
                           began=state.number("began"), ended=state.number("ended"))

    def _limit_reason(self):
        return f"The run was ended after {self.settings.time_limit:g} s, its time limit."

    def _failed(self, event, reason, **fields):
        return self._ended(event["phase"], event["attempt"], "failed", reason, **fields)

    def _ended(self, phase, attempt, name, reason, **fields):
        """Adds the end of a run to the record; returns the outcome."""
        self.record.add("end", self.host, phase=phase, attempt=attempt, outcome=name, reason=reason, **fields)
        return outcome(name, reason, name == "measured", **{key: fields[key] for key in fields if key == "result"})

    def _path(self, phase, attempt):
        return os.path.join(self.host, f"{phase}-{attempt}.json")

    def _measured(self, phase, attempt):
        """Returns the outcome if the host is measured, and its result is there."""
        last = self.record.last(self.host, phase, attempt)
        if not last or last.get("outcome") != "measured":
            return None
        path = os.path.join(self.settings.results, last.get("result") or "")
        return outcome("measured", result=last["result"]) if os.path.isfile(path) else None

    def _last(self, phase, attempt):
        last = self.record.last(self.host, phase, attempt)
        if not last:
            return outcome("failed", "No run was started.")
        return outcome(last["outcome"], last.get("reason", ""))

    def _opens(self):
        """Returns the starts of runs of this host that were not collected, the oldest first.

        A run of an unreachable host may go on.
        """
        opens = {}
        for event in self.record.events():
            key = (event.get("phase"), event.get("attempt"))
            if event["host"] != self.host:
                continue
            if event["event"] == "start" and event.get("run"):
                opens[key] = event
            elif event["event"] == "end" and event.get("outcome") != "unreachable":
                opens.pop(key, None)
        return list(opens.values())

    def _open(self, phase, attempt):
        return next((each for each in self._opens() if (each["phase"], each["attempt"]) == (phase, attempt)), None)

    def _open_one(self):
        return next(iter(self._opens()), None)


def _new_name(phase, attempt):
    """Returns a name for a run that no other controller has given to a run of that host."""
    return f"{phase}-{attempt}-{time.time():.0f}-{secrets.token_hex(4)}"


def _ahead(answer, asked):
    """Takes an answer with the host's clock, and when it was asked; returns how far that clock is ahead, in seconds."""
    clock = answer.number("clock")
    return 0 if clock is None else clock - (asked + time.time()) / 2


def _message(said):
    """Takes lines of the suite; returns the last message among them as a sentence."""
    messages = [line[5:] for line in said if line.startswith("Run: ") and not VERDICT.match(line)]
    return sentence((messages or said or [""])[-1])


def _findings(said):
    """Takes the lines of the doctor; returns the first one, and the first thing that was found."""
    found = [line.strip() for line in said if re.match(r" {3}\S", line)]
    return " ".join([*said[:1], *found[:1]])


def _count(lines):
    """Takes what a program has printed; returns its count in words."""
    for line in lines:
        words = line.split("|")
        if words[0] == "COUNT" and len(words) >= 4:
            return f"{words[1]} in {SECONDS} s"
    return _message([line for line in lines if line])


def _write_whole(path, content):
    """Takes a path and bytes; writes the file, which has all of them or stays as it was."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".new", "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".new", path)
