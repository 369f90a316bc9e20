"""The variables of the role: their types, and what a wrong value is told."""

from __future__ import absolute_import, annotations, division, print_function

import csv
import difflib
import functools
import os
import types

import yaml

from .numbers import plain

PREFIX = "unixbench_"
DEFAULTS = os.path.join(os.path.dirname(__file__), "../../roles/unixbench/defaults/main.yml")


class SettingError(Exception):
    """One line: the variable, what is wrong, and what to do."""


def results_problem(error):
    """Takes an OSError of the controller; returns one line, with the file of unixbench_results if there is one."""
    if error.filename:
        return f"unixbench_results: {error.filename}: {error.strerror}"
    return f"The controller: {error.strerror}"


@functools.lru_cache(maxsize=None)
def defaults():
    """Returns the default values of all variables by their names."""
    with open(DEFAULTS, encoding="utf-8") as file:
        return yaml.safe_load(file)


def read(variables):
    """Takes the values of variables by their names; a missing one has its default, and others are ignored.

    Returns an object with an attribute for each variable: `results` for unixbench_results. Paths of the controller are
    absolute. Raises SettingError for a wrong value.
    """
    values = {}
    for name, default in defaults().items():
        short = name[len(PREFIX):]
        value = variables.get(name, default)
        try:
            values[short] = _TYPES[short](default if value is None else value)
        except ValueError as error:
            raise SettingError(f"{name}: {error}") from None
    return types.SimpleNamespace(**values)


def check_names(names):
    """Takes names of variables; raises SettingError for the first one that begins with unixbench_ and is unknown."""
    known = list(defaults())
    for name in sorted(names):
        if name.startswith(PREFIX) and name not in known:
            close = difflib.get_close_matches(name, known, 1)
            hint = f"did you mean {close[0]}?" if close else "README.md of the collection lists all variables"
            raise SettingError(f"{name}: unknown variable ({hint})")


def hypervisors(path):
    """Takes the path of a CSV with the lines host,hypervisor; returns a dictionary. The first line may be a heading.

    Raises SettingError for a file that can't be read, and for a wrong line.
    """
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            lines = [(number, line) for number, line in enumerate(csv.reader(file), 1) if line]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise SettingError(f"unixbench_shares_file: {path}: {getattr(error, 'strerror', None) or error}") from None
    result = {}
    for number, line in lines:
        words = [word.strip() for word in line]
        where = f"unixbench_shares_file: {path}, line {number}"
        if len(words) != 2 or not words[0]:
            raise SettingError(f"{where}: expected host,hypervisor")
        if result.setdefault(words[0], words[1]) != words[1]:
            raise SettingError(f"{where}: {words[0]} has another hypervisor in an earlier line")
    result.pop("host", None)
    return result


def _text(value):
    if not isinstance(value, str):
        raise ValueError(f"expected a text, not {value!r}")
    return str(value)


def _path(value):
    """Returns an absolute path; an empty one stays empty."""
    return os.path.abspath(os.path.expanduser(_text(value))) if value else ""


def _file(value):
    """Returns the absolute path of an existing file; an empty one stays empty."""
    path = _path(value)
    if path and not os.path.isfile(path):
        raise ValueError(f"there is no file {path}")
    return path


def _results(value):
    if not value:
        raise ValueError("expected the path of a directory")
    path = _path(value)
    if os.path.exists(path) and not os.path.isdir(path):
        raise ValueError(f"{path} is not a directory")
    return path


def _directory(value):
    """Returns the path of a directory on the hosts, which is removed at the end: never one that has other files."""
    path = os.path.normpath(_text(value))
    if not path.startswith("/") or path.count("/") < 2 or path.startswith("//"):
        raise ValueError(f"expected an absolute path below another directory, not {value!r}")
    return path


def _list(value):
    if not isinstance(value, (list, tuple)):
        raise ValueError(f"expected a list, not {value!r}")
    return [_text(word) if isinstance(word, str) else str(_number(word)) for word in value]


def _texts(value):
    """Returns a list; a single text is a list of one."""
    return [_text(value)] if isinstance(value, str) and value else _list(value or [])


def _words(value):
    """Returns a list; a single text is split at blanks."""
    return _list(value.split() if isinstance(value, str) else value)


def _tests(value):
    words = _words(value)
    wrong = [word for word in words if word.startswith("-")]
    if wrong:
        raise ValueError(f"{wrong[0]} is an option: put it into unixbench_options")
    return words


def _files(value):
    return [_file(path) for path in _texts(value)]


def _yes(value):
    words = {"yes": True, "true": True, "on": True, "1": True, "no": False, "false": False, "off": False, "0": False}
    word = str(value).lower()
    if word not in words:
        raise ValueError(f"expected true or false, not {value!r}")
    return words[word]


def _number(value):
    text = str(value)
    number = None if isinstance(value, bool) else plain(text[text.startswith("-"):])
    if number is None:
        raise ValueError(f"expected a number, not {value!r}")
    number = -number if text.startswith("-") else number
    return int(number) if number == int(number) else number


def _count(value):
    number = _number(value)
    if not isinstance(number, int) or number < 0:
        raise ValueError(f"expected a whole number, not {value!r}")
    return number


def _seconds(value):
    seconds = _number(value)
    if not 0 < seconds <= 31_536_000:
        raise ValueError(f"expected seconds, more than 0 and at most a year, not {value!r}")
    return seconds


def _limit(value):
    """Returns seconds, or None for an empty text: then the limit comes from the plan."""
    return None if value == "" else _seconds(value)


def _shares(value):
    if isinstance(value, (list, tuple, dict, bool)):
        raise ValueError(f"expected the name of one hypervisor, not {value!r}")
    return _text(value) if isinstance(value, str) else str(_number(value))


_TYPES = {
    "release": _files,
    "run": _file,
    "results": _results,
    "directory": _directory,
    "tests": _tests,
    "options": _words,
    "require": _texts,
    "shares": _shares,
    "shares_file": _file,
    "seed": str,
    "together": _yes,
    "second_try": _yes,
    "strict": _yes,
    "again": _words,
    "most": _count,
    "time_limit": _limit,
    "poll": _seconds,
    "lead": _seconds,
}
