"""Tests of the suite on the controller. Small scripts stand for Run."""

from __future__ import absolute_import, annotations, division, print_function

import os
import tarfile
import tempfile
import types
import unittest

from ansible_collections.unixbench.fleet.plugins.plugin_utils import suite
from ansible_collections.unixbench.fleet.plugins.plugin_utils.suite import SuiteError


class SuiteTest(unittest.TestCase):
    """The suite comes from a path or an archive."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = place.name

    def _script(self, text, name="Run"):
        path = os.path.join(self.place, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\n" + text)
        os.chmod(path, 0o755)
        return path

    def _archive(self, *members):
        """Takes pairs of a name and a file; returns the path of an archive of them."""
        path = os.path.join(self.place, "release.tar.xz")
        with tarfile.open(path, "w:xz") as tar:
            for name, file in members:
                tar.add(file, name)
        return path

    def _run(self, *words, run="", release=(), **more):
        with suite.suite(types.SimpleNamespace(run=run, release=list(release))) as function:
            return function(*words, **more)

    def _refused(self, *words, **more):
        with self.assertRaises(SuiteError) as caught:
            self._run(*words, **more)
        return str(caught.exception)

    def test_words_reach_the_suite_as_they_are(self):
        done = self._run("a b", "$x", "*", run=self._script('printf "<%s>" "$@"'))
        self.assertEqual(done.stdout, "<a b><$x><*>")

    def test_the_first_archive_is_unpacked_and_removed_afterwards(self):
        archive = self._archive(("unixbench-1/Run", self._script('echo "$0"')), ("unixbench-1/lib/x", "/dev/stdin"))
        path = self._run(release=[archive, "/nowhere"]).stdout.strip()
        self.assertTrue(path.endswith("/unixbench-1/Run"))
        self.assertFalse(os.path.exists(path))

    def test_members_outside_of_the_archive_are_left_out(self):
        script = self._script("echo it ran")
        archive = self._archive(("x/Run", script), ("../../outside", script), ("x/../../outside", script))
        self.assertEqual(self._run(release=[archive]).stdout, "it ran\n")
        self.assertFalse(os.path.exists(os.path.join(os.path.dirname(self.place), "outside")))

    def test_without_an_archive_the_variable_is_named(self):
        self.assertRegex(self._refused(), r"\Aunixbench_release: expected the path of an archive")

    def test_another_file_than_an_archive_is_refused(self):
        script = self._script("")
        self.assertRegex(self._refused(release=[script]), rf"\Aunixbench_release: {script}: ")
        other = self._archive(("x/notes", script))
        self.assertRegex(self._refused(release=[other]), rf"\Aunixbench_release: {other} has no Run: ")

    def test_a_torn_archive_is_refused(self):
        archive = self._archive(("x/Run", self._script("# " + os.urandom(9999).hex())))
        os.truncate(archive, 3000)
        self.assertRegex(self._refused(release=[archive]), rf"\Aunixbench_release: {archive}: ")

    def test_an_unwanted_exit_status_gives_the_last_lines_of_standard_error(self):
        run = self._script("printf '%s\\n' 1 2 'Run: unknown option --x' 'See --help' >&2; exit 3")
        self.assertEqual(self._refused("--x", run=run), "2; Run: unknown option --x; See --help")
        self.assertEqual(self._run("--x", run=run, statuses=(0, 3)).returncode, 3)

    def test_a_silent_failure_has_a_message(self):
        run = self._script("exit 7")
        self.assertEqual(self._refused("fleet", run=run), f"{run} fleet ended with status 7")

    def test_a_file_that_cannot_be_started_is_named(self):
        path = self._script("")
        os.chmod(path, 0o644)
        self.assertEqual(self._refused("x", run=path), f"{path}: Permission denied")

    def test_the_time_of_a_run_is_that_of_all_its_parts(self):
        for text, seconds in (
            ("1 parallel copy of tests, 28 min\n  pipe  Pipe  10 x 10 s\n", 28 * 60),
            ("1 copy, 2 min\n  pipe  10 x 10 s\n2 copies, 2 min\n  pipe  10 x 10 s\nIn all about 4 min\n", 240),
            ("1 copy, rounds of 1 s until +-1 %, at most 50 s\n  pipe  1 s\nIn all at most 50 s\n", 50),
            ("In all about 198 h 39 min\n", 198 * 3600 + 39 * 60),
            ("In all about 3 h\n", 3 * 3600),
        ):
            with self.subTest(text=text):
                script = self._script(f"cat << 'END'\n{text}END\n")
                with suite.suite(types.SimpleNamespace(run=script, release=[])) as run:
                    self.assertEqual(suite.seconds(run, ["pipe"], []), seconds)

    def test_refused_words_name_the_variables_that_have_them(self):
        script = self._script("echo 'Run: unknown test pip' >&2; exit 2")
        with suite.suite(types.SimpleNamespace(run=script, release=[])) as run:
            with self.assertRaises(SuiteError) as caught:
                suite.seconds(run, ["pip"], [])
        self.assertEqual(str(caught.exception),
                         "unixbench_tests, unixbench_options or unixbench_require: Run: unknown test pip")

    def test_the_plan_is_asked_for_with_the_requirements(self):
        script = self._script('echo "$*" > "$0.words"; echo In all about 1 min')
        with suite.suite(types.SimpleNamespace(run=script, release=[])) as run:
            suite.seconds(run, ["-c", "1", "pipe"], ["index >= 5"])
        with open(script + ".words", encoding="utf-8") as file:
            self.assertEqual(file.read(), "--dry-run -c 1 pipe --require index >= 5\n")


if __name__ == "__main__":
    unittest.main()
