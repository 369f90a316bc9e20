"""Functions that run in child processes, while an event loop waits for their values; and the controller, whose child
process a worker of Ansible is."""

from __future__ import absolute_import, annotations, division, print_function

import asyncio
import json
import multiprocessing
import os


class ChildError(Exception):
    """What a function in a child process has raised, as one line."""


def has_controller():
    """Returns whether the controller that has forked this worker still runs.

    Its number was kept before the fork: the controller may have ended before this worker asks for the first time.
    """
    controller = multiprocessing.parent_process()
    return controller is None or os.getppid() == controller.pid


async def in_child(function):
    """Takes a function without arguments; calls it in a child process, and returns its value, which JSON can hold.

    Raises ChildError if the function raises an exception, or if the child process is killed.
    """
    loop = asyncio.get_running_loop()
    source, target = os.pipe()
    pid = os.fork()
    if not pid:
        _be_child(function, target)
    os.close(target)
    try:
        answer = await _content(loop, source)
    finally:
        os.close(source)
        os.waitpid(pid, 0)
    if not answer:
        raise ChildError("A process of the controller was killed.")
    kind, value = json.loads(answer)
    if kind == "error":
        raise ChildError(value)
    return value


async def _content(loop, source):
    """Returns all bytes that come through a pipe."""
    pieces = []
    is_over = loop.create_future()

    def read():
        pieces.append(os.read(source, 65536))
        if not pieces[-1] and not is_over.done():
            is_over.set_result(None)

    loop.add_reader(source, read)
    try:
        await is_over
    finally:
        loop.remove_reader(source)
    return b"".join(pieces)


def _be_child(function, target):
    """Calls the function, writes what it returns or raises, and ends this process."""
    status = 1
    try:
        try:
            answer = ["value", function()]
        except Exception as error:  # pylint: disable=broad-except
            answer = ["error", str(error) or type(error).__name__]
        content = json.dumps(answer).encode("ascii")
        while content:
            content = content[os.write(target, content):]
        status = 0
    finally:
        os._exit(status)  # pylint: disable=protected-access
