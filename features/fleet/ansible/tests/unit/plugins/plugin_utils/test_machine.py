"""Tests of what happens with a host before and after its runs."""

from __future__ import absolute_import, annotations, division, print_function

import os
import time
import unittest

from ansible_collections.unixbench.fleet.plugins.plugin_utils.history import History
from ansible_collections.unixbench.fleet.plugins.plugin_utils.machine import Machine, name_problem
from ansible_collections.unixbench.fleet.plugins.plugin_utils.release import Release
from ansible_collections.unixbench.fleet.plugins.plugin_utils.talk import NoShell, Refusal, Unreachable
from ansible_collections.unixbench.fleet.tests.unit.plugins.plugin_utils.fake_host import HostTest


class PrepareTest(HostTest):
    """Install, and the doctor."""

    def test_a_release_is_installed_once(self):
        self.assert_outcome(self.machine.install(), "ready", "unixbench-1-x86_64.tar.xz was installed", True)
        self.assert_outcome(self.machine.install(), "ready")
        self.assertEqual(self.host.operations(), ["look", "install", "look"])
        self.assertEqual(self.events(), [("prepared", "ready")] * 2)

    def test_an_older_release_is_replaced(self):
        self.host.installed = {"release": "0" * 64, "files": "1" * 64}
        self.assert_outcome(self.machine.install(), "ready", "was installed", True)

    def test_an_older_release_is_left_alone_during_a_run(self):
        self.host.installed = {"release": "0" * 64, "files": "1" * 64}
        self.host.look["running"] = "alone-1"
        self.host.next["look"] = [{"running": "alone-1 "}]
        self.assert_outcome(self.machine.install(), "refused", "A run of another release is under way")

    def test_another_binary_is_refused_with_its_path(self):
        self.machine.install()
        self.host.next["look"] = [{"files": "1" * 64, "changed": ["", "./pgms/pipe"]}]
        self.assert_outcome(self.machine.install(), "refused", "Another binary: ./pgms/pipe is not that of unixbench-1")

    def test_other_files_after_the_installation_are_refused(self):
        self.host.next["install"] = [{"files": "1" * 64}]
        self.assert_outcome(self.machine.install(), "refused", "Another binary")

    def test_a_host_without_perl_is_refused(self):
        self.host.look["perl"] = ""
        self.assert_outcome(self.machine.install(), "refused", "There is no Perl; install Perl 5.14")
        self.assertEqual(self.host.operations(), ["look"])

    def test_an_old_perl_is_refused(self):
        self.host.look["perl"] = "5.8.8 0"
        self.assert_outcome(self.machine.install(), "refused", "Perl 5.8.8 is too old")

    def test_an_architecture_without_an_archive_is_refused(self):
        self.host.look["architecture"] = "riscv64"
        self.assert_outcome(self.machine.install(), "refused", "No archive of unixbench_release is for riscv64")

    def test_the_archive_of_the_architecture_is_sent(self):
        self.settings.release.append(self.archive_for("aarch64"))
        self.host.look["architecture"] = "aarch64"
        self.machine.install()
        self.assertEqual(self.host.installed["release"], Release(self.settings.release[1]).sha256())

    def test_a_host_without_xz_gets_the_unpacked_archive(self):
        self.host.look["unpacks"] = "tar"
        self.assert_outcome(self.machine.install(), "ready", "was installed", True)
        self.assertEqual(self.host.asked[1][1:3], (Release(self.release).sha256(), "tar"))
        self.assertEqual(self.host.installed["files"], Release(self.release).files())

    def test_a_torn_archive_is_sent_again(self):
        self.host.next["install"] = [Unreachable("Lost."), Refusal("The archive was torn on its way.")]
        self.assert_outcome(self.machine.install(), "ready", "was installed", True)
        self.assertEqual(self.host.operations().count("install"), 3)

    def test_a_full_disk_is_a_failure(self):
        self.host.next["install"] = [Refusal("Can't write: No space left on device.")]
        self.assert_outcome(self.machine.install(), "failed", "No space left on device")
        self.assertEqual(self.events(), [("prepared", "failed")])

    def test_an_unreachable_host_is_recorded(self):
        self.host.next["look"] = [Unreachable("No connection: ssh: No route to host.")]
        self.assert_outcome(self.machine.install(), "unreachable", "No route to host")
        self.assertEqual(self.events(), [("prepared", "unreachable")])

    def test_a_directory_of_another_program_is_a_refusal(self):
        self.host.next["look"] = [Refusal("/x has files of another program.")]
        self.assert_outcome(self.machine.install(), "refused", "/x has files of another program")

    def test_a_shell_that_can_not_become_the_user_is_a_refusal(self):
        self.host.next["look"] = [NoShell("The shell gave no answer: sudo: not found.")]
        self.assert_outcome(self.machine.install(), "refused", "sudo: not found")

    def test_a_clock_that_is_off_is_recorded(self):
        for ahead, clock in ((172_800, 172_800), (-60, -60), (1, None)):
            with self.subTest(ahead):
                self.host.ahead = ahead
                self.machine.install()
                self.assertAlmostEqual(self.record.events()[-1].get("clock") or 0, clock or 0, delta=5)

    def test_a_clock_that_is_off_is_known_after_the_doctor(self):
        for ahead, words in ((172_800, "The clock of the machine is 2 days ahead."), (0, "")):
            self.host.ahead = ahead
            self.machine.install()
            # Each operation has a process and an object of its own.
            Machine(self.machine.host, self.machine.settings, self.machine.talk, self.record).doctor()
            self.assertEqual(History(self.record.events(), bool).clock(self.machine.host), words)

    def test_a_clock_that_is_not_a_number_is_a_refusal(self):
        self.host.look["clock"] = "nan"
        self.host.next["look"] = [{"clock": "nan"}]
        self.assert_outcome(self.machine.install(), "refused", "clock=nan, which is not a plain number")

    def test_check_mode_changes_nothing(self):
        self.assert_outcome(self.machine.install(True), "ready", "unixbench-1-x86_64.tar.xz would be installed", True)
        self.assertEqual(self.host.operations(), ["look"])
        self.assertFalse(os.path.exists(self.settings.results))

    def test_check_mode_asks_the_doctor_if_a_release_is_there(self):
        self.machine.install()
        result = self.machine.doctor(True)
        self.assert_outcome(result, "ready")
        self.assertEqual(result["plan"], ["In all 1 s"])
        self.assertEqual(self.events(), [("prepared", "ready")])

    def test_the_doctor_gets_the_words_of_the_run(self):
        self.machine.doctor()
        self.assertEqual(self.host.asked, [("doctor", "-q", "-c", "1", "index"), ("plan", "-c", "1", "index")])

    def test_the_strict_doctor_refuses(self):
        self.settings.strict = True
        said = ["Plan: 1 test.", "", "Worth knowing", "   Turbo.", "", "Obstacles", "   There is no", "     locale.",
                "      Why: x.", "", "1 problem: missing locale."]
        self.host.next["doctor"] = [{"status": 4, "said": said}]
        self.assert_outcome(self.machine.doctor(), "refused",
                            "The doctor refuses: 1 problem: missing locale. There is no locale.")
        self.assertIn("--strict", self.host.asked[0])

    def test_words_that_the_suite_refuses_refuse_the_host(self):
        self.host.next["plan"] = [{"status": 2, "said": ['Run: unknown test "pip"']}]
        self.assert_outcome(self.machine.doctor(), "refused", 'The suite refuses: Unknown test "pip"')

    def test_names_that_are_no_names_of_directories_are_refused(self):
        refused = ["", ".", "..", ".x", "a/b", "/a", "a\nb", "x" * 300, "machines.csv", "record.jsonl",
                   "fleet.html.new", "fleet.html.4711.new"]
        self.assertEqual([name for name in refused if not name_problem(name)], [])
        accepted = ["a", "a.example.org", "fe80::1%eth0", "-a", "a b", "\u00e4", "fleet", "record"]
        self.assertEqual([name for name in accepted if name_problem(name)], [])


class OtherTest(HostTest):
    """Clean-up and programs."""

    def test_a_cleanup_ends_the_runs_of_the_record(self):
        self.runs.start("alone", 1)
        self.assert_outcome(self.machine.cleanup(self.runs), "ready", changed=True)
        self.assertEqual(self.events()[-1], ("end", "failed"))
        self.assertIsNone(self.record.busy("b", "hv", 100, time.time()))

    def test_a_cleanup_of_nothing_changes_nothing(self):
        self.host.next["cleanup"] = [{"removed": "no"}]
        self.assert_outcome(self.machine.cleanup(self.runs), "ready")

    def test_check_mode_removes_nothing(self):
        self.assert_outcome(self.machine.cleanup(self.runs, True), "ready", "The directory would be removed", True)
        self.assertEqual(self.host.operations(), ["look"])

    def test_an_unreachable_host_is_not_cleaned_up(self):
        self.runs.start("alone", 1)
        self.host.next["cleanup"] = [Unreachable("Down.")]
        self.assert_outcome(self.machine.cleanup(self.runs), "unreachable", "Down")
        self.assertEqual(self.events(), [("start", None)])

    def test_programs_run_without_perl(self):
        self.host.look["perl"] = ""
        self.host.next["programs"] = [{"spawn": ["", "ERROR|no processes", "ERROR|ended with status 1"]}]
        result = self.machine.programs()
        self.assert_outcome(result, "ready", changed=True)
        self.assertEqual(result["lines"][0].split(), ["dhry2reg", "5000", "in", "5", "s"])
        self.assertEqual(result["lines"][-1].split()[0], "spawn")


if __name__ == "__main__":
    unittest.main()
