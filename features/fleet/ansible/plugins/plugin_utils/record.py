"""The record of a fleet: one line of JSON for each thing that happened, in the order in which it happened.

Lines are only added, so the record shows later that two machines of one hypervisor never measured at once. A controller
that is started again reads from it what still runs.
"""

from __future__ import absolute_import, annotations, division, print_function

import contextlib
import fcntl
import json
import os
import time

from .files import opened

NAME = "record.jsonl"


class Record:
    """The record below one directory of results."""

    def __init__(self, directory):
        """Takes the directory of results; neither it nor the record must exist yet."""
        self.path = os.path.join(os.fspath(directory), NAME)

    def add(self, event, host, **fields):
        """Takes an event (prepared, start, end, again), the name of a host, and further fields; adds a line."""
        with self._locked() as file:
            _append(file, event, host, fields)

    def begin(self, host, shares, limit, now, phase="alone", **fields):
        """Adds the start of a measurement unless its hypervisor is busy, with nothing in between.

        Takes what busy() takes, and further fields. Returns None; if no line was added, the time of the next try.
        """
        with self._locked() as file:
            until = self.busy(host, shares, limit, now, phase)
            if until is None:
                _append(file, "start", host, dict(fields, phase=phase, shares=shares, limit=limit))
        return until

    def events(self, *values):
        """Returns the events as dictionaries, the oldest first. Lines that a crash has torn are left out.

        If values are given, returns only events that have one of them, such as the name of a host. A record has
        thousands of lines for a large fleet, and few of them are parsed then.
        """
        wanted = [json.dumps(value).encode("ascii") for value in values]
        try:
            with opened(self.path, "rb") as file:
                lines = [line for line in file if not wanted or any(value in line for value in wanted)]
        except FileNotFoundError:
            return []
        return [event for event in map(_event, lines) if event]

    def busy(self, host, shares, limit, now, phase="alone"):
        """Tells whether another machine of the same hypervisor may still measure.

        Takes a host, its hypervisor (or None), the limit of a run in seconds where the record does not tell, the time,
        and the phase in which the host will measure. Returns the time at which the others must have ended, or None.
        Machines that measure together do not wait for each other.
        """
        if not shares:
            return None
        hosts = {event["host"] for event in self.events(shares)}
        ends = [event["time"] + event.get("limit", limit)
                for event in open_runs(self.events(*hosts) if hosts else [])
                if event["host"] != host and event.get("shares") == shares
                and not phase == event.get("phase") == "together"]
        return max((until for until in ends if until > now), default=None)

    def last(self, host, phase, attempt):
        """Takes a host, a phase (alone, together) and a try (1, 2); returns the last event of its end, or None.

        An end before the host was asked to be measured again does not count.
        """
        wanted = ("end", host, phase, attempt)
        for event in reversed(self.events(host)):
            if (event["event"], event["host"]) == ("again", host):
                return None
            if (event["event"], event["host"], event.get("phase"), event.get("attempt")) == wanted:
                return event
        return None

    @contextlib.contextmanager
    def _locked(self):
        """Gives the record, open for adding lines, while no other process adds one."""
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        with opened(self.path, "ab+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file


def open_runs(events):
    """Takes events, the oldest first; returns the starts of those runs that were not collected, the oldest first.

    Such a run may be under way, or have ended meanwhile; that of an unreachable host, too.
    """
    opens = {}
    for event in events:
        if event["event"] == "start":
            opens[run_of(event)] = event
        elif event["event"] == "end" and event.get("outcome") != "unreachable":
            opens.pop(run_of(event), None)
    return list(opens.values())


def run_of(event):
    """Takes an event; returns the host, the phase and the try of its run."""
    return event["host"], event.get("phase"), event.get("attempt")


def _append(file, event, host, fields):
    """Takes a locked record, and what happened; adds it by one write. A torn last line is ended first."""
    line = json.dumps(dict({"time": time.time(), "event": event, "host": host}, **fields), sort_keys=True,
                      allow_nan=False)
    file.seek(0, os.SEEK_END)
    torn = file.tell() and os.pread(file.fileno(), 1, file.tell() - 1) != b"\n"
    file.write((b"\n" if torn else b"") + line.encode("ascii") + b"\n")
    os.fsync(file.fileno())


def _event(line):
    """Takes a line of the record; returns its event, or None if the line is torn."""
    try:
        event = json.loads(line, parse_constant=_refuse)
        return event if {"time", "event", "host"} <= event.keys() else None
    except (ValueError, AttributeError):
        return None


def _refuse(word):
    """Takes NaN or Infinity, which are not JSON."""
    raise ValueError(word)
