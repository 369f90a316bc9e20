"""Limits of time and size: a call to a host that does not answer, or that answers far too much, is ended with all
processes that it has started."""

from __future__ import absolute_import, annotations, division, print_function

import contextlib
import os
import resource
import signal
import subprocess
import time

# Seconds for processes to end after SIGTERM, before they get SIGKILL.
GRACE = 2


# Seconds between two looks at the time and the memory.
LOOK_S = 0.25

# Bytes of memory that a call needs besides those for its output, and for each byte of that. An output is kept as bytes
# and as text, and both are copied when they grow.
ROOM = 64_000_000
FACTOR = 12


class OutOfTime(Exception):
    """A call has used up its time."""


class TooMuch(Exception):
    """A call has printed more than it may."""


class _Alarm(BaseException):
    """The alarm rings. Code that catches all exceptions, to try a connection again, does not catch this one."""


@contextlib.contextmanager
def within(seconds, size=None):
    """Takes seconds and bytes; raises OutOfTime if the block needs more time, and TooMuch if it collects more output.

    Then all child processes of this process are ended. It works in the main thread only. A worker of Ansible has no
    other child processes than those of its connection. Connections keep all output in memory, so the size is that of
    this process. Systems without /proc do not tell it.
    """
    began = time.monotonic()
    most = None if size is None else _memory() + ROOM + FACTOR * size

    def look(signum, frame):
        if time.monotonic() >= began + seconds:
            raise _Alarm(OutOfTime(f"There was no answer within {seconds:g} s."))
        if most is not None and _memory() > most:
            raise _Alarm(TooMuch(f"The host sends more than the {size / 1e6:.0f} MB that it may send."))

    handler = signal.signal(signal.SIGALRM, look)
    left = signal.setitimer(signal.ITIMER_REAL, min(seconds, LOOK_S), LOOK_S)[0]
    try:
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except _Alarm as alarm:
        end_children()
        raise alarm.args[0] from None
    finally:
        signal.signal(signal.SIGALRM, handler)
        if left:
            signal.setitimer(signal.ITIMER_REAL, max(0.001, left - (time.monotonic() - began)))


def end_children():
    """Ends the child processes of this process, and their children, by SIGTERM and then by SIGKILL."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        pids = _descendants(os.getpid())
        for pid in pids:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, number)
        until = time.monotonic() + GRACE
        while any(map(_is_alive, pids)) and time.monotonic() < until:
            time.sleep(0.02)


def _memory():
    """Returns the size of the address space of this process in bytes, or 0 if the system does not tell it."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except FileNotFoundError:
        return 0


def _is_alive(pid):
    """Tells whether a process still runs; one that has ended is waited for."""
    with contextlib.suppress(ChildProcessError):
        if os.waitpid(pid, os.WNOHANG)[0]:
            return False
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _descendants(pid):
    """Takes the number of a process; returns the numbers of its children, and of theirs."""
    parents = _parents()
    result = [pid]
    for known in result:
        result += [child for child, parent in parents.items() if parent == known]
    return result[1:]


def _parents():
    """Returns the number of the parent of each process. Controllers without /proc have ps."""
    if os.path.exists("/proc/self/stat"):
        return dict(filter(None, map(_stat, filter(str.isdigit, os.listdir("/proc")))))
    lines = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], stdout=subprocess.PIPE, check=True).stdout.splitlines()
    return dict(map(int, line.split()) for line in lines)


def _stat(pid):
    """Takes the number of a process; returns it and that of its parent, or None if it has ended."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            state, parent = file.read().rpartition(b")")[2].split()[:2]
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if state == b"Z" else (int(pid), int(parent))
