"""What the events of a record say: which results exist, which runs were not collected, and who measures next."""

from __future__ import absolute_import, annotations, division, print_function

from .preview import duration as in_words
from .record import open_runs, run_of

# The phase and the number of each try of a host, in the order of the tries.
TRIES = (("alone", 1), ("alone", 2), ("together", 1))


class History:
    """The events of a record, sorted by host. Only the last event of each kind matters."""

    def __init__(self, events, has_file):
        """Takes the events, the oldest first, and a function that says whether the result of an event exists."""
        self._has_file = has_file
        self._prepared = {}
        self._clock = {}
        self._started = {}
        self._ended = {}
        self._open = {run_of(event): event for event in open_runs(events)}
        for event in events:
            key = run_of(event)
            if event["event"] == "prepared":
                self._prepared[event["host"]] = event
                # Only some events have looked at the clock: that of the doctor has not.
                self._clock[event["host"]] = event.get("clock", self._clock.get(event["host"]))
            elif event["event"] == "start":
                self._started[key] = event
                self._ended.pop(key, None)
            elif event["event"] == "end":
                self._ended[key] = event
            elif event["event"] == "again":
                for known in (self._started, self._ended):
                    for phase, attempt in TRIES:
                        known.pop((event["host"], phase, attempt), None)

    def hosts(self):
        """Returns the names of all hosts of the record."""
        keys = list(self._started) + list(self._ended)
        return set(self._prepared) | {host for host, phase, attempt in keys}

    def is_ready(self, host):
        """Tells whether a host may measure; that is also true if it was never prepared."""
        return self._prepared.get(host, {}).get("outcome", "ready") == "ready"

    def is_refused(self, host):
        """Tells whether a host was refused when it was last prepared."""
        return self._prepared.get(host, {}).get("outcome") == "refused"

    def clock(self, host):
        """Returns a sentence on the clock of a host if it was off when it was last looked at, else an empty text."""
        seconds = self._clock.get(host)
        if not seconds:
            return ""
        return f"The clock of the machine is {in_words(abs(seconds))} {'ahead' if seconds > 0 else 'behind'}."

    def is_measured(self, host, phase, attempt):
        """Tells whether a host has a result of this phase and try, and its file exists."""
        return self._outcome(host, phase, attempt)[0] == "measured"

    def is_open(self, host, phase, attempt):
        """Tells whether a run was started, but not collected: it may still run, or have ended meanwhile."""
        return (host, phase, attempt) in self._open

    def may_measure(self, now):
        """Takes the time; returns the starts of those runs that were not collected and may still be under way."""
        return [event for event in self._open.values() if event["time"] + event.get("limit", 0) > now]

    def lines(self, host):
        """Takes a host; returns a dictionary for each of its tries: phase, try, outcome, reason, result.

        Each host has at least one. The columns are those of machines.csv.
        """
        known = [key for key in TRIES if (host, *key) in self._started or (host, *key) in self._ended]
        if not known:
            return [_line("alone", 1, *self._unmeasured(host))]
        return [_line(phase, attempt, *self._outcome(host, phase, attempt)) for phase, attempt in known]

    def _outcome(self, host, phase, attempt):
        """Returns the outcome, the reason and the path of the result of one try that was at least started."""
        event = self._ended.get((host, phase, attempt))
        if event is None:
            return "running", "The run has not ended yet.", ""
        result = event["result"] if event.get("result") and self._has_file(event) else ""
        if event.get("outcome") != "measured":
            # The result of a run that failed tells whether a program crashed.
            return event.get("outcome", "failed"), event.get("reason", ""), result
        if not result:
            return "failed", f"The result {event.get('result')} was removed.", ""
        return "measured", self.clock(host), result

    def _unmeasured(self, host):
        """Returns the outcome, the reason and no result of a host that never started."""
        event = self._prepared.get(host)
        if event is None:
            return "untried", "The machine was not tried.", ""
        if event.get("outcome") == "ready":
            return "untried", "The machine is ready, but no run was started.", ""
        return event.get("outcome", "failed"), event.get("reason", ""), ""


def todo(history, hosts, phase, attempt, shares=None, bad=()):
    """Returns those of the hosts that are to be measured now, in the given order.

    Takes a history, the hosts, the phase and the try, the hypervisors of the hosts, and the hosts with a bad result.
    """
    if phase == "together":
        return _together(history, hosts, shares or {})
    if attempt == 1:
        return [host for host in hosts if history.is_ready(host) and not _has_result(history, host)]
    return [host for host in hosts if _needs_second_try(history, host, bad)]


def _has_result(history, host):
    return history.is_measured(host, "alone", 1) or history.is_measured(host, "alone", 2)


def _needs_second_try(history, host, bad):
    """A refusal stands; a bad result of the second try stands, too."""
    if not _has_result(history, host):
        return not history.is_refused(host)
    return host in bad and not history.is_measured(host, "alone", 2)


def _together(history, hosts, shares):
    """Returns the machines of all hypervisors that have at least two, and no result of this phase.

    If the phase was interrupted on a hypervisor, only the runs that were started are collected.
    """
    machines = {}
    for host in hosts:
        if shares.get(host) and history.is_ready(host):
            machines.setdefault(shares[host], []).append(host)
    chosen = set()
    for group in machines.values():
        started = [host for host in group if history.is_open(host, "together", 1)]
        if started or any(history.is_measured(host, "together", 1) for host in group):
            chosen.update(started)
        elif len(group) > 1:
            chosen.update(group)
    return [host for host in hosts if host in chosen]


def _line(phase, attempt, outcome, reason, result):
    return {"phase": phase, "try": attempt, "outcome": outcome, "reason": reason, "result": result}
