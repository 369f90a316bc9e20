"""Tests of the action that measures a fleet: an error that nobody expects concerns one host alone."""

from __future__ import absolute_import, annotations, division, print_function

import asyncio
import unittest
import unittest.mock

import ansible.plugins.loader  # pylint: disable=unused-import # (it finds collections, so it comes first)
from ansible_collections.unixbench.fleet.plugins.action import fleet
from ansible_collections.unixbench.fleet.plugins.plugin_utils.children import ChildError
from ansible_collections.unixbench.fleet.plugins.plugin_utils.runs import SILENT_POLLS


async def _in_no_child(function):
    raise ChildError("The disk of the controller is full.")


def asked(operation, **words):
    """Asks a host by a child that ends with an error; returns the outcome, and the calls of Record.add."""
    asker = object.__new__(fleet._Asker)
    asker._fleet, asker._run, asker._recipes = unittest.mock.Mock(), None, {"a": None}
    with unittest.mock.patch.object(fleet, "in_child", _in_no_child):
        answer = asyncio.run(asker.ask("a", operation, **words))
    return answer["outcome"], asker._fleet.record.add.mock_calls


class AskTest(unittest.TestCase):
    """What becomes of a host if its child process ends with an error."""

    def test_a_question_about_a_run_is_asked_again(self):
        self.assertEqual(asked("poll", phase="alone", attempt=1, silent=0), ("silent", []))

    def test_a_run_without_answers_is_lost(self):
        reason = "The disk of the controller is full."
        line = unittest.mock.call("end", "a", outcome="unreachable", reason=reason, phase="alone", attempt=1)
        for operation, silent in (("poll", {"silent": SILENT_POLLS - 1}), ("collect", {}), ("start", {})):
            with self.subTest(operation):
                self.assertEqual(asked(operation, phase="alone", attempt=1, **silent), ("unreachable", [line]))

    def test_a_host_that_can_not_be_prepared_is_unreachable(self):
        outcome, calls = asked("install")
        self.assertEqual((outcome, calls[0].args), ("unreachable", ("prepared", "a")))


if __name__ == "__main__":
    unittest.main()
