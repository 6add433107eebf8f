"""tools/groupsim: when it builds, what it prints, where it runs."""

import os
import shutil
import sys
import time

sys.path.insert(0, "tests/tools/front")

from fake_machine import MachineTest  # pylint: disable=wrong-import-position

# Builds a program that tells its folder and arguments and copies its input.
BAZEL = """
case $1 in
  build)
    mkdir -p bazel-out/bin/tools/cli
    printf '%s\\n' '#!/bin/bash' 'echo "in $PWD"' 'printf "[%s]\\n" "$@"' \\
      'cat' 'exit 6' >bazel-out/bin/tools/cli/groupsim
    chmod +x bazel-out/bin/tools/cli/groupsim
    echo "noise of the build" >&2
    echo "noise of the build"
    ;;
  info) echo "$PWD/bazel-out/bin" ;;
esac
"""


class GroupsimTest(MachineTest):
    def setUp(self):
        super().setUp()
        self.machine.put("tools/setup", "#!/bin/bash\n")
        self.machine.put("model/base/time.cc", "")
        self.machine.put("WORKSPACE", "")
        self.machine.pretend("bazel", BAZEL)

    def run_groupsim(self, *arguments, **options):
        return self.machine.run("tools/groupsim", *arguments, **options)

    def builds(self):
        return sum(call.startswith("bazel build")
                   for call in self.machine.calls())

    def settle(self):
        """Waits until a change is later than the build by a second."""
        time.sleep(1.1)
        self.run_groupsim()

    def test_runs_the_program_in_the_callers_folder(self):
        run = self.run_groupsim("run", "a b", "", text_in="input\n")
        self.assertEqual(
            f"in {self.machine.elsewhere}\n[run]\n[a b]\n[]\ninput\n",
            run.stdout)

    def test_leaves_with_the_programs_exit_code(self):
        self.assertEqual(6, self.run_groupsim().returncode)

    def test_prints_nothing_of_its_own_when_the_build_is_quick(self):
        self.assertEqual("", self.run_groupsim().stderr)

    def test_says_in_one_line_that_it_builds_when_that_takes_longer(self):
        self.machine.pretend("bazel", "sleep 2" + BAZEL)
        run = self.run_groupsim()
        self.assertEqual(1, run.stderr.count("\n"), run.stderr)
        self.assertIn("groupsim: building", run.stderr)

    def test_does_not_ask_bazel_when_nothing_changed(self):
        self.run_groupsim()
        self.settle()
        builds = self.builds()
        self.run_groupsim()
        self.assertEqual(builds, self.builds())

    def test_builds_again_after_any_change_of_the_sources(self):
        self.machine.put("model/base/old.cc", "")
        for change in (
                lambda: self.machine.put("model/base/time.cc", "int n;"),
                lambda: self.machine.put("model/novel/novel.cc", ""),
                lambda: os.remove(
                    os.path.join(self.machine.root, "model/base/old.cc")),
                lambda: self.machine.put("WORKSPACE", "#"),
                # A file that is older than the build takes its place.
                lambda: os.utime(
                    self.machine.put("model/base/time.cc", "char c;"), (1, 1)),
        ):
            self.run_groupsim()
            self.settle()
            builds = self.builds()
            change()
            self.run_groupsim()
            self.assertEqual(builds + 1, self.builds())

    def test_builds_again_when_the_program_is_gone(self):
        self.run_groupsim()
        self.settle()
        builds = self.builds()
        shutil.rmtree(os.path.join(self.machine.root, "bazel-out/bin"))
        self.assertEqual(6, self.run_groupsim().returncode)
        self.assertEqual(builds + 1, self.builds())

    def test_works_through_a_link(self):
        link = os.path.join(self.machine.elsewhere, "gs")
        os.symlink(os.path.join(self.machine.root, "tools/groupsim"), link)
        run = self.machine.run(link, "help")
        self.assertIn("[help]", run.stdout)

    def test_a_build_that_fails_is_told_with_all_that_bazel_said(self):
        self.machine.pretend("bazel", "echo broken code; exit 1")
        run = self.run_groupsim()
        self.assertEqual(69, run.returncode)
        self.assertEqual("", run.stdout)
        self.assertIn("broken code", run.stderr)
        self.assertIn("could not be built", run.stderr)

    def test_a_build_that_failed_is_tried_again(self):
        self.machine.pretend("bazel", "exit 1")
        self.run_groupsim()
        self.machine.pretend("bazel", BAZEL)
        self.assertEqual(6, self.run_groupsim().returncode)

    def test_a_setup_that_fails_stops_it(self):
        self.machine.put("tools/setup", "#!/bin/bash\necho no >&2; exit 1\n")
        run = self.run_groupsim()
        self.assertEqual((69, "", "no\n"),
                         (run.returncode, run.stdout, run.stderr))
        self.assertEqual(0, self.builds())

    def test_leaves_no_file_behind(self):
        self.run_groupsim()
        self.assertEqual([], os.listdir(self.machine.elsewhere))
