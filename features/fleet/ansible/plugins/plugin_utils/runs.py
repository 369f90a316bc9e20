"""The runs of one host: started without waiting, asked for, found again, resumed, collected.

Each operation returns an outcome (see outcome.py), and the record gets what happened. A run that was started and has no
end in the record is open: it may be under way, or have ended meanwhile.
"""

from __future__ import absolute_import, annotations, division, print_function

import contextlib
import os
import secrets
import time

from .files import write_whole
from .outcome import message, operation, outcome
from .record import open_runs
from .talk import Refusal, Unreachable, source

# The statuses of a run that has a whole result: 3 and 4 are verdicts on requirements.
MEASURED = ("0", "3", "4")

# How often an interrupted run is resumed before it has failed.
RESUMPTIONS = 3

# How many questions in a row may have no answer before the host is unreachable.
SILENT_POLLS = 20

# The outcomes after which a host is asked again.
UNDECIDED = ("waiting", "running", "silent")

# Seconds after the time limit of a run, in which host.sh ends it.
GRACE = 60


def may_answer(silent):
    """Takes how many questions in a row had no answer before the last one; tells whether the host is asked again."""
    return silent + 1 < SILENT_POLLS


class Runs:
    """The runs of one host."""

    def __init__(self, host, settings, shares, talk, record):
        """Takes its name, the settings, the name of its hypervisor or an empty text, a Talk and the Record."""
        self.host = host
        self.settings = settings
        self.shares = shares
        self.talk = talk
        self.record = record

    @operation
    def start(self, phase, attempt, wave=1, at=0):
        """Starts a run in the background, at a time of the controller's clock, or at once if that is 0.

        A run that was started before is found again. A host that is measured is left alone. If the hypervisor is busy,
        nothing is started, and the outcome is waiting.
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
            answer = self.talk.ask("state", name, limit=self._patience())
            if answer.text("state") in ("running", "ended"):
                return outcome("running", "The run was found again.")
            ahead = clock_ahead(answer, asked)
        except Unreachable as error:
            return self._ended(phase, attempt, "unreachable", str(error))
        except Refusal as error:
            return self._ended(phase, attempt, "failed", str(error))
        return self._start(name, phase, attempt, wave, at, ahead)

    @operation
    def poll(self, phase, attempt, wave=1, silent=0):
        """Asks once whether a run has ended. Then collects its result. Resumes it if it was interrupted.

        Takes how many questions before had no answer. Without an answer, the outcome is silent, or unreachable if that
        has lasted too long. If start() found the hypervisor busy, starts the run if the hypervisor is free now.
        """
        done = self._measured(phase, attempt)
        if done:
            return done
        event = self._open(phase, attempt) or next(iter(self._opens()), None)
        if not event:
            return self.start(phase, attempt, wave)
        try:
            return self._poll(event)
        except Unreachable as error:
            if may_answer(silent) and time.time() <= event["time"] + event["limit"]:
                return outcome("silent", str(error))
            return self._ended(event["phase"], event["attempt"], "unreachable", str(error))
        except Refusal as error:
            return self._failed(event, str(error))

    def wait(self, phase, attempt, wave=1, pause=time.sleep):
        """Polls until a run has ended; returns the outcome. Takes a function that waits for some seconds."""
        silent = 0
        while True:
            said = self.poll(phase, attempt, wave, silent)
            if said["outcome"] not in UNDECIDED:
                return said
            silent = silent + 1 if said["outcome"] == "silent" else 0
            pause(self.settings.poll)

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
        except Refusal as error:
            return self._failed(event, str(error))
        if state.text("state") == "running":
            return outcome("running", "The run has not ended yet.")
        return outcome("failed", "The run was interrupted; the playbook accept.yml resumes it.")

    def give_up(self, reason):
        """Takes a reason; adds the end of all runs to the record that were not collected."""
        for event in self._opens():
            self._failed(event, reason)

    def _start(self, name, phase, attempt, wave, at, ahead):
        """Starts a run that is not under way, if its hypervisor is free."""
        delay = max(0, at - time.time()) if at else 0
        late = at and time.time() - at
        window = delay + self.settings.time_limit + GRACE
        if self.record.begin(self.host, self.shares, window, time.time(), phase,
                             attempt=attempt, wave=wave, run=name, host_time=time.time() + ahead):
            return outcome("waiting", "Another machine of the hypervisor may still measure; the run starts later.")
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

    def _run_words(self):
        """Returns the words of the run. Requirements make a quick run measure until they are certain.

        Those that name another result are left to the report: that result is not on the host.
        """
        require = [word for each in self.settings.require if "*" not in each for word in ("--require", each)]
        return ["-q", *require, *self.settings.options, *self.settings.tests]

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

    def _poll(self, event):
        """Takes the start of a run; returns its outcome. Raises Unreachable or Refusal."""
        state = self.talk.ask("state", event["run"], limit=self._patience())
        if state.text("state") == "ended":
            return self._collected(event, state)
        if state.text("state") != "running":
            return self._resumed(event, state)
        if time.time() > event["time"] + event["limit"]:
            self.talk.ask("stop", event["run"])
            return self._failed(event, self._limit_reason())
        return outcome("running")

    def _resumed(self, event, state):
        """Resumes an interrupted run, or starts one whose start was lost, if its hypervisor is free."""
        events = self.record.events(self.host)
        if sum(each.get("run") == event["run"] and each.get("again", False) for each in events) >= RESUMPTIONS:
            return self._failed(event, self._interruptions(state))
        window = self.settings.time_limit + GRACE
        until = self.record.begin(self.host, self.shares, window, time.time(), event["phase"],
                                  attempt=event["attempt"], wave=event.get("wave"), run=event["run"], again=True)
        if until is not None:
            return outcome("waiting", "Another machine of the hypervisor may still measure; the run is resumed later.")
        self._launch(event["run"])
        return outcome("running", "The run was resumed.", True)

    @staticmethod
    def _interruptions(state):
        said = message(state.lines("said")) if state.lines("said") else ""
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
            return self._failed(event, f"The run has no result: {message(state.lines('said'))}")
        size = state.size()
        content = self.talk.repeat("result", event["run"], size, size=size, use=lambda answer: answer.file("json"))
        began, ended = state.number("began"), state.number("ended")
        path = self._keep(event, "json", content)
        if status not in MEASURED:
            return self._failed(event, message(state.lines("said")), result=path)
        return self._ended(event["phase"], event["attempt"], "measured", "", result=path, began=began, ended=ended)

    def _limit_reason(self):
        return f"The run was ended after {self.settings.time_limit:g} s, its time limit."

    def _failed(self, event, reason, **fields):
        """Adds the failure of a run to the record, and keeps what the run has printed, if the host still answers."""
        with contextlib.suppress(Unreachable, Refusal):
            said = self.talk.ask("log", event["run"], limit=self._patience()).lines("said")
            if any(said):
                self._keep(event, "log", "\n".join([*said, ""]).encode("utf-8", "surrogateescape"))
        return self._ended(event["phase"], event["attempt"], "failed", reason, **fields)

    def _keep(self, event, kind, content):
        """Takes the start of a run, json or log, and bytes; writes the file. Returns its path below the results."""
        path = os.path.join(self.host, f"{event['phase']}-{event['attempt']}.{kind}")
        write_whole(os.path.join(self.settings.results, path), content)
        return path

    def _ended(self, phase, attempt, name, reason, **fields):
        """Adds the end of a run to the record; returns the outcome."""
        self.record.add("end", self.host, phase=phase, attempt=attempt, outcome=name, reason=reason, **fields)
        return outcome(name, reason, name == "measured", **{key: fields[key] for key in fields if key == "result"})

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
        """Returns the starts of runs of this host that were not collected, the oldest first."""
        return [each for each in open_runs(self.record.events(self.host)) if each["host"] == self.host]

    def _open(self, phase, attempt):
        return next((each for each in self._opens() if (each["phase"], each["attempt"]) == (phase, attempt)), None)


def _new_name(phase, attempt):
    """Returns a name for a run that no other controller has given to a run of that host."""
    return f"{phase}-{attempt}-{time.time():.0f}-{secrets.token_hex(4)}"


def clock_ahead(answer, asked):
    """Takes an answer with the host's clock, and when it was asked; returns how far that clock is ahead, in seconds."""
    clock = answer.number("clock")
    return 0 if clock is None else clock - (asked + time.time()) / 2
