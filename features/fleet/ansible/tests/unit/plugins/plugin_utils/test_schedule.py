"""Tests of the schedule: a coroutine stands for the hosts, and a list for the record."""

from __future__ import absolute_import, annotations, division, print_function

import asyncio
import time
import types
import unittest
import unittest.mock

from ansible_collections.unixbench.fleet.plugins.plugin_utils import schedule
from ansible_collections.unixbench.fleet.plugins.plugin_utils.fleet import Fleet
from ansible_collections.unixbench.fleet.plugins.plugin_utils.history import History
from ansible_collections.unixbench.fleet.plugins.plugin_utils.outcome import outcome
from ansible_collections.unixbench.fleet.plugins.plugin_utils.preview import preview
from ansible_collections.unixbench.fleet.plugins.plugin_utils.schedule import Asking, Orphaned, Progress, Schedule
from ansible_collections.unixbench.fleet.plugins.plugin_utils.waves import pace


class Hosts:
    """Hosts that answer at once. What else they answer is given: { (host, operation): [outcome, ...] }."""

    def __init__(self, shares, answers=None, **more):
        self.hosts = list(shares)
        self.answers = answers or {}
        self.settings = types.SimpleNamespace(
            **{**{"seed": 1, "second_try": True, "together": False, "most": 0, "poll": 0.001, "lead": 1}, **more})
        self.seconds = 60
        self.events = []
        self.done = []
        self.measuring = set()
        self.at_once = 0
        self.shown = []
        self.bad = []
        self._shares = shares

    def shares(self):
        return {host: hypervisor for host, hypervisor in self._shares.items() if hypervisor}

    def history(self, *hosts):
        return History([event for event in self.events if not hosts or event["host"] in hosts], lambda event: True)

    def plan(self, phase, attempt):
        return Fleet.plan(self, phase, attempt)

    async def ask(self, host, operation, **words):
        await asyncio.sleep(0)
        self.done.append((operation, host, words.get("attempt")))
        answers = self.answers.get((host, operation))
        said = answers.pop(0) if answers else {"start": "running", "poll": "measured"}.get(operation, "ready")
        run = {"host": host, "phase": words.get("phase"), "attempt": words.get("attempt")}
        if operation in ("install", "doctor"):
            self.events.append({"event": "prepared", "host": host, "outcome": said, "reason": "Why."})
        elif operation == "start" and said == "running":
            self.events.append({"event": "start", "time": 0, **run})
            busy = {self._shares[each] for each in self.measuring if self._shares[each]}
            assert self._shares[host] not in busy or run["phase"] == "together", f"{host} beside {self.measuring}"
            self.measuring.add(host)
            self.at_once = max(self.at_once, len(self.measuring))
        elif said not in schedule.UNDECIDED:
            self.measuring.discard(host)
            self.events.append({"event": "end", "outcome": said, "result": "x", **run})
        return outcome(said, "Why.")

    async def judge(self):
        self.done.append(("judge", None, None))
        return self.bad

    def run(self, forks=8, prepares=True):
        asyncio.run(Schedule(self, self.ask, self.judge, self.shown.append).run(forks, prepares))
        return self

    def starts(self, attempt=1):
        return [host for operation, host, tried in self.done if operation == "start" and tried == attempt]

    def place(self, *step):
        return self.done.index(step)


class ScheduleTest(unittest.TestCase):
    """Who measures when."""

    def test_machines_of_a_hypervisor_measure_one_after_the_other(self):
        hosts = Hosts({"a1": "a", "a2": "a", "a3": "a", "b1": "b", "b2": "b", "c": ""}).run()
        self.assertEqual(sorted(hosts.starts()), ["a1", "a2", "a3", "b1", "b2", "c"])
        self.assertEqual(hosts.measuring, set())

    def test_a_machine_starts_as_soon_as_its_own_hypervisor_is_free(self):
        slow = {("b1", "poll"): ["running"] * 200}
        hosts = Hosts({"a1": "a", "a2": "a", "a3": "a", "b1": "b"}, slow).run()
        last = max(hosts.place("poll", host, 1) for host in ("a1", "a2", "a3"))
        self.assertGreater(len(hosts.done) - last, 100, "b1 measures long after the last machine of a has ended")

    def test_a_machine_that_answers_again_does_not_hold_up_its_hypervisor(self):
        hosts = Hosts({"a1": "a", "a2": "a"}, {("a1", "start"): ["unreachable"], ("a2", "start"): ["waiting"],
                                               ("a2", "poll"): ["waiting", "running"]}, second_try=False)
        hosts.events.append({"event": "start", "time": time.time(), "limit": 3600, "host": "a1", "phase": "alone",
                             "attempt": 1, "shares": "a"})
        hosts.run(prepares=False)
        self.assertIn(("poll", "a1", 1), hosts.done, "it is asked while the other one waits")
        self.assertLess(hosts.place("poll", "a1", 1), len(hosts.done) - 1)
        self.assertEqual(sum("a2: waits for a1: a run there may still be under way, until" in line
                             for line in hosts.shown), 1, "one line says so")

    def test_all_machines_of_a_hypervisor_are_prepared_before_the_first_one_measures(self):
        hosts = Hosts({"a1": "a", "a2": "a"}).run()
        operations = [operation for operation, host, attempt in hosts.done]
        self.assertEqual(operations[:4].count("install") + operations[:4].count("doctor"), 4)

    def test_a_host_that_hangs_in_its_preparation_holds_up_no_other_hypervisor(self):
        hosts = Hosts({"a1": "a", "b1": "b", "b2": "b"})
        is_over = []

        async def ask(host, operation, **words):
            if (host, operation) == ("a1", "install"):
                while "b2" not in hosts.starts():
                    await asyncio.sleep(0.001)
                is_over.append(True)
                return outcome("unreachable", "Why.")
            return await Hosts.ask(hosts, host, operation, **words)

        hosts.ask = ask
        hosts.run(4)
        self.assertTrue(is_over)
        self.assertIn("a1: unreachable: Why.", hosts.shown)

    def test_more_hosts_that_hang_than_forks_leave_places_for_the_others(self):
        asked = []
        answer = asyncio.Event

        async def main():
            free = answer()

            async def ask(host, operation):
                asked.append(host)
                if host.startswith("silent") and asked.count(host) > 1:
                    await free.wait()
                return outcome("silent" if host.startswith("silent") else "running")

            asking = Asking(ask, 4)
            silent = [f"silent{number}" for number in range(9)]
            await asyncio.gather(*(asking(host, "poll") for host in ["good", *silent]))
            hanging = [asyncio.ensure_future(asking(host, "poll")) for host in silent]
            for _number in range(5):
                await asyncio.wait_for(asking("good", "poll"), 60)
            free.set()
            await asyncio.gather(*hanging)

        asyncio.run(main())
        self.assertEqual(asked.count("good"), 6)

    def test_second_tries_begin_after_all_first_ones(self):
        failing = {("a1", "poll"): ["failed"], ("b1", "poll"): ["running"] * 50}
        hosts = Hosts({"a1": "a", "a2": "a", "b1": "b"}, failing).run()
        self.assertEqual(hosts.starts(2), ["a1"])
        self.assertGreater(hosts.place("start", "a1", 2), hosts.place("poll", "b1", 1) + 50)
        self.assertEqual([operation for operation, host, attempt in hosts.done].count("judge"), 1)

    def test_second_tries_do_not_wait_for_a_silent_host(self):
        answers = {("a1", "poll"): ["failed"], ("b1", "poll"): ["running", *["silent"] * 500, "unreachable"],
                   ("b1", "install"): ["ready", "unreachable"]}
        hosts = Hosts({"a1": "a", "b1": "b"}, answers).run()
        polls = [step for step in hosts.done[:hosts.place("start", "a1", 2)] if step[:2] == ("poll", "b1")]
        self.assertLess(len(polls), 100)
        self.assertEqual(hosts.starts(2), ["a1"], "b1 could not be prepared again")

    def test_a_late_host_is_judged_by_its_own_result(self):
        answers = {("b1", "poll"): ["silent"] * 100}
        hosts = Hosts({"a1": "a", "b1": "b"}, answers)
        hosts.bad = ["b1"]
        hosts.run()
        self.assertEqual(hosts.starts(2), ["b1"])
        self.assertEqual([operation for operation, host, attempt in hosts.done].count("judge"), 2)

    def test_bad_results_get_one_second_try(self):
        hosts = Hosts({"a1": "a", "a2": "a"})
        hosts.bad = ["a2"]
        self.assertEqual(hosts.run().starts(2), ["a2"])
        self.assertEqual(Hosts({"a1": "a"}, {("a1", "poll"): ["failed"]}, second_try=False).run().starts(2), [])

    def test_a_host_that_is_not_ready_is_not_measured(self):
        hosts = Hosts({"a1": "a", "a2": "a"}, {("a1", "doctor"): ["refused"]}).run()
        self.assertEqual((hosts.starts(), hosts.starts(2)), (["a2"], []))

    def test_hosts_are_prepared_only_on_demand(self):
        hosts = Hosts({"a1": "a"}).run(prepares=False)
        self.assertEqual(hosts.done[0], ("start", "a1", 1))

    def test_a_busy_hypervisor_is_asked_for_again(self):
        hosts = Hosts({"a1": "a"}, {("a1", "start"): ["waiting"], ("a1", "poll"): ["waiting", "running"]}).run()
        self.assertEqual([step[0] for step in hosts.done[2:6]], ["start", "poll", "poll", "poll"])

    def test_at_most_so_many_machines_measure(self):
        shares = {f"m{number}": f"hv{number}" for number in range(9)}
        self.assertEqual(Hosts(shares, most=2).run(20).at_once, 2)
        self.assertGreater(Hosts(shares).run(20).at_once, 2)

    def test_machines_of_a_hypervisor_start_together(self):
        hosts = Hosts({"a1": "a", "a2": "a", "b1": "b"}, together=True).run()
        events = [event for event in hosts.events if event.get("phase") == "together"]
        self.assertEqual([event["event"] for event in events], ["start", "start", "end", "end"])
        self.assertEqual({event["host"] for event in events}, {"a1", "a2"})

    def test_the_end_of_the_controller_ends_the_schedule(self):
        hosts = Hosts({"a1": "a"}, {("a1", "poll"): ["running"] * 1_000_000})
        answers = iter([True])
        with unittest.mock.patch.object(schedule, "has_controller", lambda: next(answers, False)):
            with self.assertRaises(Orphaned):
                hosts.run()

    def test_an_error_ends_the_schedule(self):
        hosts = Hosts({"a1": "a", "b1": "b"}, {("b1", "poll"): ["running"] * 1_000_000})
        hosts.answers["a1", "poll"] = [RuntimeError]

        async def ask(host, operation, **words):
            if (host, operation) == ("a1", "poll"):
                raise RuntimeError("The disk is full.")
            return await Hosts.ask(hosts, host, operation, **words)

        hosts.ask = ask
        with self.assertRaises(RuntimeError):
            hosts.run()


class PlanTest(unittest.TestCase):
    """The plan, the measurement and its progress agree."""

    def _agree(self, shares, most, **more):
        """Measures hosts; checks that the lines on the progress have the waves of the plan."""
        hosts = Hosts(shares, most=most, **more)
        together = hosts.plan("together", 1) if hosts.settings.together else ()
        plan = preview(hosts.plan("alone", 1), 60, together, most)
        total = len(plan) - 1
        with unittest.mock.patch.object(schedule, "PROGRESS_S", 0):
            hosts.run(prepares=False)
        waves = [line.split(", ")[1] for line in hosts.shown if ", wave " in line]
        self.assertEqual(list(dict.fromkeys(waves)), [f"wave {number} of {total}" for number in range(1, total + 1)])

    def test_machines_without_hypervisor_that_may_not_measure_at_once(self):
        self._agree({f"m{number}": "" for number in range(5)}, 1)

    def test_machines_of_hypervisors(self):
        shares = {"a1": "a", "a2": "a", "a3": "a", "b1": "b", "b2": "b", "c": ""}
        for most in 0, 1, 2:
            with self.subTest(most):
                self._agree(shares, most)

    def test_machines_that_measure_together(self):
        self._agree({"a1": "a", "a2": "a", "b1": "b", "b2": "b"}, 2, together=True, lead=0.001)

    def test_machines_start_in_the_order_of_the_plan(self):
        hosts = Hosts({f"m{number}": "" for number in range(9)}, most=1)
        planned = [entry["host"] for entry in hosts.plan("alone", 1)]
        self.assertEqual(hosts.run(prepares=False).starts(), planned)

    def test_a_wave_ends_when_it_is_asked_for(self):
        self.assertEqual([pace(20, 5), pace(22, 5), pace(20, 15)], [25, 25, 30])


class ProgressTest(unittest.TestCase):
    """The line on the progress."""

    def setUp(self):
        self.time = 1_700_000_000
        self.shown = []
        self.progress = Progress([f"m{number}" for number in range(10)], 600, 0, self.shown.append, lambda: self.time)

    def _until(self, seconds):
        return schedule.time.strftime("%H:%M", schedule.time.localtime(self.time + seconds))

    def test_the_line_has_the_measured_the_wave_and_the_end(self):
        self.assertEqual(self.progress.line(), "0 of 10 measured")
        self.progress.know({"m1", "m2"})
        self.progress.expect([{"host": f"m{number}", "shares": "hv", "wave": number} for number in range(2, 7)])
        self.progress.over({"m2"})
        self.progress.begin("m3")
        self.time += 300
        end = self._until(4 * 600 - 300)
        self.assertRegex(self.progress.line(), rf"\A2 of 10 measured, wave 2 of 5, ends .*{end}\Z")
        self.progress.over({"m3", "m4", "m5", "m6"})
        self.assertEqual(self.progress.line(), "2 of 10 measured")

    def test_a_limit_of_machines_makes_it_later(self):
        self.progress = Progress(["a"], 600, 2, self.shown.append, lambda: self.time)
        self.progress.expect([{"host": f"m{number}", "shares": "", "wave": 1} for number in range(6)])
        self.assertIn(self._until(1800), self.progress.line())

    def test_the_line_is_shown_when_it_has_changed_but_not_too_often(self):
        self.progress.show()
        self.progress.know({"m1"})
        self.progress.show()
        self.time += schedule.PROGRESS_S
        self.progress.show()
        self.progress.show(True)
        self.assertEqual(self.shown, ["0 of 10 measured", "1 of 10 measured"])


if __name__ == "__main__":
    unittest.main()
