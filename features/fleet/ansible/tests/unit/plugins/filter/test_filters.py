"""Tests of the filters."""

from __future__ import absolute_import, annotations, division, print_function

import unittest

from ansible.errors import AnsibleFilterError
from ansible_collections.unixbench.fleet.plugins.filter import waves


class FiltersTest(unittest.TestCase):
    """What templates get."""

    def test_waves_are_those_of_the_plan(self):
        function = waves.FilterModule.filters()["waves"]
        result = function(["a", "b", "c"], {"a": "hv", "b": "hv"}, seed=3, first=["b"])
        self.assertEqual([sorted(wave) for wave in result], [["b", "c"], ["a"]])

    def test_waves_of_another_type_are_refused(self):
        for hosts, shares in (("abc", {}), (["a"], ["hv"]), (None, {})):
            with self.assertRaises(AnsibleFilterError):
                waves.waves(hosts, shares)


if __name__ == "__main__":
    unittest.main()
