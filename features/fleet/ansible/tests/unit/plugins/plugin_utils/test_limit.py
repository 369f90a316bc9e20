"""Tests of the time limit of calls."""

from __future__ import absolute_import, annotations, division, print_function

import os
import signal
import subprocess
import time
import unittest

from ansible_collections.unixbench.fleet.plugins.plugin_utils.limit import OutOfTime, TooMuch, within


def _is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as file:
        return file.read().rpartition(")")[2].split()[0] != "Z"


class LimitTest(unittest.TestCase):
    """Blocks that end in time, and others."""

    def test_a_block_that_ends_in_time_is_left_alone(self):
        with within(60):
            value = subprocess.run(["echo", "x"], stdout=subprocess.PIPE, check=True).stdout
        self.assertEqual(value, b"x\n")
        self.assertEqual(signal.getitimer(signal.ITIMER_REAL)[0], 0)

    def test_a_block_that_lasts_too_long_is_ended_with_all_its_processes(self):
        process = None
        with self.assertRaises(OutOfTime):
            with within(0.5):
                process = subprocess.Popen(["sh", "-c", "trap '' TERM; sleep 1000 & echo $!; wait; wait"],
                                           stdout=subprocess.PIPE)
                sleeper = int(process.stdout.readline())
                process.communicate()
        process.stdout.close()
        process.wait()
        self.assertEqual([_is_alive(process.pid), _is_alive(sleeper)], [False, False])

    def test_code_that_catches_all_exceptions_is_ended_too(self):
        caught = []
        with self.assertRaises(OutOfTime):
            with within(0.2):
                try:
                    time.sleep(100)
                except Exception as error:  # pylint: disable=broad-except
                    caught.append(error)
        self.assertEqual(caught, [])

    def test_a_block_that_collects_too_much_is_ended_with_all_its_processes(self):
        process = None
        with self.assertRaises(TooMuch) as raised:
            with within(60, 1_000_000):
                process = subprocess.Popen(["sh", "-c", "exec cat /dev/zero"], stdout=subprocess.PIPE)
                pieces = []
                while True:
                    pieces.append(process.stdout.read(1_000_000))
        process.stdout.close()
        process.wait()
        self.assertEqual(str(raised.exception), "The host sends more than the 1 MB that it may send.")
        self.assertLess(len(pieces), 1000)

    def test_an_output_that_is_not_too_large_is_left_alone(self):
        with within(60, 16_000_000):
            content = subprocess.run(["head", "-c", "16000000", "/dev/zero"], stdout=subprocess.PIPE, check=True).stdout
            text = content.decode()
        self.assertEqual(len(text), 16_000_000)

    def test_an_error_of_the_block_comes_through(self):
        with self.assertRaises(KeyError):
            with within(60):
                raise KeyError("x")
        self.assertEqual(signal.getitimer(signal.ITIMER_REAL)[0], 0)

    def test_an_earlier_alarm_rings_afterwards(self):
        rung = []
        before = signal.signal(signal.SIGALRM, lambda number, frame: rung.append(number))
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with within(60):
            time.sleep(0.5)
        until = time.monotonic() + 60
        while not rung and time.monotonic() < until:
            time.sleep(0.01)
        self.assertEqual(rung, [signal.SIGALRM])


if __name__ == "__main__":
    unittest.main()
