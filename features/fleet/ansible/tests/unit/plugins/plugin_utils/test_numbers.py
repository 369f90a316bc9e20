"""Tests of the reader of numbers."""

from __future__ import absolute_import, annotations, division, print_function

import unittest

from ansible_collections.unixbench.fleet.plugins.plugin_utils.numbers import plain


class NumbersTest(unittest.TestCase):
    """Plain numbers, and texts that Python would take for numbers."""

    def test_plain_numbers_have_their_value(self):
        for text, value in (("0", 0), ("007", 7), ("1790000000.125", 1790000000.125), ("9" * 15, 999_999_999_999_999)):
            self.assertEqual(plain(text), value)
        self.assertIsInstance(plain("12"), int)

    def test_everything_else_is_not_a_number(self):
        for text in ("", "inf", "-inf", "nan", "NaN", "-1", "+1", "1e5", "1E5", "1_000", " 1", "1 ", "1\n", ".5", "5.",
                     "0x1f", "9" * 16, "1." + "0" * 16, "\u0661", "\uff11", "1,5", "1.2.3"):
            with self.subTest(text):
                self.assertIsNone(plain(text))


if __name__ == "__main__":
    unittest.main()
