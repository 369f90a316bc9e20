"""The talk with host.sh: how an operation is asked for, how long it may take, and what the answer says."""

from __future__ import absolute_import, annotations, division, print_function

import hashlib
import os
import re
import shlex

from .numbers import plain

FILES = os.path.join(os.path.dirname(__file__), "../../roles/unixbench/files")

# Seconds that a call may take, with the time to connect.
LIMITS = {"install": 600, "doctor": 120, "result": 300, "stop": 120, "cleanup": 180}
LIMIT = 60

# Bytes that an answer may have besides its file: what the doctor says, or a greeting.
ROOM = 1_000_000

# How often a torn transfer is tried.
TRANSFERS = 3

# The largest file that is taken from a host. A result of all tests with 64 copies has less than 1 MB.
LARGEST = 16_000_000


class Unreachable(Exception):
    """There is no connection, or the answer is not whole. The operation may have been done anyway."""


class NoShell(Unreachable):
    """The host was reached, but its shell did not run the operation. Perhaps sudo is missing there."""


class Refusal(Exception):
    """The host can't do the operation; the text says why, in one line."""


class Answer:
    """The lines of an answer: name=value."""

    def __init__(self, lines):
        """Takes the lines."""
        self._pairs = [line.split("=", 1) for line in lines if "=" in line]

    def text(self, name):
        """Takes a name; returns its last value, or an empty text."""
        values = self.lines(name)
        return values[-1] if values else ""

    def has(self, name):
        """Takes a name; tells whether there is such a line."""
        return any(known == name for known, value in self._pairs)

    def number(self, name):
        """Takes a name; returns its value as a number, or None if there is none. Raises Refusal for a wrong one."""
        if not self.text(name):
            return None
        value = plain(self.text(name))
        if value is None:
            raise Refusal(sentence(f"The host answers {name}={self.text(name)}, which is not a plain number"))
        return value

    def lines(self, name):
        """Takes a name; returns all its values."""
        return [value for known, value in self._pairs if known == name]

    def file(self, name):
        """Takes the name of the lines of a file; returns its bytes. Raises Unreachable if they were torn."""
        content = "".join(line + "\n" for line in self.lines(name)).encode("utf-8", "surrogateescape")
        content = content[:self.size()]
        if hashlib.sha256(content).hexdigest() != self.text("sha256"):
            raise Unreachable("The file was torn on its way.")
        return content

    def size(self):
        """Returns the size of a file in bytes, as the host announces it. Raises Refusal if it is too large."""
        size = self.number("bytes")
        if not isinstance(size, int):
            raise Refusal("The host does not say how large the file is.")
        if size > LARGEST:
            raise Refusal(f"The host has a result of {size / 1e6:.0f} MB; at most {LARGEST / 1e6:.0f} MB are taken.")
        return size


class Talk:
    """Asks one host."""

    def __init__(self, execute, directory):
        """Takes a function that runs a command line there, and the directory of the host.

        The function takes the command line, the bytes for its standard input, the seconds that it may take, and the
        bytes that it may print. It returns the standard output and the standard error as texts. It raises Unreachable,
        or Refusal if the host prints more.
        """
        self._execute = execute
        self._directory = directory

    def ask(self, operation, *words, data=b"\n", limit=None, size=0):
        """Takes an operation of host.sh, its words, perhaps the bytes that it reads, and the seconds that it may take.

        The size is that of the file which the answer has, in bytes. Returns the Answer. Raises Unreachable or Refusal.
        There is always something to read: a connection without that would use a terminal.
        """
        output, errors = self._execute(self._command(operation, words), data, limit or LIMITS.get(operation, LIMIT),
                                       size + ROOM)
        answer = Answer(_body(output, errors, operation))
        if answer.text("problem"):
            raise Refusal(sentence(answer.text("problem")))
        return answer

    def repeat(self, *words, data=b"\n", size=0, use=lambda answer: answer):
        """Takes what ask takes, and a function of the answer. Asks again if something was torn on its way.

        Returns the value of the function.
        """
        for left in reversed(range(TRANSFERS)):
            try:
                return use(self.ask(*words, data=data, size=size))
            except Unreachable:
                if not left:
                    raise
            except Refusal as error:
                if not left or "torn" not in str(error):
                    raise

    def _command(self, operation, words):
        words = [self._directory, operation, *map(str, words)]
        return " ".join(map(shlex.quote, ["sh", "-c", source("host.sh"), "host.sh", *words]))


def source(name):
    """Takes the name of a file that goes to hosts; returns its text without lines that are comments."""
    with open(os.path.join(FILES, name), encoding="utf-8") as file:
        return "".join(line for line in file if not line.lstrip().startswith("#"))


def sentence(text):
    """Takes a text; returns its last line as a sentence: printable, at most 300 characters, with a full stop.

    The name of a program at its beginning stays as it is.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()] or ["unknown reason"]
    line = "".join(each if each.isprintable() else "?" for each in lines[-1])
    line = line if len(line) <= 300 else line[:297] + "..."
    name = re.match(r"\S*[:/.]", line)
    return (line if name else line[0].upper() + line[1:]) + ("" if line[-1] in ".!?" else ".")


def _body(output, errors, operation):
    """Takes what a call has printed; returns the lines of the answer. A shell may print a greeting before it.

    Raises Unreachable if the answer is not whole.
    """
    lines = output.replace("\r\n", "\n").split("\n")
    begin, end = f"begin={operation}", f"end={operation}"
    if begin not in lines:
        said = errors.strip() or output.strip()
        raise NoShell(f"The shell gave no answer: {sentence(said)}" if said else "The shell gave no answer.")
    lines = lines[lines.index(begin) + 1:]
    if end not in lines:
        raise Unreachable("The connection was lost during an answer.")
    return lines[:lines.index(end)]
