"""Who measures now: no machine waits for another one, except for those of its own hypervisor.

A hypervisor with its machines is a chain. All machines of a chain are prepared before the first one measures, because
that would disturb it. Then they measure one after the other. Chains do not wait for each other, with one exception:
second tries begin when all others have had their first one. A host that gives no answer does not count for that. If
only some machines may measure at once, the one that is first in the plan goes first, of those that are ready.
"""

from __future__ import absolute_import, annotations, division, print_function

import asyncio
import contextlib
import time

from .children import has_controller
from .history import TRIES, todo
from .limit import end_children
from .runs import UNDECIDED
from .waves import groups, pace, rounds, waves

# Seconds between two lines on the progress, at least.
PROGRESS_S = 30

# The part of all questions at the same time that may go to hosts which have not answered the last one.
DOUBTFUL = 3 / 4

# After so many questions in a row without an answer, the other chains do not wait for a host.
SILENT = 2


class Orphaned(Exception):
    """The controller has ended; another one may have taken over."""


class Asking:
    """Asks hosts, some at the same time. Hosts that do not answer can't use up all places."""

    def __init__(self, ask, forks):
        """Takes a coroutine that asks a host, and the number of hosts that it may ask at the same time."""
        self._ask = ask
        self._places = asyncio.Semaphore(max(1, forks))
        self.doubtful = max(1, int(forks * DOUBTFUL))
        self.sure = max(1, forks - self.doubtful)
        self._doubtful_places = asyncio.Semaphore(self.doubtful)
        self._answers = set()

    async def __call__(self, host, operation, **words):
        """Takes a host, an operation and its words; returns the outcome."""
        async with contextlib.AsyncExitStack() as stack:
            if host not in self._answers:
                await stack.enter_async_context(self._doubtful_places)
            await stack.enter_async_context(self._places)
            said = await self._ask(host, operation, **words)
        (self._answers.discard if said["outcome"] in ("unreachable", "silent") else self._answers.add)(host)
        return said


class Room:
    """The limit on the number of machines that measure at the same time."""

    def __init__(self, most):
        """Takes the number, or 0 for no limit."""
        self._left = most or float("inf")
        self._waiting = []
        self._changed = asyncio.Condition()

    @contextlib.asynccontextmanager
    async def taken(self, place, number=1):
        """Takes a place in the plan and a number. Waits until that many machines may measure, the first place first.

        They have ended after the block.
        """
        async with self._changed:
            self._waiting.append(place)
            try:
                await self._changed.wait_for(lambda: self._left >= number and place == min(self._waiting))
            finally:
                self._waiting.remove(place)
            self._left -= number
            self._changed.notify_all()
        try:
            yield
        finally:
            async with self._changed:
                self._left += number
                self._changed.notify_all()


class Schedule:
    """The measurement of a fleet."""

    def __init__(self, fleet, ask, judge, show):
        """Takes a Fleet, a coroutine that asks a host, one that returns the hosts with a bad result, and a function.

        The first one takes a host, an operation and its words, and returns an outcome. The function shows a line.
        """
        self._fleet = fleet
        self._settings = fleet.settings
        self._shares = fleet.shares()
        self._ask_host = ask
        self._judge = judge
        self._show = show

    async def run(self, forks, prepares):
        """Measures all hosts. Takes the number of hosts to ask at the same time, and whether they are prepared before.

        Raises Orphaned if the controller ends.
        """
        self._ask = Asking(self._ask_host, forks)
        self._room = Room(self._settings.most)
        self._starting, self._judging, self._judged = asyncio.Lock(), asyncio.Lock(), None
        self._first_is_over = asyncio.Event()
        plan = self._fleet.plan("alone", 1)
        together = self._fleet.plan("together", 1) if self._settings.together else ()
        seconds = pace(self._fleet.seconds, self._settings.poll)
        self._progress = Progress(self._fleet.hosts, seconds, self._settings.most, self._show)
        self._progress.expect(plan, together)
        chains = self._chains([entry["host"] for entry in plan])
        self._pending, self._stuck = set(range(len(chains))), set()
        tasks = [asyncio.ensure_future(self._chain(number, chain, prepares)) for number, chain in enumerate(chains)]
        watch = asyncio.ensure_future(_watch_controller())
        try:
            everything = asyncio.gather(*tasks)
            await asyncio.wait({everything, watch}, return_when=asyncio.FIRST_COMPLETED)
            if watch.done():
                watch.result()
            await everything
        except BaseException:
            end_children()
            raise
        finally:
            for task in (watch, *tasks):
                task.cancel()
            await asyncio.gather(watch, *tasks, return_exceptions=True)
        self._progress.show(True)

    def _chains(self, first):
        """Takes the hosts of the plan; returns a list of hosts for each hypervisor, and for each host without one."""
        chains = {}
        for host in dict.fromkeys([*first, *self._fleet.hosts]):
            chains.setdefault(("on", self._shares[host]) if self._shares.get(host) else ("of", host), []).append(host)
        return list(chains.values())

    async def _chain(self, number, hosts, prepares):
        """Measures the machines of one hypervisor."""
        if prepares:
            await asyncio.gather(*map(self._prepare, hosts))
        await self._try(number, hosts, 1)
        is_late = self._first_is_over.is_set()
        self._pending.discard(number)
        self._look()
        await self._first_is_over.wait()
        if self._settings.second_try:
            await self._try(number, hosts, 2, await self._bad(is_late))
        if self._settings.together:
            await self._together(number, hosts)

    async def _bad(self, is_late):
        """Returns the hosts with a bad result. A late chain has results that were not there when the others asked."""
        async with self._judging:
            if is_late or self._judged is None:
                self._judged = await self._judge()
            return self._judged

    async def _prepare(self, host):
        """Prepares a host; returns whether it may measure."""
        for operation in ("install", "doctor"):
            said = await self._ask(host, operation)
            if said["outcome"] != "ready":
                self._show(f"{host}: {said['outcome']}: {said['reason']}")
                return False
        clock = self._fleet.history(host).clock(host)
        if clock:
            self._show(f"{host}: {clock}")
        return True

    async def _try(self, number, hosts, attempt, bad=()):
        """Measures those machines of a hypervisor that need this try, one after the other."""
        history = self._fleet.history(*hosts)
        wanted = todo(history, hosts, "alone", attempt, bad=bad)
        found = {host for host in wanted if history.is_open(host, "alone", attempt)}
        if attempt == 1:
            self._progress.know({host for host in hosts for phase, tried in TRIES
                                 if phase == "alone" and history.is_measured(host, phase, tried)})
        order = waves(wanted, self._shares, self._settings.seed, found)
        self._progress.expect([{"host": host, "shares": self._shares.get(host, ""), "wave": wave}
                               for wave, (host,) in enumerate(order, 1)])
        self._progress.over(set(hosts) - set(wanted))
        for wave, (host,) in enumerate(order, 1):
            if attempt == 1 or await self._prepare(host):
                async with self._room.taken((attempt, wave, number)):
                    self._progress.begin(host)
                    await self._measured(number, host, phase="alone", attempt=attempt, wave=wave)
            self._progress.over({host})

    async def _together(self, number, hosts):
        """Measures all machines of a hypervisor at the same time."""
        wanted = todo(self._fleet.history(*hosts), hosts, "together", 1, self._shares)
        self._progress.over(set(hosts) - set(wanted), "together")
        if not wanted:
            return
        run = {"phase": "together", "attempt": 1, "wave": 1}
        async with self._room.taken((len(TRIES), self._shares[wanted[0]]), len(wanted)):
            for host in wanted:
                self._progress.begin(host)
            async with self._starting:
                at = time.time() + self._settings.lead * (1 + (len(wanted) - 1) // self._ask.sure)
                said = await asyncio.gather(*(self._ask(host, "start", at=at, **run) for host in wanted))
            await asyncio.gather(*(self._end(number, host, first, **run) for host, first in zip(wanted, said)))
        self._progress.over(set(wanted), "together")

    async def _measured(self, number, host, **run):
        """Takes the number of a chain, a host and its run; measures the host."""
        await self._end(number, host, await self._ask(host, "start", **run), **run)

    async def _end(self, number, host, said, **run):
        """Takes what start has said; waits until the run has an end."""
        silent, told = 0, None
        while said["outcome"] in UNDECIDED:
            silent = silent + 1 if said["outcome"] == "silent" else 0
            self._note(number, silent >= SILENT or said["outcome"] == "waiting")
            if said["outcome"] == "waiting":
                told = await self._free(host, run["phase"], told)
            await asyncio.sleep(self._settings.poll)
            said = await self._ask(host, "poll", silent=silent, **run)
        self._note(number, False)
        if said["outcome"] == "measured":
            self._progress.know({host})
        else:
            self._show(f"{host}: {said['outcome']}: {said['reason']}")

    async def _free(self, host, phase, told):
        """Asks the machines for which a host waits, because they may answer again: then their runs are collected.

        Takes the host, its phase, and the line that was shown last. Returns the line that says who blocks.
        """
        shares = self._shares.get(host)
        others = [each for each in self._fleet.hosts if each != host and shares and self._shares.get(each) == shares]
        blocking = [event for event in (self._fleet.history(*others).may_measure(time.time()) if others else ())
                    if not phase == event.get("phase") == "together"]
        names = ", ".join(sorted({event["host"] for event in blocking})) or "another play"
        line = f"{host}: waits for {names}: a run there may still be under way"
        if line != told:
            until = max((event["time"] + event["limit"] for event in blocking), default=None)
            at = f", until {time.strftime('%H:%M', time.localtime(until))} at the latest" if until else ""
            self._show(f"{line}{at}.")
        for event in blocking:
            said = await self._ask(event["host"], "poll", phase=event["phase"], attempt=event["attempt"],
                                   wave=event.get("wave") or 1)
            if said["outcome"] == "measured":
                self._progress.know({event["host"]})
        return line

    def _note(self, number, is_stuck):
        """Notes whether a chain waits for a host that gives no answer."""
        (self._stuck.add if is_stuck else self._stuck.discard)(number)
        self._look()
        self._progress.show()

    def _look(self):
        """Lets second tries begin if the first ones are over."""
        if self._pending <= self._stuck:
            self._first_is_over.set()


class Progress:
    """How many hosts are measured, and when all of them will be."""

    def __init__(self, hosts, seconds, most, show, now=time.time):
        """Takes the hosts, the seconds of a wave, how many may measure at once (0: all), and a function for a line."""
        self._hosts = hosts
        self._seconds = seconds
        self._most = most
        self._show = show
        self._now = now
        self._measured = set()
        self._left = {"alone": [], "together": []}
        self._total = 0
        self._began = {}
        self._shown = ("", 0)

    def know(self, hosts):
        """Takes hosts that are measured."""
        self._measured |= hosts

    def expect(self, alone, together=()):
        """Takes plans of machines that are measured from now on, see Fleet.plan. Some may be known already."""
        before = self._waves()
        for phase, plan in (("alone", alone), ("together", together)):
            known = {entry["host"] for entry in self._left[phase]}
            self._left[phase] += [entry for entry in plan if entry["host"] not in known]
        self._total += self._waves() - before

    def begin(self, host):
        """Takes a host that measures now."""
        self._began[host] = self._now()

    def over(self, hosts, phase="alone"):
        """Takes hosts that have ended, or are not measured."""
        self._left[phase] = [entry for entry in self._left[phase] if entry["host"] not in hosts]
        for host in hosts:
            self._began.pop(host, None)

    def line(self):
        """Returns the line: "312 of 1000 measured, wave 2 of 5, ends 14:20"."""
        words = [f"{len(self._measured)} of {len(self._hosts)} measured"]
        left = self._waves()
        if left:
            words += [f"wave {self._total - left + 1} of {self._total}", f"ends {self._end(left)}"]
        return ", ".join(words)

    def _waves(self):
        """Returns the number of waves that are left."""
        return len(rounds(self._left["alone"], self._most)) + len(groups(self._left["together"], self._most))

    def show(self, at_once=False):
        """Shows the line if it has changed, but not too often."""
        line, now = self.line(), self._now()
        if line != self._shown[0] and (at_once or now >= self._shown[1] + PROGRESS_S):
            self._shown = (line, now)
            self._show(line)

    def _end(self, left):
        """Takes the number of waves that are left; returns the time of the end, with the day if it is not today."""
        now = self._now()
        ends = now + left * self._seconds - min(self._seconds, now - max(self._began.values(), default=now))
        is_today = time.localtime(ends)[:3] == time.localtime(now)[:3]
        return time.strftime("%H:%M" if is_today else "%a %H:%M", time.localtime(ends))


async def _watch_controller():
    """Raises Orphaned when the controller has ended."""
    while has_controller():
        await asyncio.sleep(1)
    raise Orphaned("The controller has ended.")
