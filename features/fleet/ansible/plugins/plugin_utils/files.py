"""Plain files in the directory of results: a pipe is not waited for, and a link is not written through."""

from __future__ import absolute_import, annotations, division, print_function

import os
import stat

# Attempts to find a temporary name that is free.
NAMES = 100


def opened(path, mode):
    """Takes the path of a plain file and a mode of open() in bytes; returns the file. Only reading follows a link."""
    link = 0 if mode == "rb" else os.O_NOFOLLOW
    file = open(path, mode, buffering=-1 if mode == "rb" else 0,
                opener=lambda name, flags: os.open(name, flags | os.O_NONBLOCK | link, 0o666))
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(None, "It is not a plain file", path)
    return file


def write_whole(path, content):
    """Takes a path and bytes; writes the file, which has all of them or stays as it was.

    Its temporary name has the number of the process, so that no file of the user has it.
    """
    os.makedirs(os.path.dirname(path), exist_ok=True)
    file, new = _new_beside(path)
    try:
        with file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(new, path)
    except BaseException:
        os.unlink(new)
        raise


def _new_beside(path):
    for number in range(NAMES):
        new = f"{path}.{os.getpid()}{f'-{number}' if number else ''}.new"
        try:
            return open(new, "xb"), new
        except FileExistsError:
            if number + 1 == NAMES:
                raise
