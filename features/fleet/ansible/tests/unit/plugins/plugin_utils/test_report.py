"""Tests of the list of machines, and of the words about the reports. A function stands for the suite."""

from __future__ import absolute_import, annotations, division, print_function

import csv
import json
import os
import tempfile
import types
import unittest

from ansible_collections.unixbench.fleet.plugins.plugin_utils import report
from ansible_collections.unixbench.fleet.plugins.plugin_utils.history import History

PASS = {"host": "a", "outcome": "measured", "verdict": "PASS", "accepted": True, "findings": []}
FAIL = {"host": "b", "outcome": "measured", "verdict": "FAIL", "accepted": False, "findings": []}
OPEN = {"host": "o", "outcome": "measured", "verdict": "INCONCLUSIVE", "accepted": False, "findings": []}
DOWN = {"host": "c", "outcome": "unreachable", "accepted": False, "findings": []}
SLOW = {"host": "d", "outcome": "measured", "accepted": True, "findings": [{"is": "noisy"}, {"is": "slow"}]}
FAST = {"host": "e", "outcome": "measured", "accepted": True, "findings": [{"is": "fast"}]}
APART = {"host": "f", "outcome": "measured", "verdict": "PASS", "accepted": False, "findings": []}


class Suite:
    """Writes the hosts as the suite does, and keeps the words that it gets."""

    def __init__(self, *hosts):
        self.hosts = hosts
        self.words = None

    def __call__(self, *words, statuses):
        self.words = list(words)
        for option, path in zip(words, words[1:]):
            if option in ("--html", "--json", "--junit", "--verdict"):
                with open(path, "w", encoding="utf-8") as file:
                    json.dump({"hosts": self.hosts}, file)
        return types.SimpleNamespace(stdout="the table\n", returncode=statuses[0])


class ReportTest(unittest.TestCase):
    """The files in the directory of results."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.directory = place.name

    def _write_list(self, events, hosts, shares=None):
        return report.write_list(self.directory, History(events, lambda event: True), hosts, shares or {})

    def _rows(self):
        with open(os.path.join(self.directory, "machines.csv"), newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_the_list_has_each_host_of_the_inventory_and_of_the_record(self):
        self._write_list([{"event": "prepared", "host": "old", "outcome": "refused", "reason": "No Perl."}], ["b", "a"])
        self.assertEqual([row["host"] for row in self._rows()], ["a", "b", "old"])

    def test_a_line_has_all_columns(self):
        events = [{"event": "end", "host": "a", "phase": "alone", "attempt": 1, "outcome": "measured",
                   "result": "a/alone-1.json"}]
        self._write_list(events, ["a"], {"a": "hv1"})
        self.assertEqual(self._rows(), [{"host": "a", "shares": "hv1", "phase": "alone", "try": "1",
                                         "outcome": "measured", "reason": "", "result": "a/alone-1.json"}])

    def test_hostile_names_and_reasons_stay_in_one_line_each(self):
        host, reason = 'a,"b', 'It said "no",\nand\r\ttwice.'
        self._write_list([{"event": "prepared", "host": host, "outcome": "failed", "reason": reason}], [host])
        (row,) = self._rows()
        self.assertEqual((row["host"], row["reason"]), (host, 'It said "no", and twice.'))

    def test_an_equal_list_is_not_a_change(self):
        self.assertTrue(self._write_list([], ["a"]))
        self.assertFalse(self._write_list([], ["a"]))
        self.assertTrue(self._write_list([], ["a", "b"]))

    def test_equal_reports_are_not_a_change(self):
        self.assertTrue(report.write_reports(self.directory, Suite(PASS), [])[0])
        self.assertFalse(report.write_reports(self.directory, Suite(PASS), [])[0])
        self.assertTrue(report.write_reports(self.directory, Suite(FAIL), [])[0])

    def test_the_suite_gets_the_list_the_requirements_and_a_path_for_each_report(self):
        suite = Suite(PASS)
        report.write_reports(self.directory, suite, ["index >= 5", "pipe > 1"])
        self.assertEqual(suite.words[:2], ["fleet", os.path.join(self.directory, "machines.csv")])
        self.assertEqual(suite.words[-4:], ["--require", "index >= 5", "--require", "pipe > 1"])
        files = {"fleet.html", "fleet.json", "junit.xml", "verdicts", "fleet.txt"}
        self.assertLessEqual(files, set(os.listdir(self.directory)))

    def test_the_summary_counts_what_is_not_accepted(self):
        page = os.path.join(self.directory, "fleet.html")
        for hosts, accepted, line in (
            ([PASS, SLOW], True, "2 of 2 machines were accepted"),
            ([PASS, DOWN], False, "1 of 2 machines was not accepted (1 unreachable)"),
            ([FAIL, DOWN, DOWN, PASS], False, "3 of 4 machines were not accepted (1 FAIL, 2 unreachable)"),
            ([APART], False, "1 of 1 machines was not accepted (1 not measured together)"),
        ):
            summary = report.write_reports(self.directory, Suite(*hosts), [])[1]
            self.assertEqual((summary["accepted"], summary["summary"]), (accepted, f"{line}: {page}"))

    def test_a_long_table_ends_with_the_number_of_the_other_machines(self):
        names = [f"node {number}" for number in range(1000)]
        head = ["1000 hosts: 999 PASS, 1 FAIL", "", "Not accepted", "1000. node 0  5  FAIL", "   node 7: slow", ""]
        rows = [f"{place}. {name}  5  PASS" for place, name in enumerate(names[1:-1], 1)] + [names[-1], "   no value"]
        lines = report.table("\n".join(head + rows), names, "results/fleet.txt")
        self.assertEqual(lines, [*head, *rows[:54], "945 more in results/fleet.txt"])
        self.assertEqual(report.table("\n".join(rows[:60]), names, "x"), rows[:60])
        self.assertEqual(report.table("\n".join(rows[:61]), names[1:61], "x"), [*rows[:60], "More is in x"])

    def test_texts_that_a_spreadsheet_would_take_for_formulas_begin_with_an_apostrophe(self):
        events = [{"event": "prepared", "host": "=1+2", "outcome": "failed", "reason": "@SUM(A1:A9)"}]
        self._write_list(events, ["=1+2"], {"=1+2": "-hv"})
        (row,) = self._rows()
        self.assertEqual((row["host"], row["reason"], row["shares"]), ("'=1+2", "'@SUM(A1:A9)", "'-hv"))

    def test_each_host_that_is_not_accepted_has_its_reason(self):
        hosts = [PASS, dict(DOWN, reason="No route."), OPEN, APART]
        rejected = report.write_reports(self.directory, Suite(*hosts), [])[1]["rejected"]
        self.assertEqual(rejected, {"c": "unreachable: No route.", "o": "INCONCLUSIVE", "f": "not measured together"})

    def test_hosts_that_fail_are_inconclusive_or_slow_are_suspects(self):
        suite = Suite(PASS, FAIL, OPEN, DOWN, SLOW, FAST, APART)
        hosts = report.judged(self.directory, suite, ["index >= 5"])
        self.assertEqual(report.suspects(hosts), ["b", "o", "d"])
        self.assertEqual(suite.words[-2:], ["--require", "index >= 5"])
        self.assertEqual(os.listdir(self.directory), [])


if __name__ == "__main__":
    unittest.main()
