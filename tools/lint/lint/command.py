"""The command: which files, which rules, what to print."""

import os
import re
import subprocess
import sys

from lint import (banned_names, cpp_rules, formatting, mutable_state,
                  page_rules, rooms, text_rules)
from lint.source import Source

RULES = {
    "format": "C++ is as clang-format writes it",
    banned_names.RULE: "model/ and sim/ use nothing that differs between runs",
    rooms.RULE: "rooms include only what the house allows",
    rooms.CYCLE_RULE: "no two rooms include each other",
    "co-await-braces": "no braces inside a co_await expression",
    "co-await-condition": "no co_await in a condition",
    "await-suspend-handle": "await_suspend returns no handle",
    "hash-walk": "no walk over a hash table",
    mutable_state.RULE: "no state outlives a world",
    "exception": "no exceptions of our own",
    "header-guard": "a header's guard is its path",
    "leftover-mark": "no marks of unfinished work",
    "registry-address": "nothing is fetched by address",
    "file-length": f"at most {text_rules.LENGTH_LIMIT} lines",
    "whitespace": "no blanks at line ends; a line end at the end",
    "allowance": "an exception to a rule says why",
    page_rules.RULE: "tests that docs/cases.md names are there",
}

_FILE_RULES = [
    banned_names.check,
    mutable_state.check,
    rooms.check,
    cpp_rules.check_co_await,
    cpp_rules.check_co_await_condition,
    cpp_rules.check_await_suspend,
    cpp_rules.check_exceptions,
    cpp_rules.check_header_guard,
    text_rules.check_marks,
    text_rules.check_registries,
    text_rules.check_length,
    text_rules.check_whitespace,
    text_rules.check_allowances,
]


def check_sources(sources):
    """The findings of all rules but the format, sorted by place.

    What a line allows is left out.
    """
    by_path = {source.path: source for source in sources}
    findings = []
    for source in sources:
        for rule in _FILE_RULES:
            findings += rule(source)
        header = by_path.get(os.path.splitext(source.path)[0] + ".h")
        findings += cpp_rules.check_hash_walk(
            source, header if header is not source else None)
    findings += rooms.check_cycles(sources)
    findings += page_rules.check_named_tests(sources)
    return sorted({
        finding for finding in findings
        if not by_path[finding.path].allows(finding.line)
    })


# No text has these.
_BINARY = re.compile("[\x00-\x08\x0e-\x1f]")


def _tracked(root):
    """Paths below the root that git tracks; all files where there is no git."""
    try:
        listed = subprocess.run(["git", "-C", root, "ls-files", "-z"],
                                stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, check=True).stdout
        return [os.fsdecode(path) for path in listed.split(b"\0") if path]
    except (OSError, subprocess.CalledProcessError):
        return list(_below(root, root))


def _below(root, folder):
    for current, folders, files in os.walk(folder):
        folders[:] = [name for name in folders
                      if name != ".git" and not name.startswith("bazel-")]
        for name in files:
            yield os.path.relpath(os.path.join(current, name), root)


def _named(root, arguments):
    """Paths below the root of the files that the arguments name."""
    for argument in arguments:
        path = os.path.realpath(argument)
        if not os.path.exists(path):
            sys.exit(f"lint: {argument}: no such file or folder")
        if os.path.isdir(path):
            yield from _below(root, path)
        else:
            yield os.path.relpath(path, root)


def _read(root, paths):
    """The sources of these paths; binary and vanished files are left out."""
    for path in sorted(set(paths)):
        full = os.path.join(root, path)
        if os.path.islink(full) or not os.path.isfile(full):
            continue
        try:
            with open(full, encoding="utf-8", newline="") as file:
                text = file.read()
        except UnicodeDecodeError:
            continue
        if _BINARY.search(text):
            continue
        yield Source(path, text)


def main(arguments, usage):
    root = os.path.realpath(
        os.path.join(os.path.dirname(os.path.realpath(__file__)), "../../.."))
    if arguments and arguments[0] in ("-h", "--help"):
        print(usage.strip())
        return 0
    if arguments == ["--list"]:
        for rule, meaning in RULES.items():
            print(f"{rule:22}{meaning}")
        return 0
    if any(argument.startswith("-") for argument in arguments):
        print("lint: unknown flag; see tools/lint/run --help", file=sys.stderr)
        return 2
    paths = _named(root, arguments) if arguments else _tracked(root)
    sources = list(_read(root, paths))
    findings = sorted(check_sources(sources) +
                      list(formatting.check(root, sources)))
    for finding in findings:
        print(finding)
    if findings:
        files = len({finding.path for finding in findings})
        print(f"lint: {len(findings)} findings in {files} files")
        return 1
    print(f"lint: {len(sources)} files, no findings")
    return 0
