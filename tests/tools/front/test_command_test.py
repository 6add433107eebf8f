"""tools/test: what it asks of Bazel and how it counts."""

import json
import os
import sys
import urllib.parse

sys.path.insert(0, "tests/tools/front")

from fake_machine import MachineTest  # pylint: disable=wrong-import-position

# Copies the file `events` to where the caller wants the events, and leaves with
# the code in the file `status`.
BAZEL = """
for word in "$@"; do
  case $word in
    --build_event_json_file=*) cp_to=${word#*=} ;;
  esac
done
cat "$HOME/events" >"$cp_to"
exit "$(cat "$HOME/status")"
"""

XML = """<testsuites><testsuite name="ATest">{}</testsuite></testsuites>"""
GOOD = '<testcase name="Good{}" classname="ATest" status="run"/>'
BAD = ('<testcase name="Bad" classname="ATest" status="run">'
       '<failure message="one is not two"/></testcase>')
SKIPPED = ('<testcase name="Skipped" classname="ATest" status="run">'
           '<skipped/></testcase>')
DISABLED = '<testcase name="DISABLED_A" classname="ATest" status="notrun"/>'
# What Bazel writes for a program that wrote no file.
WHOLE = '<testcase name="a_test" status="run"/>'
WHOLE_BAD = ('<testcase name="a_test" status="run">'
             '<error message="exited with error code 134"/></testcase>')


class TestCommandTest(MachineTest):
    def setUp(self):
        super().setUp()
        self.machine.put("tools/setup", "#!/bin/bash\n")
        self.machine.pretend("bazel", BAZEL)
        self.events = []
        self.status = 0

    def put(self, name, text):
        path = os.path.join(self.machine.elsewhere, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def add(self, label, status, cases=None, log="", shard=1, attempt=1):
        """A test program that Bazel ran, with the cases of its XML file."""
        name = f"{label[2:].replace(':', ' ')} {shard}"
        files = [("test.log", self.put(f"{name}.log", log))]
        if cases is not None:
            files.append(("test.xml", self.put(f"{name}.xml",
                                               XML.format("".join(cases)))))
        self.events.append({
            "id": {"testResult": {"label": label, "shard": shard, "run": 1,
                                  "attempt": attempt}},
            "testResult": {
                "status": status,
                "testActionOutput": [
                    {"name": kind,
                     "uri": "file://" + urllib.parse.quote(path)}
                    for kind, path in files]}})
        if status not in ("PASSED", "FLAKY"):
            self.status = 3

    def run_test(self, *arguments):
        self.put("events", "".join(json.dumps(event) + "\n"
                                   for event in self.events))
        self.put("status", str(self.status))
        return self.machine.run("tools/test", *arguments)

    def assert_ends(self, line, code, run):
        self.assertEqual(line, run.stdout.splitlines()[-1])
        self.assertEqual(code, run.returncode)

    def bazel_call(self):
        return [call for call in self.machine.calls()
                if call.startswith("bazel test")][-1]

    def test_counts_cases_not_programs(self):
        self.add("//a:a_test", "PASSED", [GOOD.format(i) for i in range(3)])
        self.add("//a:b_test", "PASSED", [GOOD.format(i) for i in range(2)])
        self.assert_ends("5 passed, 0 failed", 0, self.run_test())

    def test_a_failed_case_is_named_with_its_reason(self):
        self.add("//a:a_test", "FAILED", [GOOD.format(1), BAD])
        run = self.run_test()
        self.assert_ends("1 passed, 1 failed", 1, run)
        self.assertIn("FAILED //a:a_test: ATest.Bad\n    one is not two\n",
                      run.stdout)

    def test_a_program_without_cases_counts_as_one(self):
        self.add("//a:a_test", "PASSED", [WHOLE])
        self.add("//a:b_test", "PASSED")
        self.assert_ends("2 passed, 0 failed", 0, self.run_test())

    def test_a_crash_is_a_failure_with_the_end_of_the_log(self):
        self.add("//a:a_test", "FAILED", [WHOLE_BAD],
                 "heading\n-----\n[ RUN ] A.B\nsegmentation fault\n")
        run = self.run_test()
        self.assert_ends("0 passed, 1 failed", 1, run)
        self.assertIn("    segmentation fault\n", run.stdout)
        self.assertNotIn("heading", run.stdout)

    def test_a_program_that_never_ended_is_a_failure_without_a_file(self):
        self.add("//a:a_test", "TIMEOUT")
        run = self.run_test()
        self.assert_ends("0 passed, 1 failed", 1, run)
        self.assertIn("//a:a_test: timeout", run.stdout)

    def test_a_leak_after_the_last_case_is_a_failure(self):
        self.add("//a:a_test", "FAILED", [GOOD.format(1)], "leaked 4 bytes\n")
        run = self.run_test()
        self.assert_ends("1 passed, 1 failed", 1, run)
        self.assertIn("leaked 4 bytes", run.stdout)

    def test_a_file_cut_short_is_a_failure(self):
        self.add("//a:a_test", "FAILED", [GOOD.format(1)])
        self.put("a a_test 1.xml", "<testsuites><testsu")
        self.assert_ends("0 passed, 1 failed", 1, self.run_test())

    def test_skipped_and_disabled_cases_do_not_pass(self):
        self.add("//a:a_test", "PASSED", [GOOD.format(1), SKIPPED, DISABLED])
        run = self.run_test()
        self.assert_ends("1 passed, 0 failed", 0, run)
        self.assertIn("\n1 skipped\n", "\n" + run.stdout)

    def test_the_shards_of_a_program_add_up(self):
        self.add("//a:a_test", "PASSED", [GOOD.format(1)], shard=1)
        self.add("//a:a_test", "PASSED", [GOOD.format(2)], shard=2)
        self.assert_ends("2 passed, 0 failed", 0, self.run_test())

    def test_of_several_attempts_the_last_one_counts(self):
        self.add("//a:a_test", "FAILED", [BAD], attempt=1)
        self.add("//a:a_test", "PASSED", [GOOD.format(1)], attempt=2)
        self.status = 0
        self.assert_ends("1 passed, 0 failed", 0, self.run_test())

    def test_what_could_not_be_built_is_a_failure(self):
        self.add("//a:a_test", "PASSED", [GOOD.format(1)])
        self.events.append({
            "id": {"targetCompleted": {"label": "//a:b_test"}},
            "completed": {"success": False}})
        self.status = 1
        run = self.run_test()
        self.assert_ends("1 passed, 1 failed", 1, run)
        self.assertIn("//a:b_test: could not be built", run.stdout)

    def test_a_fault_of_bazel_itself_is_a_failure(self):
        self.status = 37
        self.assert_ends("0 passed, 1 failed", 1, self.run_test())

    def test_no_test_at_all_is_no_success(self):
        self.status = 4
        run = self.run_test("//a:nothing")
        self.assert_ends("0 passed, 0 failed", 1, run)
        self.assertIn("no test matches", run.stdout)

    def test_asks_for_everything_but_the_nightly_tests(self):
        self.run_test()
        self.assertRegex(self.bazel_call(),
                         r" --test_tag_filters=-nightly .*-- //\.\.\.$")
        self.assertIn(" -c opt ", self.bazel_call())

    def test_flags_and_targets_are_handed_on(self):
        self.run_test("//a:a_test", "--config=asan", "-//b:all",
                      "--test_filter=A b")
        self.assertRegex(
            self.bazel_call(),
            r" --config=asan --test_filter=A b -- //a:a_test -//b:all$")
        self.assertNotIn("nightly", self.bazel_call())

    def test_a_configuration_chooses_its_own_optimisation(self):
        self.run_test("--config=asan")
        self.assertNotIn(" -c ", self.bazel_call())
        self.run_test("-c", "dbg")
        self.assertIn(" -c dbg ", self.bazel_call())
        self.assertNotIn(" -c opt ", self.bazel_call())
