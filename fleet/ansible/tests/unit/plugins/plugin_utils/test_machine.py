"""Tests of the operations on one host. An object stands for the talk with it."""

from __future__ import absolute_import, annotations, division, print_function

import hashlib
import io
import os
import tarfile
import tempfile
import time
import types
import unittest

from ansible_collections.unixbench.fleet.plugins.plugin_utils import machine
from ansible_collections.unixbench.fleet.plugins.plugin_utils.machine import Machine, name_problem
from ansible_collections.unixbench.fleet.plugins.plugin_utils.record import Record
from ansible_collections.unixbench.fleet.plugins.plugin_utils.release import Release
from ansible_collections.unixbench.fleet.plugins.plugin_utils.talk import Answer, Refusal, Unreachable

JSON = b'{"format":"unixbench-result"}\n'


class Host:
    """A host that answers like host.sh. What it does next can be given: a list for each operation.

    An exception in the list is raised, a dictionary adds or replaces lines of the usual answer, and a function returns one
    of both when it is called.
    """

    def __init__(self, ahead=0):
        self.asked = []
        self.next = {}
        self.ahead = ahead
        self.installed = {}
        self.runs = {}
        self.look = {"architecture": "x86_64", "perl": "5.36.0 1", "unpacks": "xz"}

    def ask(self, operation, *words, data=b"\n", limit=None):
        """Does what Talk.ask does."""
        self.asked.append((operation, *words))
        special = self.next.get(operation, []).pop(0) if self.next.get(operation) else {}
        if callable(special):
            special = special()
        if isinstance(special, Exception):
            raise special
        lines = dict(getattr(self, f"_{operation}")(*words, data=data), **special)
        return Answer([f"{name}={line}" for name, value in lines.items()
                       for line in (value if isinstance(value, list) else [value])])

    def operations(self):
        """Returns the names of all operations that were asked for."""
        return [asked[0] for asked in self.asked]

    def _look(self, data):
        return dict(self.look, running="", **self.installed)

    def _install(self, sha256, packing, sent, data):
        if hashlib.sha256(data).hexdigest() != sent:
            raise Refusal("The archive was torn on its way.")
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:xz" if packing == "xz" else "r:") as archive:
            lines = sorted((f"./{member.name.partition('/')[2]}", archive.extractfile(member).read()) for member in archive)
        text = "".join(f"{hashlib.sha256(content).hexdigest()}  {path}\n" for path, content in lines)
        self.installed = {"release": sha256, "files": hashlib.sha256(text.encode()).hexdigest()}
        return {"files": self.installed["files"]}

    def _doctor(self, *words, data):
        return {"status": 0, "said": "Ready."}

    def _plan(self, *words, data):
        return {"status": 0, "said": "In all 1 s"}

    def _start(self, name, at, limit, *words, data):
        self.runs[name] = "ended"
        return {"state": "running"}

    def _state(self, name, data):
        state = self.runs.get(name, "none")
        lines = {"state": state, "clock": time.time() + self.ahead, "has_result": "no"}
        if state == "ended":
            lines.update(how="ended", status=0, signal=0, has_result="yes", began=time.time(), ended=time.time())
        return lines

    def _result(self, name, data):
        text = JSON.decode()
        return {"sha256": hashlib.sha256(JSON).hexdigest(), "bytes": len(JSON), "json": text.split("\n")}

    def _stop(self, name, data):
        return {"state": "ended"}

    def _programs(self, seconds, *names, data):
        return {name: f"COUNT|{seconds}000|1|lps" for name in names}

    def _cleanup(self, data):
        return {"removed": "yes"}


class MachineTest(unittest.TestCase):
    """The host a, with a directory of results of its own."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = place.name
        self.release = self._archive("x86_64")
        self.settings = types.SimpleNamespace(
            release=[self.release], results=os.path.join(self.place, "results"), tests=["index"], options=["-c", "1"],
            require=[], strict=False, time_limit=100, poll=0.001)
        self.record = Record(self.settings.results)
        self.host = Host()
        self.machine = Machine("a", self.settings, "hv", self.host, self.record)

    def _archive(self, architecture):
        path = os.path.join(self.place, f"unixbench-1-{architecture}.tar.xz")
        with tarfile.open(path, "w:xz") as archive:
            member = tarfile.TarInfo(f"unixbench-1-{architecture}/Run")
            member.size = 2
            archive.addfile(member, io.BytesIO(b"#!"))
        return path

    def _events(self):
        return [(event["event"], event.get("outcome")) for event in self.record.events()]

    def assert_outcome(self, result, outcome, reason="", changed=False):
        """Tests an outcome. The reason may be a part of the sentence."""
        self.assertEqual((result["outcome"], result["changed"]), (outcome, changed), result)
        self.assertIn(reason, result["reason"])
        self.assertEqual(reason == "", result["reason"] == "", result["reason"])


class PrepareTest(MachineTest):
    """Install, and the doctor."""

    def test_a_release_is_installed_once(self):
        self.assert_outcome(self.machine.install(), "ready", "unixbench-1-x86_64.tar.xz was installed", True)
        self.assert_outcome(self.machine.install(), "ready")
        self.assertEqual(self.host.operations(), ["look", "install", "look"])
        self.assertEqual(self._events(), [("prepared", "ready")] * 2)

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
        self.assert_outcome(self.machine.prepare(), "refused", "There is no Perl; install Perl 5.14")
        self.assertEqual(self.host.operations(), ["look"])

    def test_an_old_perl_is_refused(self):
        self.host.look["perl"] = "5.8.8 0"
        self.assert_outcome(self.machine.install(), "refused", "Perl 5.8.8 is too old")

    def test_an_architecture_without_an_archive_is_refused(self):
        self.host.look["architecture"] = "riscv64"
        self.assert_outcome(self.machine.install(), "refused", "No archive of unixbench_release is for riscv64")

    def test_the_archive_of_the_architecture_is_sent(self):
        self.settings.release.append(self._archive("aarch64"))
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
        self.assert_outcome(self.machine.prepare(), "failed", "No space left on device")
        self.assertEqual(self._events(), [("prepared", "failed")])

    def test_an_unreachable_host_is_recorded(self):
        self.host.next["look"] = [Unreachable("No connection: ssh: No route to host.")]
        self.assert_outcome(self.machine.prepare(), "unreachable", "No route to host")
        self.assertEqual(self._events(), [("prepared", "unreachable")])

    def test_a_directory_of_another_program_is_a_refusal(self):
        self.host.next["look"] = [Refusal("/x has files of another program.")]
        self.assert_outcome(self.machine.install(), "refused", "/x has files of another program")

    def test_check_mode_changes_nothing(self):
        self.assert_outcome(self.machine.prepare(True), "ready", "unixbench-1-x86_64.tar.xz would be installed", True)
        self.assertEqual(self.host.operations(), ["look"])
        self.assertFalse(os.path.exists(self.settings.results))

    def test_check_mode_asks_the_doctor_if_a_release_is_there(self):
        self.machine.install()
        result = self.machine.prepare(True)
        self.assert_outcome(result, "ready")
        self.assertEqual(result["plan"], ["In all 1 s"])
        self.assertEqual(self._events(), [("prepared", "ready")])

    def test_the_doctor_gets_the_words_of_the_run(self):
        self.machine.doctor()
        self.assertEqual(self.host.asked, [("doctor", "-q", "-c", "1", "index"), ("plan", "-c", "1", "index")])

    def test_the_strict_doctor_refuses(self):
        self.settings.strict = True
        said = ["1 problem: 1 limits the result.", "", "Obstacles", "   No locale.", "      Why it matters: sorting."]
        self.host.next["doctor"] = [{"status": 4, "said": said}]
        self.assert_outcome(self.machine.doctor(), "refused", "The doctor refuses: 1 problem: 1 limits the result. No locale.")
        self.assertIn("--strict", self.host.asked[0])

    def test_words_that_the_suite_refuses_refuse_the_host(self):
        self.host.next["plan"] = [{"status": 2, "said": ['Run: unknown test "pip"']}]
        self.assert_outcome(self.machine.prepare(), "refused", 'The suite refuses: Unknown test "pip"', True)

    def test_names_that_are_no_names_of_directories_are_refused(self):
        refused = ["", ".", "..", ".x", "a/b", "/a", "a\nb", "x" * 300, "machines.csv", "record.jsonl", "fleet.html.new"]
        self.assertEqual([name for name in refused if not name_problem(name)], [])
        accepted = ["a", "a.example.org", "fe80::1%eth0", "-a", "a b", "\u00e4", "fleet", "record"]
        self.assertEqual([name for name in accepted if name_problem(name)], [])


class RunTest(MachineTest):
    """Start, wait and collect."""

    def _start_and_wait(self, phase="alone", attempt=1):
        self.assertEqual(self.machine.start(phase, attempt)["outcome"], "running")
        return self.machine.wait(phase, attempt)

    def _lost(self):
        """Starts a run whose controller is then killed; returns its name."""
        self.machine.start("alone", 1)
        self.host.asked.clear()
        return next(iter(self.host.runs))

    def test_a_host_is_measured(self):
        result = self._start_and_wait()
        self.assert_outcome(result, "measured", changed=True)
        self.assertEqual(result["result"], "a/alone-1.json")
        with open(os.path.join(self.settings.results, result["result"]), "rb") as file:
            self.assertEqual(file.read(), JSON)
        self.assertEqual(os.listdir(os.path.join(self.settings.results, "a")), ["alone-1.json"])
        self.assertEqual(self._events(), [("start", None), ("end", "measured")])
        self.assertEqual(self.record.last("a", "alone", 1)["result"], "a/alone-1.json")

    def test_a_host_with_a_result_is_not_asked_again(self):
        self._start_and_wait()
        self.host.asked.clear()
        for operation in (self.machine.start, self.machine.wait, self.machine.collect):
            self.assert_outcome(operation("alone", 1), "measured")
        self.assertEqual(self.host.asked, [])

    def test_a_host_whose_result_was_removed_is_measured_again(self):
        self._start_and_wait()
        os.remove(os.path.join(self.settings.results, "a/alone-1.json"))
        self.assert_outcome(self._start_and_wait(), "measured", changed=True)

    def test_each_run_has_a_name_of_its_own(self):
        self._start_and_wait()
        Machine("a", types.SimpleNamespace(**dict(vars(self.settings), results=self.place + "/2")), "hv", self.host,
                Record(self.place + "/2")).start("alone", 1)
        self.assertEqual(len(self.host.runs), 2)

    def test_run_gets_the_options_the_tests_and_the_limit(self):
        self.settings.require = ["index>=1500", "pipe>=0.95*good.json"]
        self.machine.start("alone", 1)
        start = self.host.asked[-1]
        self.assertEqual(start[2:], (0, 100, "-q", "--require", "index>=1500", "-c", "1", "index"))

    def test_a_run_starts_by_the_clock_of_the_host(self):
        self.host.ahead = 5000
        self.machine.start("together", 1, 1, time.time() + 100)
        self.assertAlmostEqual(float(self.host.asked[-1][2]), time.time() + 5100, delta=30)

    def test_a_late_start_says_so(self):
        self.assert_outcome(self.machine.start("together", 1, 1, time.time() - 50), "running", "The run began 50 s late", True)

    def test_a_host_that_is_down_was_not_started(self):
        self.host.next["state"] = [Unreachable("No connection: no route.")]
        self.assert_outcome(self.machine.start("alone", 1), "unreachable", "no route")
        self.assertEqual(self._events(), [("end", "unreachable")])

    def test_a_start_without_an_answer_is_found_out_by_waiting(self):
        self.host.next["start"] = [Unreachable("Lost.")]
        self.assert_outcome(self.machine.start("alone", 1), "running", "The start is not certain", True)
        self.assert_outcome(self.machine.wait("alone", 1), "measured", changed=True)
        self.assertEqual(self.host.operations().count("start"), 2)

    def test_another_run_on_the_host_is_a_failure(self):
        self.host.next["start"] = [Refusal("Another run is under way: x.")]
        self.assert_outcome(self.machine.start("alone", 1), "failed", "Another run is under way")
        self.assertEqual(self._events(), [("start", None), ("end", "failed")])

    def test_a_run_that_goes_on_is_found_by_another_controller(self):
        name = self._lost()
        self.host.runs[name] = "running"
        self.assert_outcome(self.machine.start("alone", 1), "running", "found again")
        self.host.next["state"] = [{}, lambda: self.host.runs.update({name: "ended"}) or {}]
        self.assert_outcome(self.machine.wait("alone", 1), "measured", changed=True)
        self.assertNotIn("start", self.host.operations())

    def test_a_run_that_has_ended_meanwhile_is_collected(self):
        self._lost()
        self.assert_outcome(self.machine.collect("alone", 1), "measured", changed=True)

    def test_a_run_that_goes_on_is_not_collected(self):
        self.host.runs[self._lost()] = "running"
        self.assert_outcome(self.machine.collect("alone", 1), "running", "has not ended yet")
        self.assertEqual(self._events(), [("start", None)])

    def test_an_interrupted_run_is_resumed(self):
        name = self._lost()
        self.host.runs[name] = "interrupted"
        self.assert_outcome(self.machine.wait("alone", 1), "measured", changed=True)
        self.assertEqual([asked[1] for asked in self.host.asked if asked[0] == "start"], [name])

    def test_an_interrupted_run_is_resumed_by_the_next_start(self):
        name = self._lost()
        self.host.runs[name] = "interrupted"
        self.assert_outcome(self.machine.start("alone", 1), "running", changed=True)
        self.assertEqual(list(self.host.runs), [name])

    def test_a_run_that_is_always_interrupted_has_failed(self):
        self.machine.start("alone", 1)
        self.host.next["state"] = [{"state": "interrupted", "said": "Run: no space left"}] * 9
        self.assert_outcome(self.machine.wait("alone", 1), "failed", "interrupted 4 times; its last message: No space left")
        self.assertEqual(self.host.operations().count("start"), 4)

    def test_a_rebooting_host_is_waited_for(self):
        self.machine.start("alone", 1)
        self.host.next["state"] = [Unreachable("Down.")] * (machine.SILENT_POLLS - 1)
        self.assert_outcome(self.machine.wait("alone", 1), "measured", changed=True)

    def test_a_host_that_stays_silent_is_unreachable(self):
        self.machine.start("alone", 1)
        self.host.next["state"] = [Unreachable("Down.")] * machine.SILENT_POLLS
        self.assert_outcome(self.machine.wait("alone", 1), "unreachable", "Down")
        self.assertEqual(self._events(), [("start", None), ("end", "unreachable")])

    def test_an_unreachable_run_is_found_again(self):
        name = self._lost()
        self.record.add("end", "a", phase="alone", attempt=1, outcome="unreachable", reason="Down.")
        self.assert_outcome(self.machine.start("alone", 1), "running", "found again")
        self.assert_outcome(self.machine.wait("alone", 1), "measured", changed=True)
        self.assertEqual(list(self.host.runs), [name])

    def test_a_run_without_an_end_is_stopped(self):
        self.settings.time_limit = -1000
        self.machine.start("alone", 1)
        self.host.runs = dict.fromkeys(self.host.runs, "running")
        self.assert_outcome(self.machine.wait("alone", 1), "failed", "its time limit")
        self.assertEqual(self.host.operations()[-1], "stop")

    def test_a_run_that_reached_its_limit_has_failed(self):
        self.machine.start("alone", 1)
        self.host.next["state"] = [{"how": "limit", "signal": 15}]
        self.assert_outcome(self.machine.wait("alone", 1), "failed", "The run was ended after 100 s, its time limit")

    def test_a_failed_test_has_a_result_and_a_reason(self):
        self.machine.start("alone", 1)
        said = ["Run: the locale is missing", 'Run: "Pipe": killed; aborting this test', "Run: FAIL index>=1: none"]
        self.host.next["state"] = [{"status": 1, "said": said}]
        result = self.machine.wait("alone", 1)
        self.assert_outcome(result, "failed", '"Pipe": killed; aborting this test')
        self.assertTrue(os.path.isfile(os.path.join(self.settings.results, result["result"])))

    def test_a_verdict_is_a_measurement(self):
        for status in (3, 4):
            with self.subTest(status):
                self.machine.start("alone", 1)
                self.host.next["state"] = [{"status": status}]
                self.assert_outcome(self.machine.wait("alone", 1), "measured", changed=True)
                os.remove(os.path.join(self.settings.results, "a/alone-1.json"))

    def test_a_run_without_a_result_says_why(self):
        self.machine.start("alone", 1)
        self.host.next["state"] = [{"status": 1, "has_result": "no", "said": ["Run: can't write: no space left"]}]
        self.assert_outcome(self.machine.wait("alone", 1), "failed", "The run has no result: Can't write: no space left.")

    def test_a_torn_result_is_asked_for_again(self):
        self.machine.start("alone", 1)
        self.host.next["result"] = [{"json": "{"}, Unreachable("Lost.")]
        self.assert_outcome(self.machine.wait("alone", 1), "measured", changed=True)
        self.assertEqual(self.host.operations().count("result"), 3)

    def test_a_result_that_is_always_torn_leaves_no_file(self):
        self.machine.start("alone", 1)
        self.host.next["result"] = [{"json": "{"}] * 3 * machine.SILENT_POLLS
        self.assert_outcome(self.machine.wait("alone", 1), "unreachable", "torn on its way")
        self.assertFalse(os.path.exists(os.path.join(self.settings.results, "a")))

    def test_a_second_try_finds_the_first_one(self):
        name = self._lost()
        self.host.runs[name] = "running"
        self.assert_outcome(self.machine.start("alone", 2), "running", f"The run {name} is under way")
        self.host.runs[name] = "ended"
        result = self.machine.wait("alone", 2)
        self.assert_outcome(result, "measured", changed=True)
        self.assertEqual(result["result"], "a/alone-1.json")

    def test_a_second_try_collects_the_first_one_that_has_ended(self):
        self._lost()
        self.assertEqual(self.machine.start("alone", 2)["result"], "a/alone-1.json")

    def test_a_second_try_ends_an_interrupted_first_one(self):
        name = self._lost()
        self.host.runs[name] = "interrupted"
        self.assert_outcome(self.machine.start("alone", 2), "running", changed=True)
        self.assertEqual(self.record.last("a", "alone", 1)["outcome"], "failed")
        self.assertNotEqual(self.host.asked[-1][1], name)


class SharingTest(MachineTest):
    """Two machines of one hypervisor."""

    def setUp(self):
        super().setUp()
        self.other = Machine("b", self.settings, "hv", Host(), self.record)

    def test_a_busy_hypervisor_is_waited_for(self):
        self.other.start("alone", 1)
        self.assert_outcome(self.machine.start("alone", 1), "running", "Another machine of the hypervisor may still measure")
        self.assertNotIn("start", self.host.operations())
        polls = [lambda: {}, lambda: {}, lambda: self.other.wait("alone", 1) and {}]
        self.host.next["state"] = polls
        self.assert_outcome(self.machine.wait("alone", 1), "measured", changed=True)
        self.assertEqual([(event["event"], event["host"]) for event in self.record.events()],
                         [("start", "b"), ("end", "b"), ("start", "a"), ("end", "a")])

    def test_an_interrupted_run_is_not_resumed_while_the_hypervisor_is_busy(self):
        self.machine.start("alone", 1)
        self.host.runs = dict.fromkeys(self.host.runs, "interrupted")
        self.record.add("start", "b", phase="alone", attempt=1, shares="hv", limit=1000)
        self.host.asked.clear()
        self.host.next["state"] = [{}] * 9 + [lambda: self.record.add(
            "end", "b", phase="alone", attempt=1, outcome="measured") or {}]
        self.assert_outcome(self.machine.wait("alone", 1), "measured", changed=True)
        self.assertEqual(self.host.operations()[:12], ["state"] * 10 + ["start", "state"])

    def test_machines_that_measure_together_do_not_wait(self):
        self.other.start("together", 1)
        self.assert_outcome(self.machine.start("together", 1), "running", changed=True)


class OtherTest(MachineTest):
    """Clean-up and programs."""

    def test_a_cleanup_ends_the_runs_of_the_record(self):
        self.machine.start("alone", 1)
        self.assert_outcome(self.machine.cleanup(), "ready", changed=True)
        self.assertEqual(self._events()[-1], ("end", "failed"))
        self.assertIsNone(self.record.busy("b", "hv", 100, time.time()))

    def test_a_cleanup_of_nothing_changes_nothing(self):
        self.host.next["cleanup"] = [{"removed": "no"}]
        self.assert_outcome(self.machine.cleanup(), "ready")

    def test_check_mode_removes_nothing(self):
        self.assert_outcome(self.machine.cleanup(True), "ready", "The directory would be removed", True)
        self.assertEqual(self.host.operations(), ["look"])

    def test_an_unreachable_host_is_not_cleaned_up(self):
        self.machine.start("alone", 1)
        self.host.next["cleanup"] = [Unreachable("Down.")]
        self.assert_outcome(self.machine.cleanup(), "unreachable", "Down")
        self.assertEqual(self._events(), [("start", None)])

    def test_programs_run_without_perl(self):
        self.host.look["perl"] = ""
        self.host.next["programs"] = [{"spawn": ["", "ERROR|no processes", "ERROR|ended with status 1"]}]
        result = self.machine.programs()
        self.assert_outcome(result, "ready", changed=True)
        self.assertEqual(result["lines"][0].split(), ["dhry2reg", "5000", "in", "5", "s"])
        self.assertEqual(result["lines"][-1].split()[0], "spawn")


if __name__ == "__main__":
    unittest.main()
