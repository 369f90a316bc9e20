"""UnixBench as a ReFrame test: the index of a node. `reframe -c FILE -r --distribute` measures each idle node."""

import reframe as rfm
import reframe.utility.sanity as sn


@rfm.simple_test
class UnixBench(rfm.RunOnlyRegressionTest):
    descr = "UnixBench: the index of one copy, a quick run"
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    executable = "unixbench"
    executable_opts = ["-q", "--quick", "-c", "1", "index"]
    env_vars = {"UB_RESULTDIR": "$PWD/results"}
    num_tasks = 1
    exclusive_access = True
    time_limit = "15m"
    reference = {"*": {"index": (1500, -0.05, None, "points")}}

    @sanity_function
    def is_complete(self):
        """Succeeds if all tests of the index have been measured."""
        return sn.assert_found(r"^System Benchmarks Index Score +[0-9.]+$", self.stdout)

    @performance_function("points")
    def index(self):
        """Returns the index."""
        return sn.extractsingle(r"^System Benchmarks Index Score +([0-9.]+)$", self.stdout, 1, float)
