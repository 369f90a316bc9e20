"""Tests of the filter waves: some inventories, and many random ones."""

from __future__ import absolute_import, annotations, division, print_function

import importlib.util
import os
import random
import unittest

PATH = os.path.join(os.path.dirname(__file__), "../../../../plugins/filter/waves.py")
SPEC = importlib.util.spec_from_file_location("waves", PATH)
MODULE = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(MODULE)


def planned(shares, **common):
    """Takes the hypervisor of each machine, and variables of all; returns the waves."""
    variables = {host: dict(common, unixbench_shares=hypervisor) for host, hypervisor in shares.items()}
    return MODULE.FilterModule.filters()["waves"](list(shares), variables)


class Waves(unittest.TestCase):
    """Which machines measure at the same time."""

    def test_order(self):
        """Machines of a hypervisor follow each other as in the inventory; others are in the first wave."""
        self.assertEqual(planned({"b": "hv1", "a": "hv1", "c": "", "d": None, "e": "hv2"}),
                         [["b", "c", "d", "e"], ["a"]])
        self.assertEqual(planned({}), [])

    def test_most(self):
        """A wave has room for so many machines, also if the number is a word."""
        self.assertEqual(planned({"a": "", "b": "", "c": "", "d": "hv", "e": "hv"}, unixbench_most="2"),
                         [["a", "b"], ["c", "d"], ["e"]])

    def test_states(self):
        """A machine whose run is under way comes first on its hypervisor; one that is not ready is left out."""
        states = {"a": "ready", "b": "refused", "c": "running", "d": "measured"}
        variables = {host: {"unixbench_shares": "hv", "unixbench_state": state} for host, state in states.items()}
        self.assertEqual(MODULE.waves(list(states), variables), [["c"], ["a"]])

    def test_random_inventories(self):
        """Each machine is in one wave, no two of a hypervisor are in the same, and there are no more than needed."""
        chance = random.Random(1995)
        for _ in range(1000):
            names = [f"host{number}" for number in range(chance.randrange(1, 30))]
            shares = {name: chance.choice(["", "hv1", "hv2", "hv3"]) for name in names}
            most = chance.choice([0, 1, 5])
            waves = planned(shares, unixbench_most=most)
            self.assertEqual(sorted(sum(waves, [])), sorted(names))
            for wave in waves:
                busy = [shares[host] for host in wave if shares[host]]
                self.assertEqual(len(busy), len(set(busy)))
                self.assertTrue(wave and (not most or len(wave) <= most))
            largest = max(list(shares.values()).count(name) for name in ("hv1", "hv2", "hv3"))
            if not most:
                self.assertEqual(len(waves), max(1, largest))


if __name__ == "__main__":
    unittest.main()
