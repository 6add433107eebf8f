"""The sequence of steps that .ci/run and tools/nightly are made of."""

import sys

sys.path.insert(0, "tests/tools/front")

from fake_machine import MachineTest  # pylint: disable=wrong-import-position


class StepsTest(MachineTest):
    def run_steps(self, *steps, before=""):
        """Runs shell commands as steps named 1, 2, ..."""
        lines = ["#!/bin/bash", "set -euo pipefail",
                 '. "$(dirname "$0")/front/common.sh"', before]
        for number, step in enumerate(steps, 1):
            lines.append(f"run_step {number} bash -c '{step}'")
        lines.append("finish_steps")
        path = self.machine.put("tools/steps", "\n".join(lines) + "\n")
        return self.machine.run(path)

    def assert_ends(self, line, code, run):
        self.assertEqual(line, run.stdout.splitlines()[-1], run.stderr)
        self.assertEqual(code, run.returncode)

    def test_counts_of_the_steps_add_up(self):
        self.assert_ends("7 passed, 0 failed", 0, self.run_steps(
            "echo 4 passed, 0 failed", "echo 3 passed, 0 failed"))

    def test_a_step_without_counts_counts_as_one(self):
        self.assert_ends("4 passed, 0 failed", 0, self.run_steps(
            "echo 3 passed, 0 failed", "echo all well"))

    def test_a_failed_step_does_not_stop_those_after_it(self):
        run = self.run_steps("echo 4 passed, 2 failed; exit 1", "exit 7",
                             "echo 3 passed, 0 failed")
        self.assert_ends("7 passed, 3 failed", 1, run)
        self.assertIn("failed with exit code 7", run.stdout)

    def test_an_exit_code_counts_where_the_counts_say_nothing(self):
        self.assert_ends("4 passed, 1 failed", 1, self.run_steps(
            "echo 4 passed, 0 failed; exit 1"))

    def test_counts_within_a_line_are_none(self):
        self.assert_ends("1 passed, 0 failed", 0, self.run_steps(
            "echo so far 4 passed, 0 failed"))

    def test_a_step_that_never_ends_is_stopped_and_fails(self):
        run = self.run_steps("sleep 50", "exit 0", before="step_limit=1s")
        self.assert_ends("1 passed, 1 failed", 1, run)
        self.assertIn("stopped after 1s", run.stdout)

    def test_the_table_tells_the_time_of_each_step(self):
        run = self.run_steps("sleep 1.2")
        self.assertRegex(run.stdout, r"(?m)^1 +[1-9][0-9]* s   passed$")
