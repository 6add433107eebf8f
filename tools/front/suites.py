"""Keeps the lists of tests and of benchmarks in the root's BUILD.bazel.

Usage: suites.py          writes the lists anew
       suites.py --check  exit code 1, and what to do, when they are not current

Tests are the targets of test rules without the tag `nightly`, benchmarks the
programs with the tag `bench`.
"""

import os
import re
import subprocess
import sys

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
BUILD = os.path.join(ROOT, "BUILD.bazel")

# Name of the target in the root, attribute, query of what belongs there.
LISTS = [
    ("tests", "tests", 'kind(".*_test rule", //...) '
     'except attr("tags", "\\bnightly\\b", //...)'),
    ("bench", "srcs", 'attr("tags", "\\bbench\\b", kind("cc_binary", //...))'),
]


def query(expression):
    run = subprocess.run(
        ["bazel", "query", "--noshow_progress", "--ui_event_filters=-info",
         expression], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False,
        stdin=subprocess.DEVNULL)
    if run.returncode != 0:
        sys.exit(f"suites: bazel query failed with exit code {run.returncode}")
    return sorted(run.stdout.split())


def with_list(build, name, attribute, labels):
    """The text of the BUILD file with this list in the target's place."""
    lines = "".join(f'        "{label}",\n' for label in labels)
    pattern = re.compile(
        rf'(name = "{name}",\n(?:    (?!{attribute} = ).*\n)*'
        rf'    {attribute} = \[\n)(?:        .*\n)*(    \],\n)')
    if not pattern.search(build):
        sys.exit(f"suites: no list '{attribute}' of '{name}' in BUILD.bazel")
    return pattern.sub(lambda match: match.group(1) + lines + match.group(2),
                       build, count=1)


def main(arguments):
    if arguments not in ([], ["--check"]):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    with open(BUILD, encoding="utf-8") as file:
        before = file.read()
    after = before
    for name, attribute, expression in LISTS:
        after = with_list(after, name, attribute, query(expression))
    if after == before:
        return 0
    if arguments:
        print("BUILD.bazel:1: error: suites: the lists of //:tests and //:bench"
              " are not current; run tools/front/suites.py")
        return 1
    with open(BUILD, "w", encoding="utf-8") as file:
        file.write(after)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
