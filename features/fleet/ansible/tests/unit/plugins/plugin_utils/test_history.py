"""Tests of what a record says, and of who measures next."""

from __future__ import absolute_import, annotations, division, print_function

import unittest

from ansible_collections.unixbench.fleet.plugins.plugin_utils.history import History, todo


def prepared(host, outcome="ready"):
    return {"event": "prepared", "host": host, "outcome": outcome, "reason": f"{host} is {outcome}"}


def start(host, phase="alone", attempt=1):
    return {"event": "start", "host": host, "phase": phase, "attempt": attempt}


def end(host, outcome="measured", phase="alone", attempt=1):
    event = {"event": "end", "host": host, "phase": phase, "attempt": attempt, "outcome": outcome}
    if outcome != "measured":
        return {**event, "reason": "Why."}
    return {**event, "result": f"{host}/{phase}-{attempt}.json"}


def history(*events, missing=()):
    return History(events, lambda event: event["result"] not in missing)


def outcomes(lines):
    return [(line["phase"], line["try"], line["outcome"]) for line in lines]


class LinesTest(unittest.TestCase):
    """Each host has a line for each try, and at least one."""

    def test_a_measured_host_has_the_path_of_its_result(self):
        (line,) = history(prepared("a"), start("a"), end("a")).lines("a")
        self.assertEqual(line, {"phase": "alone", "try": 1, "outcome": "measured", "reason": "",
                                "result": "a/alone-1.json"})

    def test_all_tries_have_a_line(self):
        events = [start("a"), end("a", "failed"), start("a", attempt=2), end("a", attempt=2),
                  start("a", "together"), end("a", "unreachable", "together")]
        self.assertEqual(outcomes(history(*events).lines("a")),
                         [("alone", 1, "failed"), ("alone", 2, "measured"), ("together", 1, "unreachable")])

    def test_a_host_that_could_not_be_prepared_has_that_outcome_and_reason(self):
        for outcome in ("refused", "unreachable", "failed"):
            (line,) = history(prepared("a", outcome)).lines("a")
            self.assertEqual((line["outcome"], line["reason"]), (outcome, f"a is {outcome}"))

    def test_a_measured_host_stays_measured_if_it_is_unreachable_later(self):
        self.assertEqual(outcomes(history(start("a"), end("a"), prepared("a", "unreachable")).lines("a")),
                         [("alone", 1, "measured")])

    def test_an_unknown_host_was_not_tried(self):
        (line,) = history().lines("a")
        self.assertEqual((line["outcome"], line["reason"]), ("untried", "The machine was not tried."))

    def test_a_ready_host_without_a_run_was_not_tried(self):
        (line,) = history(prepared("a")).lines("a")
        self.assertEqual((line["outcome"], bool(line["reason"])), ("untried", True))

    def test_a_run_that_was_not_collected_is_running(self):
        (line,) = history(start("a")).lines("a")
        self.assertEqual((line["outcome"], line["reason"]), ("running", "The run has not ended yet."))

    def test_the_event_of_the_doctor_does_not_hide_the_clock(self):
        events = [{**prepared("a"), "clock": 172_800}, prepared("a"), start("a"), end("a")]
        self.assertIn("2 days ahead", history(*events).lines("a")[0]["reason"])
        self.assertEqual(history(*events[:2], {**prepared("a"), "clock": 0}).clock("a"), "")

    def test_a_measured_host_whose_clock_is_off_has_that_as_its_reason(self):
        for seconds, words in ((172_800, "2 days ahead"), (-90, "90 s behind"), (7200, "2 h ahead")):
            events = [{**prepared("a"), "clock": seconds}, start("a"), end("a")]
            (line,) = history(*events).lines("a")
            self.assertEqual((line["outcome"], line["reason"]), ("measured", f"The clock of the machine is {words}."))

    def test_what_happened_before_a_host_is_measured_again_does_not_count(self):
        events = [prepared("a"), start("a"), end("a"), start("a", attempt=2), end("a", attempt=2)]
        again = history(*events, {"event": "again", "host": "a"})
        self.assertEqual(outcomes(again.lines("a")), [("alone", 1, "untried")])
        self.assertEqual(outcomes(history(*events, {"event": "again", "host": "b"}).lines("a"))[0],
                         ("alone", 1, "measured"))

    def test_a_result_that_was_removed_has_failed(self):
        (line,) = history(start("a"), end("a"), missing=["a/alone-1.json"]).lines("a")
        self.assertEqual((line["outcome"], line["result"]), ("failed", ""))

    def test_a_run_that_failed_keeps_its_result(self):
        failed = {**end("a", "failed"), "result": "a/alone-1.json"}
        (line,) = history(start("a"), failed).lines("a")
        self.assertEqual((line["outcome"], line["result"]), ("failed", "a/alone-1.json"))
        (line,) = history(start("a"), failed, missing=["a/alone-1.json"]).lines("a")
        self.assertEqual((line["outcome"], line["result"]), ("failed", ""))

    def test_hosts_of_all_events_are_known(self):
        self.assertEqual(history(prepared("a"), start("b"), end("c")).hosts(), {"a", "b", "c"})


class OpenTest(unittest.TestCase):
    """A run is open if it was started and not collected."""

    def test_a_start_opens_and_an_end_closes(self):
        self.assertTrue(history(start("a")).is_open("a", "alone", 1))
        for outcome in ("measured", "failed", "refused"):
            self.assertFalse(history(start("a"), end("a", outcome)).is_open("a", "alone", 1))

    def test_a_lost_run_stays_open(self):
        self.assertTrue(history(start("a"), end("a", "unreachable")).is_open("a", "alone", 1))

    def test_a_host_that_never_started_has_no_open_run(self):
        self.assertFalse(history(end("a", "unreachable")).is_open("a", "alone", 1))

    def test_a_second_start_opens_again(self):
        self.assertTrue(history(start("a"), end("a", "failed"), start("a")).is_open("a", "alone", 1))

    def test_tries_and_phases_are_separate(self):
        events = history(start("a", attempt=2))
        self.assertFalse(events.is_open("a", "alone", 1) or events.is_open("a", "together", 2))


class TodoTest(unittest.TestCase):
    """Who measures now."""

    def _alone(self, *events, attempt=1, bad=(), missing=()):
        return todo(history(*events, missing=missing), ["a", "b"], "alone", attempt, bad=bad)

    def _together(self, *events):
        shares = {"a1": "hv1", "a2": "hv1", "b1": "hv2"}
        return todo(history(*events), ["a1", "a2", "b1", "lone"], "together", 1, shares)

    def test_all_hosts_measure_first(self):
        self.assertEqual(self._alone(), ["a", "b"])

    def test_a_host_with_a_result_of_any_try_is_not_measured_again(self):
        self.assertEqual(self._alone(start("a"), end("a")), ["b"])
        self.assertEqual(self._alone(start("a", attempt=2), end("a", attempt=2)), ["b"])

    def test_a_host_whose_result_was_removed_is_measured_again(self):
        self.assertEqual(self._alone(start("a"), end("a"), missing=["a/alone-1.json"]), ["a", "b"])

    def test_a_host_that_is_not_ready_is_left_out(self):
        for outcome in ("refused", "unreachable", "failed"):
            self.assertEqual(self._alone(prepared("a", outcome)), ["b"])

    def test_the_last_preparation_counts(self):
        self.assertEqual(self._alone(prepared("a", "refused"), prepared("a")), ["a", "b"])

    def test_failed_and_unreachable_hosts_get_a_second_try(self):
        events = [start("a"), end("a", "failed"), prepared("b", "unreachable")]
        self.assertEqual(self._alone(*events, attempt=2), ["a", "b"])

    def test_a_refused_host_gets_no_second_try(self):
        self.assertEqual(self._alone(prepared("a", "refused"), start("b"), end("b"), attempt=2), [])

    def test_a_bad_result_gets_one_second_try(self):
        first = [start("a"), end("a"), start("b"), end("b")]
        second = [start("a", attempt=2), end("a", attempt=2)]
        self.assertEqual(self._alone(*first, attempt=2, bad=["a"]), ["a"])
        self.assertEqual(self._alone(*first, *second, attempt=2, bad=["a"]), [])

    def test_together_are_all_machines_of_hypervisors_with_at_least_two(self):
        self.assertEqual(self._together(), ["a1", "a2"])

    def test_a_machine_that_is_not_ready_does_not_count_for_together(self):
        self.assertEqual(self._together(prepared("a2", "refused")), [])

    def test_together_is_measured_once(self):
        events = [event for host in ("a1", "a2") for event in (start(host, "together"), end(host, phase="together"))]
        self.assertEqual(self._together(*events), [])

    def test_an_interrupted_phase_together_only_collects_what_was_started(self):
        events = [start("a1", "together"), end("a1", phase="together"), start("a2", "together")]
        self.assertEqual(self._together(*events), ["a2"])
        self.assertEqual(self._together(start("a1", "together")), ["a1"])


if __name__ == "__main__":
    unittest.main()
