"""Tests of the record."""

from __future__ import absolute_import, annotations, division, print_function

import json
import multiprocessing
import os
import tempfile
import time
import unittest

from ansible_collections.unixbench.fleet.plugins.plugin_utils.record import Record, open_runs


def _add_many(directory, host):
    for number in range(100):
        Record(directory).add("start", host, number=number)


def _begin(directory, host):
    Record(directory).begin(host, "hv", 60, time.time(), attempt=1)


def _in_processes(function, directory, hosts):
    workers = [multiprocessing.Process(target=function, args=(directory, host)) for host in hosts]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()


class RecordTest(unittest.TestCase):
    """The record of one temporary directory."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.directory = os.path.join(place.name, "results")
        self.record = Record(self.directory)

    def _lines(self):
        with open(self.record.path, encoding="utf-8") as file:
            return file.read().splitlines()

    def _start(self, host, shares="hv", phase="alone", at=1000, limit=60, attempt=1):
        """Adds a start at a given time."""
        event = {"time": at, "event": "start", "host": host, "phase": phase, "attempt": attempt, "shares": shares}
        os.makedirs(self.directory, exist_ok=True)
        with open(self.record.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(event if limit is None else {**event, "limit": limit}) + "\n")

    def test_without_a_file_there_are_no_events(self):
        self.assertEqual(self.record.events(), [])

    def test_only_the_events_with_one_of_the_given_values_are_returned(self):
        for host in ("web\n1", "web\n10", "db \u00e4"):
            self.record.add("end", host)
        self.assertEqual([event["host"] for event in self.record.events("web\n1")], ["web\n1"])
        both = self.record.events("db \u00e4", "web\n10")
        self.assertEqual([event["host"] for event in both], ["web\n10", "db \u00e4"])

    def test_an_event_is_one_line_of_json_with_its_time(self):
        before = time.time()
        self.record.add("end", "web\n1", outcome="failed", reason="a\nb \u00e4")
        (line,) = self._lines()
        event = json.loads(line)
        self.assertTrue(before <= event.pop("time") <= time.time())
        self.assertEqual(event, {"event": "end", "host": "web\n1", "outcome": "failed", "reason": "a\nb \u00e4"})

    def test_events_come_in_the_order_of_their_lines(self):
        for host in "cab":
            self.record.add("prepared", host)
        self.assertEqual([event["host"] for event in self.record.events()], ["c", "a", "b"])

    def test_a_torn_last_line_is_left_out_and_the_next_one_is_whole(self):
        self.record.add("start", "a")
        whole = self._lines()[0]
        for length in range(1, len(whole)):
            with self.subTest(length=length):
                with open(self.record.path, "w", encoding="utf-8") as file:
                    file.write(whole + "\n" + whole[:length])
                self.assertEqual([event["host"] for event in self.record.events()], ["a"])
                self.record.add("start", "b")
                self.assertEqual([event["host"] for event in self.record.events()], ["a", "b"])

    def test_lines_that_are_no_events_are_left_out(self):
        self.record.add("start", "a")
        with open(self.record.path, "a", encoding="utf-8") as file:
            file.write('17\n[]\n{"time":1}\nnull\n\n')
        self.assertEqual(len(self.record.events()), 1)

    def test_lines_of_several_processes_do_not_mix(self):
        _in_processes(_add_many, self.directory, ["a", "b", "c", "d"])
        events = self.record.events()
        self.assertEqual(len(events), 400)
        for host in "abcd":
            self.assertEqual([event["number"] for event in events if event["host"] == host], list(range(100)))

    def test_of_several_machines_of_a_hypervisor_only_one_begins(self):
        _in_processes(_begin, self.directory, [f"host{number}" for number in range(8)])
        self.assertEqual(len(self.record.events()), 1)

    def test_a_hypervisor_is_busy_until_the_limit_of_its_machine(self):
        self._start("a", limit=60)
        self.assertEqual(self.record.busy("b", "hv", 999, 1059), 1060)
        self.assertIsNone(self.record.busy("b", "hv", 999, 1060))

    def test_the_given_limit_counts_if_the_record_has_none(self):
        self._start("a", limit=None)
        self.assertEqual(self.record.busy("b", "hv", 30, 1001), 1030)

    def test_the_machine_itself_and_other_hypervisors_do_not_disturb(self):
        self._start("a")
        self.assertIsNone(self.record.busy("a", "hv", 60, 1001))
        self.assertIsNone(self.record.busy("b", "other", 60, 1001))
        self.assertIsNone(self.record.busy("b", "", 60, 1001))
        self.assertIsNone(self.record.busy("b", None, 60, 1001))

    def test_the_end_of_a_run_frees_the_hypervisor(self):
        for outcome in ("measured", "failed", "refused"):
            with self.subTest(outcome=outcome):
                self._start("a")
                self.record.add("end", "a", phase="alone", attempt=1, outcome=outcome)
                self.assertIsNone(self.record.busy("b", "hv", 60, 1001))

    def test_an_unreachable_machine_may_still_measure(self):
        self._start("a")
        self.record.add("end", "a", phase="alone", attempt=1, outcome="unreachable")
        self.assertEqual(self.record.busy("b", "hv", 60, 1001), 1060)

    def test_the_end_of_another_try_does_not_free_the_hypervisor(self):
        self._start("a", attempt=2)
        self.record.add("end", "a", phase="alone", attempt=1, outcome="measured")
        self.assertEqual(self.record.busy("b", "hv", 60, 1001), 1060)

    def test_machines_that_measure_together_do_not_wait_for_each_other(self):
        self._start("a", phase="together")
        self.assertIsNone(self.record.busy("b", "hv", 60, 1001, "together"))
        self.assertEqual(self.record.busy("b", "hv", 60, 1001, "alone"), 1060)

    def test_machines_that_measure_together_wait_for_one_that_is_alone(self):
        self._start("a", phase="alone")
        self.assertEqual(self.record.busy("b", "hv", 60, 1001, "together"), 1060)

    def test_no_line_of_the_record_has_a_number_that_is_not_json(self):
        with self.assertRaises(ValueError):
            self.record.add("end", "a", began=float("nan"))
        os.makedirs(self.directory, exist_ok=True)
        with open(self.record.path, "a", encoding="utf-8") as file:
            file.write('{"time": NaN, "event": "end", "host": "a"}\n')
        self.assertEqual(self.record.events(), [])

    def test_the_last_of_several_machines_counts(self):
        self._start("a", limit=60)
        self._start("b", limit=90)
        self._start("c", limit=30)
        self.assertEqual(self.record.busy("d", "hv", 60, 1001), 1090)

    def test_begin_writes_all_that_busy_reads(self):
        self.assertIsNone(self.record.begin("a", "hv", 60, time.time(), "together", attempt=1, wave=3))
        (event,) = self.record.events()
        known = {"event": "start", "host": "a", "shares": "hv", "limit": 60, "phase": "together", "wave": 3}
        self.assertEqual({**event, **known}, event)

    def test_runs_that_were_not_collected_are_open(self):
        for host in ("a", "b", "c", "a"):
            self.record.add("start", host, phase="alone", attempt=1, run=f"run of {host}")
        self.record.add("end", "b", phase="alone", attempt=1, outcome="failed")
        self.record.add("end", "c", phase="alone", attempt=1, outcome="unreachable")
        self.record.add("end", "c", phase="alone", attempt=2, outcome="measured")
        self.assertEqual([event["run"] for event in open_runs(self.record.events())], ["run of a", "run of c"])

    def test_last_is_the_newest_end_of_that_try(self):
        self.record.add("end", "a", phase="alone", attempt=1, outcome="failed")
        self.record.add("end", "a", phase="alone", attempt=1, outcome="measured")
        self.record.add("end", "a", phase="alone", attempt=2, outcome="refused")
        self.record.add("end", "a", phase="together", attempt=1, outcome="failed")
        self.record.add("end", "b", phase="alone", attempt=1, outcome="failed")
        self.record.add("start", "a", phase="alone", attempt=1)
        self.assertEqual(self.record.last("a", "alone", 1)["outcome"], "measured")
        self.assertIsNone(self.record.last("b", "alone", 2))


if __name__ == "__main__":
    unittest.main()
