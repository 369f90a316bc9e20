"""Limits of time: a call to a host that does not answer is ended, with all processes that it has started."""

from __future__ import absolute_import, annotations, division, print_function

import contextlib
import os
import signal
import subprocess
import time

# Seconds for processes to end after SIGTERM, before they get SIGKILL.
GRACE = 2


class OutOfTime(Exception):
    """A call has used up its time."""


class _Alarm(BaseException):
    """The alarm rings. Code that catches all exceptions, to try a connection again, does not catch this one."""


@contextlib.contextmanager
def within(seconds):
    """Takes seconds; raises OutOfTime if the block needs more. Then all child processes of this process are ended.

    It works in the main thread only. A worker of Ansible has no other child processes than those of its connection.
    """
    handler = signal.signal(signal.SIGALRM, _ring)
    began = time.monotonic()
    left = signal.setitimer(signal.ITIMER_REAL, seconds)[0]
    try:
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except _Alarm:
        end_children()
        raise OutOfTime(f"There was no answer within {seconds:g} s.") from None
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


def _ring(signum, frame):
    raise _Alarm


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
