"""Tests of the talk with host.sh. A function stands for the connection."""

from __future__ import absolute_import, annotations, division, print_function

import hashlib
import shlex
import unittest

from ansible_collections.unixbench.fleet.plugins.plugin_utils import talk
from ansible_collections.unixbench.fleet.plugins.plugin_utils.talk import Refusal, Talk, Unreachable, sentence

HOSTILE = ["a b", "it's", "$(id)", "`id`", "*", "a\nb", "\\", '"', "", "-x", "\u00e4"]


def _ask(output, errors="", operation="look"):
    """Takes what a connection prints; returns the answer to an operation."""
    return Talk(lambda command, data, limit, size: (output, errors), "/d").ask(operation)


class TalkTest(unittest.TestCase):
    """Questions and answers."""

    def test_the_command_has_the_script_and_the_words_as_they_are(self):
        commands = []

        def execute(command, data, limit, size):
            commands.append((command, data, limit))
            return "begin=start\nend=start\n", ""

        Talk(execute, "/a b").ask("start", *HOSTILE, data=b"program")
        command, data, limit = commands[0]
        words = ["sh", "-c", talk.source("host.sh"), "host.sh", "/a b", "start", *HOSTILE]
        self.assertEqual(shlex.split(command), words)
        self.assertEqual(data, b"program")
        self.assertGreater(limit, 0)

    def test_an_operation_without_data_has_something_to_read(self):
        seen = []
        Talk(lambda command, data, limit, size: seen.append(data) or ("begin=look\nend=look\n", ""), "/d").ask("look")
        self.assertTrue(seen[0])

    def test_values_are_read_as_they_are(self):
        answer = _ask("begin=look\nname=a=b c\nname=last\nclock=12.5\nno value\nend=look\n")
        self.assertEqual((answer.lines("name"), answer.text("name")), (["a=b c", "last"], "last"))
        self.assertEqual((answer.number("clock"), answer.number("none"), answer.text("none")), (12.5, None, ""))
        self.assertEqual((answer.has("clock"), answer.has("none")), (True, False))

    def test_a_number_that_is_not_plain_is_a_refusal(self):
        for text in ("inf", "nan", "-1", "1e9", "0x10", "1_000", " 1", "9" * 16, "\u0663", "last"):
            with self.subTest(text), self.assertRaises(Refusal) as raised:
                _ask(f"begin=look\nbytes={text}\nend=look\n").number("bytes")
            self.assertIn(f"bytes={text}, which is not a plain number", str(raised.exception))

    def test_a_file_that_is_announced_as_too_large_is_a_refusal(self):
        self.assertEqual(_ask("begin=state\nbytes=16000000\nend=state\n", operation="state").size(), 16000000)
        for text in ("16000001", "400000000", "12.5", ""):
            with self.subTest(text), self.assertRaises(Refusal):
                _ask(f"begin=state\nbytes={text}\nend=state\n", operation="state").size()

    def test_an_answer_may_have_as_many_bytes_as_its_file_and_some_more(self):
        sizes = []
        talk_ = Talk(lambda command, data, limit, size: sizes.append(size) or ("begin=look\nend=look\n", ""), "/d")
        talk_.ask("look")
        talk_.ask("look", size=5000)
        self.assertEqual(sizes, [talk.ROOM, talk.ROOM + 5000])

    def test_a_shell_that_does_not_start_the_operation_is_not_a_lost_connection(self):
        with self.assertRaises(talk.NoShell) as raised:
            _ask("", "sudo: not found\n")
        self.assertEqual(str(raised.exception), "The shell gave no answer: sudo: not found.")
        with self.assertRaises(Unreachable) as raised:
            _ask("begin=look\n")
        self.assertNotIsInstance(raised.exception, talk.NoShell)

    def test_a_greeting_before_the_answer_is_skipped(self):
        answer = _ask("Welcome!\nname=greeting\nbegin=look\nname=answer\nend=look\nbye\nname=after\n")
        self.assertEqual(answer.lines("name"), ["answer"])

    def test_lines_may_end_as_on_a_terminal(self):
        self.assertEqual(_ask("begin=look\r\nname=x\r\nend=look\r\n").text("name"), "x")

    def test_an_answer_that_is_torn_anywhere_is_no_answer(self):
        whole = "begin=look\nname=x\nend=look"
        for size in range(len(whole)):
            with self.subTest(size), self.assertRaises(Unreachable):
                _ask(whole[:size])

    def test_the_answer_to_another_operation_is_no_answer(self):
        with self.assertRaises(Unreachable):
            _ask("begin=state\nend=state\n")

    def test_a_missing_answer_has_the_last_message_as_its_reason(self):
        with self.assertRaises(Unreachable) as raised:
            _ask("", "warning\nsh: not found\n\n")
        self.assertEqual(str(raised.exception), "The shell gave no answer: sh: not found.")

    def test_a_problem_is_a_refusal(self):
        with self.assertRaises(Refusal) as raised:
            _ask("begin=look\nproblem=the disk is full\nend=look\n")
        self.assertEqual(str(raised.exception), "The disk is full.")

    def test_a_file_comes_back_as_it_was(self):
        for content in (b'{"a":1}\n', b"x", b"\xff\xfe=\n\n", b""):
            lines = "".join(f"json={line}\n" for line in content.decode("utf-8", "surrogateescape").split("\n"))
            head = f"begin=result\nsha256={hashlib.sha256(content).hexdigest()}\nbytes={len(content)}\n"
            self.assertEqual(_ask(f"{head}{lines}\nend=result\n", operation="result").file("json"), content)

    def test_a_file_with_another_byte_is_torn(self):
        head = f"begin=result\nsha256={hashlib.sha256(b'ab').hexdigest()}\nbytes=2\n"
        with self.assertRaises(Unreachable):
            _ask(f"{head}json=ac\nend=result\n", operation="result").file("json")

    def test_a_reason_is_one_printable_sentence(self):
        self.assertEqual(sentence("first\nssh: connect to host x port 22: No route to host\r\n"),
                         "ssh: connect to host x port 22: No route to host.")
        self.assertEqual(sentence("\x1b[1mred\x07!"), "?[1mred?!")
        self.assertEqual(sentence(" \n"), "Unknown reason.")
        self.assertLessEqual(len(sentence("x" * 1000)), 300)


if __name__ == "__main__":
    unittest.main()
