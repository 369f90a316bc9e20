"""Tests of the preview."""

from __future__ import absolute_import, annotations, division, print_function

import unittest

from ansible_collections.unixbench.fleet.plugins.plugin_utils.preview import duration, preview


def _entry(host, shares, wave=1):
    return {"host": host, "shares": shares, "wave": wave}


class PreviewTest(unittest.TestCase):
    """The lines of a preview."""

    def test_each_wave_has_a_line_with_its_begin(self):
        plan = [_entry("a", "hv1"), _entry("lone", ""), _entry("b", "hv1", 2)]
        self.assertEqual(preview(plan, 600), [
            "wave 1, after 0 s: a (hv1), lone",
            "wave 2, after 10 min: b (hv1)",
            "In all about 20 min, and at most 20 min more if machines are measured again.",
        ])

    def test_the_phase_together_follows_the_waves(self):
        plan = [_entry("a", "hv1"), _entry("b", "hv1", 2)]
        self.assertEqual(preview(plan, 600, [_entry("a", "hv1"), _entry("b", "hv1")])[2:], [
            "wave 3, together, after 20 min: a (hv1), b (hv1)",
            "In all about 30 min, and at most 20 min more if machines are measured again.",
        ])

    def test_a_limit_of_machines_makes_more_waves(self):
        plan = [_entry("a", "hv1"), _entry("b", "hv2"), _entry("c", ""), _entry("d", "hv1", 2)]
        self.assertEqual(preview(plan, 600, most=2), [
            "wave 1, after 0 s: a (hv1), b (hv2)",
            "wave 2, after 10 min: c, d (hv1)",
            "In all about 20 min, and at most 20 min more if machines are measured again.",
        ])
        self.assertEqual(len(preview(plan, 600, most=1)), 5)
        self.assertEqual(preview(plan, 600, most=9), preview(plan, 600))

    def test_a_limit_of_machines_divides_the_phase_together(self):
        together = [_entry("a", "hv1"), _entry("b", "hv1"), _entry("c", "hv2"), _entry("d", "hv2")]
        self.assertEqual(preview([], 60, together, most=3), [
            "wave 1, together, after 0 s: a (hv1), b (hv1)",
            "wave 2, together, after 60 s: c (hv2), d (hv2)", "In all about 2 min."])

    def test_only_the_phase_together_may_be_left(self):
        self.assertEqual(preview([], 60, [_entry("a", "hv1"), _entry("b", "hv1")]),
                         ["wave 1, together, after 0 s: a (hv1), b (hv1)", "In all about 60 s."])

    def test_a_measured_fleet_has_one_line(self):
        self.assertEqual(preview([], 60), ["All machines are measured."])

    def test_durations_have_readable_units(self):
        self.assertEqual([duration(seconds) for seconds in (0, 119, 120, 3570, 7199, 7260, 90_000)],
                         ["0 s", "119 s", "2 min", "60 min", "2 h", "2 h 1 min", "25 h"])


if __name__ == "__main__":
    unittest.main()
