"""Tests of the waves. features/fleet/t-all/plugins.t also tests them with many random inventories."""

from __future__ import absolute_import, annotations, division, print_function

import unittest

from ansible_collections.unixbench.fleet.plugins.plugin_utils.waves import waves

SHARES = {"a1": "hv1", "a2": "hv1", "a3": "hv1", "b1": "hv2", "b2": "hv2"}


class WavesTest(unittest.TestCase):
    """Machines of one hypervisor are in different waves."""

    def test_wave_k_has_the_kth_machine_of_each_hypervisor(self):
        sizes = [len(wave) for wave in waves(list(SHARES), SHARES)]
        self.assertEqual(sizes, [2, 2, 1])

    def test_a_host_without_hypervisor_is_in_the_first_wave(self):
        result = waves([*SHARES, "lone", "empty"], {**SHARES, "empty": ""})
        self.assertLessEqual({"lone", "empty"}, set(result[0]))

    def test_the_order_of_the_inventory_is_ignored(self):
        self.assertEqual(waves(sorted(SHARES), SHARES, 5), waves(sorted(SHARES, reverse=True), SHARES, 5))

    def test_another_seed_gives_another_order(self):
        self.assertGreater(len({str(waves(list(SHARES), SHARES, seed)) for seed in range(20)}), 5)

    def test_each_machine_of_a_hypervisor_is_the_first_one_with_some_seed(self):
        first = {waves(["a1", "a2", "a3"], SHARES, seed)[0][0] for seed in range(50)}
        self.assertEqual(first, {"a1", "a2", "a3"})

    def test_a_lost_run_comes_first_on_its_hypervisor(self):
        for seed in range(20):
            self.assertIn("a3", waves(list(SHARES), SHARES, seed, ["a3"])[0])

    def test_two_lost_runs_of_a_hypervisor_are_in_the_first_two_waves(self):
        for seed in range(20):
            result = waves(list(SHARES), SHARES, seed, ["a2", "a3"])
            self.assertEqual({host for wave in result[:2] for host in wave} & {"a1", "a2", "a3"}, {"a2", "a3"})

    def test_without_hosts_there_is_no_wave(self):
        self.assertEqual(waves([], {}), [])

    def test_a_host_that_is_named_twice_is_measured_once(self):
        self.assertEqual(waves(["x", "x"], {"x": "hv"}), [["x"]])


if __name__ == "__main__":
    unittest.main()
