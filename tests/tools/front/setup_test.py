"""tools/setup on machines of several kinds."""

import os
import re
import sys

sys.path.insert(0, "tests/tools/front")

from fake_machine import MachineTest  # pylint: disable=wrong-import-position

# Knows the packages that the file `installed` lists, as dpkg-query does.
DPKG_QUERY = """
for name in "${@:4}"; do
  grep -qx "$name" installed && echo "installed $name"
done
exit 1
"""

# Installs, once the lists are there; a package named `broken` never.
APT_GET = """
for word in "$@"; do
  case $word in
    update) touch lists; exit ;;
    install) is_install=1 ;;
  esac
done
[[ -e lists ]] || { echo "E: Unable to locate package" >&2; exit 100; }
[[ ! -e broken ]] || { echo "E: the network is down" >&2; exit 100; }
for word in "$@"; do
  [[ $word == -* || $word == install ]] || echo "$word" >>installed
done
"""


class SetupTest(MachineTest):
    def setUp(self):
        super().setUp()
        self.machine.pretend("dpkg-query", DPKG_QUERY)
        self.machine.pretend("apt-get", APT_GET)
        self.machine.pretend("id", "echo 0")
        self.put("installed", "")
        self.put("lists", "")

    def put(self, name, text):
        with open(os.path.join(self.machine.elsewhere, name), "w",
                  encoding="utf-8") as file:
            file.write(text)

    def installed(self):
        with open(os.path.join(self.machine.elsewhere, "installed"),
                  encoding="utf-8") as file:
            return file.read().split()

    def apt_calls(self):
        return [call for call in self.machine.calls()
                if call.startswith("apt-get")]

    def test_installs_what_is_missing_and_says_what_for(self):
        run = self.machine.run("tools/setup")
        self.assertEqual(0, run.returncode, run.stderr)
        self.assertIn("bazel-bootstrap", self.installed())
        self.assertIn("libabsl-dev", self.installed())
        self.assertRegex(run.stderr, r"bazel-bootstrap +the build tool")
        self.assertEqual("", run.stdout)

    def test_is_silent_and_installs_nothing_when_all_is_there(self):
        self.machine.run("tools/setup")
        before = len(self.apt_calls())
        run = self.machine.run("tools/setup")
        self.assertEqual((0, "", ""), (run.returncode, run.stdout, run.stderr))
        self.assertEqual(before, len(self.apt_calls()))

    def test_installs_only_what_is_missing(self):
        self.machine.run("tools/setup")
        self.put("installed", "\n".join(
            name for name in self.installed() if name != "g++") + "\n")
        run = self.machine.run("tools/setup")
        self.assertEqual(0, run.returncode)
        self.assertRegex(self.apt_calls()[-1], r"install .*[^ ]+ g\+\+$")
        self.assertNotIn("libabsl-dev", self.apt_calls()[-1])

    def test_only_the_profile_for_checks_takes_the_second_compiler(self):
        self.machine.run("tools/setup")
        self.assertNotIn("clang", self.installed())
        self.machine.run("tools/setup", "--ci")
        self.assertIn("clang", self.installed())
        self.assertIn("clang-format", self.installed())

    def test_asks_no_question(self):
        self.machine.pretend("env", 'printf "%s\\n" "$*" >>environment\n'
                             'while [[ $1 == *=* ]]; do shift; done; "$@"')
        self.machine.run("tools/setup")
        with open(os.path.join(self.machine.elsewhere, "environment"),
                  encoding="utf-8") as file:
            self.assertIn("DEBIAN_FRONTEND=noninteractive", file.read())
        self.assertRegex(self.apt_calls()[0], r" -y ")

    def test_fetches_the_package_lists_when_they_are_missing(self):
        os.remove(os.path.join(self.machine.elsewhere, "lists"))
        run = self.machine.run("tools/setup")
        self.assertEqual(0, run.returncode, run.stderr)
        self.assertEqual(["install", "update", "install"], [
            re.search(r"\b(install|update)\b", call).group(1)
            for call in self.apt_calls()])

    def test_a_failure_of_apt_is_told_with_its_words(self):
        self.put("broken", "")
        run = self.machine.run("tools/setup")
        self.assertEqual(1, run.returncode)
        self.assertIn("E: the network is down", run.stderr)
        self.assertIn("could not install: bazel-bootstrap", run.stderr)

    def test_a_package_still_missing_after_success_is_a_failure(self):
        self.machine.pretend("apt-get", "exit 0")
        run = self.machine.run("tools/setup")
        self.assertEqual(1, run.returncode)
        self.assertIn("still missing", run.stderr)

    def test_elsewhere_than_on_debian_it_says_what_is_needed(self):
        os.remove(os.path.join(self.machine.bin, "apt-get"))
        run = self.machine.run("tools/setup")
        self.assertEqual(1, run.returncode)
        self.assertIn("has no apt-get", run.stderr)
        self.assertIn("bazel-bootstrap", run.stderr)

    def test_without_root_and_sudo_it_says_what_to_run(self):
        self.machine.pretend("id", "echo 1000")
        run = self.machine.run("tools/setup")
        self.assertEqual(1, run.returncode)
        self.assertIn("apt-get install bazel-bootstrap g++", run.stderr)
        self.assertEqual([], self.installed())

    def test_without_root_it_goes_through_sudo_that_never_waits(self):
        self.machine.pretend("id", "echo 1000")
        self.machine.pretend("sudo", '[[ $1 == -n ]] && shift; "$@"')
        run = self.machine.run("tools/setup")
        self.assertEqual(0, run.returncode, run.stderr)
        self.assertIn("g++", self.installed())
        sudo = [call for call in self.machine.calls()
                if call.startswith("sudo")]
        self.assertTrue(sudo[0].startswith("sudo -n env "), sudo)

    def test_check_tells_and_installs_nothing(self):
        run = self.machine.run("tools/setup", "--check")
        self.assertEqual(1, run.returncode)
        self.assertIn("libabsl-dev", run.stderr)
        self.assertEqual([], self.apt_calls())

    def test_an_unknown_argument_is_refused(self):
        run = self.machine.run("tools/setup", "--frob")
        self.assertEqual(1, run.returncode)
        self.assertIn("--frob", run.stderr)
