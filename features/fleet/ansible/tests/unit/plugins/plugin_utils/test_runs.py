"""Tests of the runs of a host."""

from __future__ import absolute_import, annotations, division, print_function

import glob
import os
import time
import types
import unittest

from ansible_collections.unixbench.fleet.plugins.plugin_utils.record import Record
from ansible_collections.unixbench.fleet.plugins.plugin_utils.runs import RESUMPTIONS, SILENT_POLLS, Runs
from ansible_collections.unixbench.fleet.plugins.plugin_utils.talk import Refusal, Unreachable
from ansible_collections.unixbench.fleet.tests.unit.plugins.plugin_utils.fake_host import JSON, Host, HostTest


class RunTest(HostTest):
    """Start, wait and collect."""

    def _start_and_wait(self, phase="alone", attempt=1):
        self.assertEqual(self.runs.start(phase, attempt)["outcome"], "running")
        return self.runs.wait(phase, attempt)

    def _lost(self):
        """Starts a run whose controller is then killed; returns its name."""
        self.runs.start("alone", 1)
        self.host.asked.clear()
        return next(iter(self.host.runs))

    def test_a_host_is_measured(self):
        result = self._start_and_wait()
        self.assert_outcome(result, "measured", changed=True)
        self.assertEqual(result["result"], "a/alone-1.json")
        with open(os.path.join(self.settings.results, result["result"]), "rb") as file:
            self.assertEqual(file.read(), JSON)
        self.assertEqual(os.listdir(os.path.join(self.settings.results, "a")), ["alone-1.json"])
        self.assertEqual(self.events(), [("start", None), ("end", "measured")])
        self.assertEqual(self.record.last("a", "alone", 1)["result"], "a/alone-1.json")

    def test_a_host_with_a_result_is_not_asked_again(self):
        self._start_and_wait()
        self.host.asked.clear()
        for operation in (self.runs.start, self.runs.wait, self.runs.collect):
            self.assert_outcome(operation("alone", 1), "measured")
        self.assertEqual(self.host.asked, [])

    def test_a_host_whose_result_was_removed_is_measured_again(self):
        self._start_and_wait()
        os.remove(os.path.join(self.settings.results, "a/alone-1.json"))
        self.assert_outcome(self._start_and_wait(), "measured", changed=True)

    def test_each_run_has_a_name_of_its_own(self):
        self._start_and_wait()
        settings = types.SimpleNamespace(**dict(vars(self.settings), results=self.place + "/2"))
        Runs("a", settings, "hv", self.host, Record(self.place + "/2")).start("alone", 1)
        self.assertEqual(len(self.host.runs), 2)

    def test_run_gets_the_options_the_tests_and_the_limit(self):
        self.settings.require = ["index>=1500", "pipe>=0.95*good.json"]
        self.runs.start("alone", 1)
        start = self.host.asked[-1]
        self.assertEqual(start[2:], (0, 100, "-q", "--require", "index>=1500", "-c", "1", "index"))

    def test_a_run_starts_by_the_clock_of_the_host(self):
        self.host.ahead = 5000
        self.runs.start("together", 1, 1, time.time() + 100)
        self.assertAlmostEqual(float(self.host.asked[-1][2]), time.time() + 5100, delta=30)

    def test_a_late_start_says_so(self):
        late = self.runs.start("together", 1, 1, time.time() - 50)
        self.assert_outcome(late, "running", "The run began 50 s late", True)

    def test_a_host_that_is_down_was_not_started(self):
        self.host.next["state"] = [Unreachable("No connection: no route.")]
        self.assert_outcome(self.runs.start("alone", 1), "unreachable", "no route")
        self.assertEqual(self.events(), [("end", "unreachable")])

    def test_a_start_without_an_answer_is_found_out_by_waiting(self):
        self.host.next["start"] = [Unreachable("Lost.")]
        self.assert_outcome(self.runs.start("alone", 1), "running", "The start is not certain", True)
        self.assert_outcome(self.runs.wait("alone", 1), "measured", changed=True)
        self.assertEqual(self.host.operations().count("start"), 2)

    def test_another_run_on_the_host_is_a_failure(self):
        self.host.next["start"] = [Refusal("Another run is under way: x.")]
        self.assert_outcome(self.runs.start("alone", 1), "failed", "Another run is under way")
        self.assertEqual(self.events(), [("start", None), ("end", "failed")])

    def test_a_run_that_goes_on_is_found_by_another_controller(self):
        name = self._lost()
        self.host.runs[name] = "running"
        self.assert_outcome(self.runs.start("alone", 1), "running", "found again")
        self.host.next["state"] = [{}, lambda: self.host.runs.update({name: "ended"}) or {}]
        self.assert_outcome(self.runs.wait("alone", 1), "measured", changed=True)
        self.assertNotIn("start", self.host.operations())

    def test_a_run_that_has_ended_meanwhile_is_collected(self):
        self._lost()
        self.assert_outcome(self.runs.collect("alone", 1), "measured", changed=True)

    def test_a_run_that_goes_on_is_not_collected(self):
        self.host.runs[self._lost()] = "running"
        self.assert_outcome(self.runs.collect("alone", 1), "running", "has not ended yet")
        self.assertEqual(self.events(), [("start", None)])

    def test_an_interrupted_run_is_resumed(self):
        name = self._lost()
        self.host.runs[name] = "interrupted"
        self.assert_outcome(self.runs.wait("alone", 1), "measured", changed=True)
        self.assertEqual([asked[1] for asked in self.host.asked if asked[0] == "start"], [name])

    def test_an_interrupted_run_is_resumed_by_the_next_start(self):
        name = self._lost()
        self.host.runs[name] = "interrupted"
        self.assert_outcome(self.runs.start("alone", 1), "running", changed=True)
        self.assertEqual(list(self.host.runs), [name])

    def test_a_run_that_is_always_interrupted_has_failed(self):
        self.runs.start("alone", 1)
        self.host.next["state"] = [{"state": "interrupted", "said": "Run: no space left"}] * 9
        self.assert_outcome(self.runs.wait("alone", 1), "failed",
                            "interrupted 4 times; its last message: No space left")
        self.assertEqual(self.host.operations().count("start"), 4)

    def test_a_rebooting_host_is_waited_for(self):
        self.runs.start("alone", 1)
        self.host.next["state"] = [Unreachable("Down.")] * (SILENT_POLLS - 1)
        self.assert_outcome(self.runs.wait("alone", 1), "measured", changed=True)

    def test_a_host_that_stays_silent_is_unreachable(self):
        self.runs.start("alone", 1)
        self.host.next["state"] = [Unreachable("Down.")] * SILENT_POLLS
        self.assert_outcome(self.runs.wait("alone", 1), "unreachable", "Down")
        self.assertEqual(self.events(), [("start", None), ("end", "unreachable")])

    def test_an_unreachable_run_is_found_again(self):
        name = self._lost()
        self.record.add("end", "a", phase="alone", attempt=1, outcome="unreachable", reason="Down.")
        self.assert_outcome(self.runs.start("alone", 1), "running", "found again")
        self.assert_outcome(self.runs.wait("alone", 1), "measured", changed=True)
        self.assertEqual(list(self.host.runs), [name])

    def test_a_run_without_an_end_is_stopped(self):
        self.settings.time_limit = -1000
        self.runs.start("alone", 1)
        self.host.runs = dict.fromkeys(self.host.runs, "running")
        self.assert_outcome(self.runs.wait("alone", 1), "failed", "its time limit")
        self.assertEqual(self.host.operations()[-2:], ["stop", "log"])

    def test_a_run_that_reached_its_limit_has_failed(self):
        self.runs.start("alone", 1)
        self.host.next["state"] = [{"how": "limit", "signal": 15}]
        self.assert_outcome(self.runs.wait("alone", 1), "failed", "The run was ended after 100 s, its time limit")

    def test_a_failed_test_has_a_result_and_a_reason(self):
        self.runs.start("alone", 1)
        said = ["Run: the locale is missing", 'Run: "Pipe": killed; aborting this test', "Run: FAIL index>=1: none"]
        self.host.next["state"] = [{"status": 1, "said": said}]
        result = self.runs.wait("alone", 1)
        self.assert_outcome(result, "failed", '"Pipe": killed; aborting this test')
        self.assertTrue(os.path.isfile(os.path.join(self.settings.results, result["result"])))

    def test_a_verdict_is_a_measurement(self):
        for status in (3, 4):
            with self.subTest(status):
                self.runs.start("alone", 1)
                self.host.next["state"] = [{"status": status}]
                self.assert_outcome(self.runs.wait("alone", 1), "measured", changed=True)
                os.remove(os.path.join(self.settings.results, "a/alone-1.json"))

    def test_a_number_of_the_host_that_is_not_plain_is_a_failure(self):
        for state, wrong in (("bytes", "inf"), ("bytes", "-5"), ("began", "nan"), ("ended", "1e400")):
            with self.subTest(state):
                self.runs.start("alone", 1)
                self.host.next["state"] = [{state: wrong}]
                self.assert_outcome(self.runs.wait("alone", 1), "failed", f"{state}={wrong}, which is not a plain")
                self.assertEqual(self.events()[-1], ("end", "failed"))
                self.assertEqual(glob.glob(self.settings.results + "/a/*.json"), [])

    def test_a_clock_that_is_not_a_number_is_a_failure(self):
        self.host.next["state"] = [{"clock": "nan"}]
        self.assert_outcome(self.runs.start("alone", 1), "failed", "clock=nan")
        self.assertEqual(self.events(), [("end", "failed")])

    def test_a_result_that_is_too_large_is_not_transferred(self):
        self.runs.start("alone", 1)
        self.host.next["state"] = [{"bytes": 400_000_000}]
        self.assert_outcome(self.runs.wait("alone", 1), "failed", "400 MB; at most 16 MB")
        self.assertNotIn("result", self.host.operations())

    def test_a_failed_run_leaves_what_it_has_printed(self):
        self.runs.start("alone", 1)
        self.host.next["state"] = [{"status": 1, "has_result": "no", "said": "Run: no"}]
        self.runs.wait("alone", 1)
        with open(os.path.join(self.settings.results, "a/alone-1.log"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "first\nlast\n")

    def test_a_poll_asks_once(self):
        self.runs.start("alone", 1)
        self.host.runs = dict.fromkeys(self.host.runs, "running")
        self.host.asked.clear()
        self.assert_outcome(self.runs.poll("alone", 1), "running")
        self.assertEqual(self.host.operations(), ["state"])
        self.host.next["state"] = [Unreachable("Down.")] * 2
        self.assert_outcome(self.runs.poll("alone", 1), "silent", "Down")
        self.assert_outcome(self.runs.poll("alone", 1, silent=SILENT_POLLS - 1), "unreachable", "Down")

    def test_resumptions_are_counted_by_the_record(self):
        name = self._lost()
        for _number in range(RESUMPTIONS):
            self.host.runs[name] = "interrupted"
            again = Runs("a", self.settings, "hv", self.host, self.record)
            self.assert_outcome(again.poll("alone", 1), "running", "resumed", True)
        self.host.runs[name] = "interrupted"
        self.assert_outcome(self.runs.poll("alone", 1), "failed", "interrupted 4 times")

    def test_a_host_is_measured_again_on_demand(self):
        self._start_and_wait()
        self.record.add("again", "a")
        self.assert_outcome(self._start_and_wait(), "measured", changed=True)
        self.assertEqual(len(self.host.runs), 2)

    def test_a_run_without_a_result_says_why(self):
        self.runs.start("alone", 1)
        self.host.next["state"] = [{"status": 1, "has_result": "no", "said": ["Run: can't write: no space left"]}]
        self.assert_outcome(self.runs.wait("alone", 1), "failed",
                            "The run has no result: Can't write: no space left.")

    def test_a_torn_result_is_asked_for_again(self):
        self.runs.start("alone", 1)
        self.host.next["result"] = [{"json": "{"}, Unreachable("Lost.")]
        self.assert_outcome(self.runs.wait("alone", 1), "measured", changed=True)
        self.assertEqual(self.host.operations().count("result"), 3)

    def test_a_result_that_is_always_torn_leaves_no_file(self):
        self.runs.start("alone", 1)
        self.host.next["result"] = [{"json": "{"}] * 3 * SILENT_POLLS
        self.assert_outcome(self.runs.wait("alone", 1), "unreachable", "torn on its way")
        self.assertFalse(os.path.exists(os.path.join(self.settings.results, "a")))

    def test_a_second_try_finds_the_first_one(self):
        name = self._lost()
        self.host.runs[name] = "running"
        self.assert_outcome(self.runs.start("alone", 2), "running", f"The run {name} is under way")
        self.host.runs[name] = "ended"
        result = self.runs.wait("alone", 2)
        self.assert_outcome(result, "measured", changed=True)
        self.assertEqual(result["result"], "a/alone-1.json")

    def test_a_second_try_collects_the_first_one_that_has_ended(self):
        self._lost()
        self.assertEqual(self.runs.start("alone", 2)["result"], "a/alone-1.json")

    def test_a_second_try_ends_an_interrupted_first_one(self):
        name = self._lost()
        self.host.runs[name] = "interrupted"
        self.assert_outcome(self.runs.start("alone", 2), "running", changed=True)
        self.assertEqual(self.record.last("a", "alone", 1)["outcome"], "failed")
        self.assertNotEqual(self.host.asked[-1][1], name)


class SharingTest(HostTest):
    """Two machines of one hypervisor."""

    def setUp(self):
        super().setUp()
        self.other = Runs("b", self.settings, "hv", Host(), self.record)

    def test_a_busy_hypervisor_is_waited_for(self):
        self.other.start("alone", 1)
        self.assert_outcome(self.runs.start("alone", 1), "waiting",
                            "Another machine of the hypervisor may still measure")
        self.assertNotIn("start", self.host.operations())
        polls = [lambda: {}, lambda: {}, lambda: self.other.wait("alone", 1) and {}]
        self.host.next["state"] = polls
        self.assert_outcome(self.runs.wait("alone", 1), "measured", changed=True)
        self.assertEqual([(event["event"], event["host"]) for event in self.record.events()],
                         [("start", "b"), ("end", "b"), ("start", "a"), ("end", "a")])

    def test_an_interrupted_run_is_not_resumed_while_the_hypervisor_is_busy(self):
        self.runs.start("alone", 1)
        self.host.runs = dict.fromkeys(self.host.runs, "interrupted")
        self.record.add("start", "b", phase="alone", attempt=1, shares="hv", limit=1000)
        self.host.asked.clear()
        self.host.next["state"] = [{}] * 9 + [lambda: self.record.add(
            "end", "b", phase="alone", attempt=1, outcome="measured") or {}]
        self.assert_outcome(self.runs.wait("alone", 1), "measured", changed=True)
        self.assertEqual(self.host.operations()[:12], ["state"] * 10 + ["start", "state"])

    def test_machines_that_measure_together_do_not_wait(self):
        self.other.start("together", 1)
        self.assert_outcome(self.runs.start("together", 1), "running", changed=True)


if __name__ == "__main__":
    unittest.main()
