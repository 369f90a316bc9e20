"""A host for tests of the operations on one: an object stands for the talk with it."""

from __future__ import absolute_import, annotations, division, print_function

import hashlib
import io
import os
import tarfile
import tempfile
import time
import types
import unittest

from ansible_collections.unixbench.fleet.plugins.plugin_utils.machine import Machine
from ansible_collections.unixbench.fleet.plugins.plugin_utils.record import Record
from ansible_collections.unixbench.fleet.plugins.plugin_utils.runs import Runs
from ansible_collections.unixbench.fleet.plugins.plugin_utils.talk import Answer, Refusal, Talk

JSON = b'{"format":"unixbench-result"}\n'


class Host:
    """A host that answers like host.sh. What it does next can be given: a list for each operation.

    An exception in the list is raised, a dictionary adds or replaces lines of the usual answer, and a function returns
    one of both when it is called.
    """

    def __init__(self, ahead=0):
        self.asked = []
        self.next = {}
        self.ahead = ahead
        self.installed = {}
        self.runs = {}
        self.look = {"architecture": "x86_64", "perl": "5.36.0 1", "unpacks": "xz"}

    def ask(self, operation, *words, data=b"\n", limit=None, size=0):
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

    def repeat(self, *words, data=b"\n", size=0, use=lambda answer: answer):
        """Does what Talk.repeat does."""
        return Talk.repeat(self, *words, data=data, size=size, use=use)

    def operations(self):
        """Returns the names of all operations that were asked for."""
        return [asked[0] for asked in self.asked]

    def _look(self, data):
        return dict(self.look, running="", clock=time.time() + self.ahead, **self.installed)

    def _install(self, sha256, packing, sent, data):
        if hashlib.sha256(data).hexdigest() != sent:
            raise Refusal("The archive was torn on its way.")
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:xz" if packing == "xz" else "r:") as archive:
            lines = sorted((f"./{member.name.partition('/')[2]}", archive.extractfile(member).read())
                           for member in archive)
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
            lines.update(how="ended", status=0, signal=0, has_result="yes", bytes=len(JSON), began=time.time(),
                         ended=time.time())
        return lines

    def _log(self, name, data):
        return {"said": ["first", "last"]}

    def _result(self, name, size, data):
        text = JSON.decode()
        return {"sha256": hashlib.sha256(JSON).hexdigest(), "bytes": len(JSON), "json": text.split("\n")}

    def _stop(self, name, data):
        return {"state": "ended"}

    def _programs(self, seconds, *names, data):
        return {name: f"COUNT|{seconds}000|1|lps" for name in names}

    def _cleanup(self, data):
        return {"removed": "yes"}


class HostTest(unittest.TestCase):
    """The host a, with a directory of results of its own."""

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = place.name
        self.release = self.archive_for("x86_64")
        self.settings = types.SimpleNamespace(
            release=[self.release], results=os.path.join(self.place, "results"), tests=["index"], options=["-c", "1"],
            require=[], strict=False, time_limit=100, poll=0.001)
        self.record = Record(self.settings.results)
        self.host = Host()
        self.machine = Machine("a", self.settings, self.host, self.record)
        self.runs = Runs("a", self.settings, "hv", self.host, self.record)

    def archive_for(self, architecture):
        path = os.path.join(self.place, f"unixbench-1-{architecture}.tar.xz")
        with tarfile.open(path, "w:xz") as archive:
            member = tarfile.TarInfo(f"unixbench-1-{architecture}/Run")
            member.size = 2
            archive.addfile(member, io.BytesIO(b"#!"))
        return path

    def events(self):
        return [(event["event"], event.get("outcome")) for event in self.record.events()]

    def assert_outcome(self, result, outcome, reason="", changed=False):
        """Tests an outcome. The reason may be a part of the sentence."""
        self.assertEqual((result["outcome"], result["changed"]), (outcome, changed), result)
        self.assertIn(reason, result["reason"])
        self.assertEqual(reason == "", result["reason"] == "", result["reason"])
