"""Tests of functions in child processes."""

from __future__ import absolute_import, annotations, division, print_function

import asyncio
import multiprocessing
import os
import signal
import time
import unittest

from ansible_collections.unixbench.fleet.plugins.plugin_utils.children import (
    ChildError, has_controller, in_child)


def _fail():
    raise ValueError("The disk is full.")


def _answer_later(question, answer):
    """Waits for a byte, and tells whether the controller still runs then."""
    os.read(question, 1)
    os.write(answer, b"yes" if has_controller() else b"no")


def _start_worker(question, answer):
    """Is the controller: starts a worker, and is killed."""
    multiprocessing.get_context("fork").Process(target=_answer_later, args=(question, answer)).start()
    os.kill(os.getpid(), signal.SIGKILL)


def _value(function):
    return asyncio.run(in_child(function))


class ChildrenTest(unittest.TestCase):
    """Values and errors of functions."""

    def test_a_value_comes_back(self):
        for value in (None, {"a": [1, "\u00e4"]}, "x" * 1_000_000):
            self.assertEqual(_value(lambda value=value: value), value)

    def test_the_function_runs_in_another_process(self):
        self.assertNotEqual(_value(os.getpid), os.getpid())

    def test_the_message_of_an_exception_comes_back(self):
        with self.assertRaises(ChildError) as raised:
            _value(_fail)
        self.assertEqual(str(raised.exception), "The disk is full.")

    def test_a_child_that_is_killed_is_an_error(self):
        with self.assertRaises(ChildError):
            _value(lambda: os.kill(os.getpid(), signal.SIGKILL))

    def test_functions_run_at_the_same_time(self):
        source, target = os.pipe()

        def second():
            os.write(target, b"x")

        async def both():
            return await asyncio.gather(in_child(lambda: os.read(source, 1).decode()), in_child(second))

        self.assertEqual(asyncio.run(both()), ["x", None])

    def test_no_process_is_left(self):
        _value(time.time)
        with self.assertRaises(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)

    def test_a_worker_that_asks_for_the_first_time_after_the_end_of_its_controller_has_none(self):
        self.assertTrue(has_controller())
        question, answer = os.pipe(), os.pipe()
        controller = multiprocessing.get_context("fork").Process(target=_start_worker, args=(question[0], answer[1]))
        controller.start()
        controller.join()
        os.write(question[1], b"x")
        self.assertEqual(os.read(answer[0], 10), b"no")


if __name__ == "__main__":
    unittest.main()
