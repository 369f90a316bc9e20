"""Tests of the variables of the role."""

from __future__ import absolute_import, annotations, division, print_function

import os
import tempfile
import unittest

from ansible_collections.unixbench.fleet.plugins.plugin_utils import settings
from ansible_collections.unixbench.fleet.plugins.plugin_utils.settings import SettingError

# Values that are accepted, and what becomes of them.
ACCEPTED = [
    ("tests", "pipe  syscall", ["pipe", "syscall"]),
    ("tests", ["pipe"], ["pipe"]),
    ("options", "--quick -c 1", ["--quick", "-c", "1"]),
    ("options", ["-c", 1], ["-c", "1"]),
    ("require", "index >= 1500", ["index >= 1500"]),
    ("require", ["index >= 1500", "pipe > 3"], ["index >= 1500", "pipe > 3"]),
    ("require", "", []),
    ("shares", "hv 7", "hv 7"),
    ("shares", 7, "7"),
    ("seed", 7, "7"),
    ("seed", "monday", "monday"),
    ("together", "yes", True),
    ("together", "False", False),
    ("second_try", False, False),
    ("strict", "1", True),
    ("time_limit", "90", 90),
    ("time_limit", "", None),
    ("poll", 0.5, 0.5),
    ("most", "40", 40),
    ("again", "web1 web2", ["web1", "web2"]),
    ("directory", "/var/tmp/x/", "/var/tmp/x"),
    ("results", "/tmp/../tmp/r", "/tmp/r"),
    ("release", "", []),
    ("seed", None, "1"),
]

# Wrong values, and the end of the message.
REFUSED = [
    ("tests", 7, "expected a list, not 7"),
    ("tests", ["pipe", "--quick"], "--quick is an option: put it into unixbench_options"),
    ("tests", [["pipe"]], "expected a number, not ['pipe']"),
    ("options", {"quick": True}, "expected a list, not {'quick': True}"),
    ("together", "perhaps", "expected true or false, not 'perhaps'"),
    ("time_limit", 0, "expected seconds, more than 0 and at most a year, not 0"),
    ("time_limit", -5, "expected seconds, more than 0 and at most a year, not -5"),
    ("time_limit", "nan", "expected a number, not 'nan'"),
    ("time_limit", "inf", "expected a number, not 'inf'"),
    ("poll", "1_0", "expected a number, not '1_0'"),
    ("poll", "\u0663", "expected a number, not '\u0663'"),
    ("poll", float("nan"), "expected a number, not nan"),
    ("most", 1.5, "expected a whole number, not 1.5"),
    ("most", -1, "expected a whole number, not -1"),
    ("shares", ["hv1", "hv2"], "expected the name of one hypervisor, not ['hv1', 'hv2']"),
    ("shares", True, "expected the name of one hypervisor, not True"),
    ("poll", "often", "expected a number, not 'often'"),
    ("poll", True, "expected a number, not True"),
    ("directory", "here", "expected an absolute path below another directory, not 'here'"),
    ("directory", "/", "expected an absolute path below another directory, not '/'"),
    ("directory", "/tmp", "expected an absolute path below another directory, not '/tmp'"),
    ("directory", "/tmp/x/..", "expected an absolute path below another directory, not '/tmp/x/..'"),
    ("results", "", "expected the path of a directory"),
    ("results", "/dev/null", "/dev/null is not a directory"),
    ("release", "/nowhere/x.tar.xz", "there is no file /nowhere/x.tar.xz"),
    ("run", "/nowhere/Run", "there is no file /nowhere/Run"),
    ("shares_file", "/nowhere/hv.csv", "there is no file /nowhere/hv.csv"),
]


class ValuesTest(unittest.TestCase):
    """Values of variables."""

    def test_usual_values_of_each_type_are_accepted(self):
        for short, value, expected in ACCEPTED:
            with self.subTest(variable=short, value=value):
                self.assertEqual(getattr(settings.read({f"unixbench_{short}": value}), short), expected)

    def test_a_wrong_value_is_refused_with_the_name_of_the_variable(self):
        for short, value, message in REFUSED:
            with self.subTest(variable=short, value=value):
                with self.assertRaises(SettingError) as caught:
                    settings.read({f"unixbench_{short}": value})
                self.assertEqual(str(caught.exception), f"unixbench_{short}: {message}")

    def test_relative_paths_begin_at_the_directory_in_which_ansible_runs(self):
        self.assertEqual(settings.read({}).results, os.path.join(os.getcwd(), "unixbench-results"))

    def test_all_variables_have_a_default_that_is_accepted(self):
        self.assertEqual({f"unixbench_{name}" for name in vars(settings.read({}))}, set(settings.defaults()))


class NamesTest(unittest.TestCase):
    """Names of variables."""

    def test_known_names_and_those_of_others_are_accepted(self):
        settings.check_names(["unixbench_seed", "ansible_host", "unixbenchx", "_unixbench_wave"])

    def test_a_misspelt_name_gets_a_suggestion(self):
        with self.assertRaises(SettingError) as caught:
            settings.check_names(["unixbench_seed", "unixbench_test"])
        self.assertEqual(str(caught.exception), "unixbench_test: unknown variable (did you mean unixbench_tests?)")

    def test_another_unknown_name_is_refused_too(self):
        with self.assertRaises(SettingError) as caught:
            settings.check_names(["unixbench_xxxxxxxxxxxxxxxxxxxxxxxxxxxx"])
        self.assertRegex(str(caught.exception), r"\Aunixbench_xxxxxxxxxxxxxxxxxxxxxxxxxxxx: unknown variable \(README")


class ResultsProblemTest(unittest.TestCase):
    """An error of the controller's files in one line."""

    def test_a_file_is_named(self):
        problem = settings.results_problem(PermissionError(13, "Permission denied", "/results/record.jsonl"))
        self.assertEqual(problem, "unixbench_results: /results/record.jsonl: Permission denied")

    def test_an_error_without_a_file_is_that_of_the_controller(self):
        problem = settings.results_problem(OSError(24, "Too many open files"))
        self.assertEqual(problem, "The controller: Too many open files")


class HypervisorsTest(unittest.TestCase):
    """The file of hypervisors."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.path = os.path.join(place.name, "hv.csv")

    def _read(self, text):
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(text)
        return settings.hypervisors(self.path)

    def _refused(self, text):
        with self.assertRaises(SettingError) as caught:
            self._read(text)
        return str(caught.exception)

    def test_a_line_has_a_host_and_its_hypervisor(self):
        self.assertEqual(self._read("web1,hv1\nweb2, hv2\n\n"), {"web1": "hv1", "web2": "hv2"})

    def test_the_first_line_may_be_a_heading(self):
        self.assertEqual(self._read("host,hypervisor\nweb1,hv1\n"), {"web1": "hv1"})

    def test_a_spreadsheet_may_have_written_the_file(self):
        self.assertEqual(self._read('\ufeffhost,hypervisor\r\n"web,1",hv1\r\n'), {"web,1": "hv1"})

    def test_a_wrong_line_is_named_by_its_number(self):
        for line in ("web2", "web2,hv2,x", ",hv2"):
            self.assertEqual(self._refused(f"web1,hv1\n{line}\n"),
                             f"unixbench_shares_file: {self.path}, line 2: expected host,hypervisor")

    def test_a_host_with_two_hypervisors_is_refused(self):
        self.assertEqual(self._refused("a,hv1\nb,hv1\na,hv2\n"),
                         f"unixbench_shares_file: {self.path}, line 3: a has another hypervisor in an earlier line")

    def test_a_file_that_is_no_text_is_refused(self):
        with open(self.path, "wb") as file:
            file.write(b"\xff\xfe\x00")
        with self.assertRaises(SettingError) as caught:
            settings.hypervisors(self.path)
        self.assertTrue(str(caught.exception).startswith(f"unixbench_shares_file: {self.path}: "))


if __name__ == "__main__":
    unittest.main()
