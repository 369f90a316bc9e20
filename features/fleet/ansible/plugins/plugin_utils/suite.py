"""The suite on the controller: it checks words, plans and reports. It measures nothing there."""

from __future__ import absolute_import, annotations, division, print_function

import contextlib
import functools
import os
import re
import subprocess
import tarfile
import tempfile

UNITS = {"h": 3600, "min": 60, "s": 1}

# How many lines of an error are passed on.
LINES = 3


class SuiteError(Exception):
    """One line: what the suite says, or why it can't be started."""


@contextlib.contextmanager
def suite(settings):
    """Takes the settings; gives a function that runs the suite of this controller (see _run).

    That is unixbench_run, or the first archive of unixbench_release, which is unpacked until the end of the block.
    Raises SuiteError if there is none.
    """
    if settings.run:
        yield functools.partial(_run, settings.run)
    elif settings.release:
        with tempfile.TemporaryDirectory(prefix="unixbench-") as place:
            yield functools.partial(_run, _unpack(settings.release[0], place))
    else:
        raise SuiteError("unixbench_release: expected the path of an archive, as `make static` writes it")


def seconds(run, words, require):
    """Takes that function, the tests and options of a run, and its requirements.

    Returns about how many seconds the run takes, with the CPUs of this controller.
    Raises SuiteError if a word is wrong.
    """
    try:
        text = run("--dry-run", *words, *requirements(require)).stdout
    except SuiteError as error:
        raise SuiteError(f"unixbench_tests, unixbench_options or unixbench_require: {error}") from None
    times = re.findall(r"(?:(\d+) h)? ?(?:(\d+) min)? ?(?:(\d+) s)?$", _total(text))
    return sum(int(number or 0) * unit for number, unit in zip(times[0], UNITS.values()))


def time_limit(planned):
    """Takes the planned seconds of a run; returns its time limit: three times the plan, and ten minutes."""
    return 3 * planned + 600


def requirements(require):
    """Takes the requirements; returns them as words of a command."""
    return [word for expression in require for word in ("--require", expression)]


def _total(text):
    """Takes the plan of a run; returns the line that ends with the time of all its parts."""
    lines = [line for line in text.splitlines() if not line.startswith(" ")]
    return lines[-1] if lines else ""


def _run(path, *words, statuses=(0,)):
    """Takes the path of Run, words, and the exit statuses that are no error; returns the finished process.

    Raises SuiteError with the last lines of its standard error.
    """
    try:
        done = subprocess.run([path, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              errors="backslashreplace", check=False)
    except OSError as error:
        raise SuiteError(f"{path}: {error.strerror}") from None
    if done.returncode not in statuses:
        lines = done.stderr.strip().splitlines() or [f"{path} {words[0]} ended with status {done.returncode}"]
        raise SuiteError("; ".join(lines[-LINES:]))
    return done


def _unpack(archive, place):
    """Takes an archive and a directory; unpacks its plain files there, and returns the path of Run.

    Raises SuiteError if the file is not such an archive.
    """
    try:
        with tarfile.open(archive) as tar:
            files = [member for member in tar if member.isfile() and _is_inside(member.name)]
            tar.extractall(place, members=files)
    except (OSError, EOFError, tarfile.TarError) as error:
        raise SuiteError(f"unixbench_release: {archive}: {error}") from None
    tops = [name for name in os.listdir(place) if os.path.isfile(os.path.join(place, name, "Run"))]
    if len(tops) != 1:
        raise SuiteError(f"unixbench_release: {archive} has no Run: expected an archive that `make static` wrote")
    return os.path.join(place, tops[0], "Run")


def _is_inside(name):
    """Tells whether a path of an archive stays below the directory into which it is unpacked."""
    return not name.startswith("/") and ".." not in name.split("/")
