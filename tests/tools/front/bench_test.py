"""tools/bench: which benchmarks run, and what is written of them."""

import json
import os
import sys

sys.path.insert(0, "tests/tools/front")

from fake_machine import MachineTest  # pylint: disable=wrong-import-position

# Knows one benchmark, of the name that takes the place of NAME, as a program
# of Google Benchmark does.
PROGRAM = """#!/usr/bin/python3
import json, re, sys
flags = dict(word[2:].split("=", 1) for word in sys.argv[1:] if "=" in word)
result = {"name": "NAME", "flags": sys.argv[1:]}
if "Broken" in "NAME":
    result.update(error_occurred=True, error_message="does not add up")
if re.search(flags["benchmark_filter"], "NAME"):
    if "--benchmark_list_tests" in sys.argv:
        print("NAME")
    else:
        print("NAME took 1 ns")
        with open(flags["benchmark_out"], "w") as out:
            json.dump({"context": {"cpus": 2}, "benchmarks": [result]}, out)
"""

BAZEL = """
[[ $1 != cquery ]] || printf '%s\\n' first second
"""


class BenchTest(MachineTest):
    def setUp(self):
        super().setUp()
        self.machine.put("tools/setup", "#!/bin/bash\n")
        self.machine.pretend("bazel", BAZEL)
        self.machine.put("first", PROGRAM.replace("NAME", "Heap/push"))
        self.machine.put("second", PROGRAM.replace("NAME", "Ring/build"))

    def read(self, name):
        with open(os.path.join(self.machine.elsewhere, name),
                  encoding="utf-8") as file:
            return json.load(file)

    def test_runs_every_benchmark(self):
        run = self.machine.run("tools/bench")
        self.assertEqual(0, run.returncode, run.stderr)
        self.assertEqual("Heap/push took 1 ns\nRing/build took 1 ns\n",
                         run.stdout)

    def test_a_filter_chooses(self):
        run = self.machine.run("tools/bench", "^Ring")
        self.assertEqual("Ring/build took 1 ns\n", run.stdout)

    def test_results_of_all_programs_are_in_one_file(self):
        self.machine.run("tools/bench", "--json=all.json")
        results = self.read("all.json")
        self.assertEqual({"cpus": 2}, results["context"])
        self.assertEqual(["Heap/push", "Ring/build"],
                         [one["name"] for one in results["benchmarks"]])

    def test_flags_of_google_benchmark_are_handed_on(self):
        self.machine.run("tools/bench", "Heap", "--json=one.json",
                         "--benchmark_min_time=0.1")
        self.assertIn("--benchmark_min_time=0.1",
                      self.read("one.json")["benchmarks"][0]["flags"])

    def test_a_filter_that_matches_nothing_is_a_failure(self):
        run = self.machine.run("tools/bench", "Heep", "--json=none.json")
        self.assertEqual(1, run.returncode)
        self.assertIn("no benchmark matches 'Heep'", run.stderr)
        self.assertEqual([], os.listdir(self.machine.elsewhere))

    def test_a_benchmark_that_reports_an_error_is_a_failure(self):
        self.machine.put("second", PROGRAM.replace("NAME", "Broken"))
        run = self.machine.run("tools/bench")
        self.assertEqual(1, run.returncode)
        self.assertIn("Broken: does not add up", run.stderr)

    def test_a_program_that_crashes_is_a_failure_and_the_others_run(self):
        self.machine.put("first", PROGRAM.replace("NAME", "Heap").replace(
            "took", "{}\" + 3 + \""))
        run = self.machine.run("tools/bench")
        self.assertEqual(1, run.returncode)
        self.assertIn("Ring/build took", run.stdout)

    def test_wrong_usage_is_told_before_anything_is_built(self):
        for arguments in (("--jsn=x",), ("Heap", "Ring"),
                          ("--json=no/such/folder/x.json",)):
            with self.subTest(arguments=arguments):
                run = self.machine.run("tools/bench", *arguments)
                self.assertEqual(1, run.returncode)
                self.assertNotEqual("", run.stderr)
        self.assertEqual([], self.machine.calls())
