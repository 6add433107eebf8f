"""Rules on text of every kind."""

import re

from lint.finding import Finding

# Longer files are hard to read as a whole.
LENGTH_LIMIT = 700
_LENGTH_COUNTS = (".h", ".cc", ".inc", ".py", ".sh", ".bzl", ".bazel")

# Written apart, so that this file does not break its own rule.
_MARKS = re.compile(r"\b(" + "|".join(["TO" "DO", "FIX" "ME", "X" "XX",
                                       "HA" "CK"]) + r")\b")

# A host with one of these words in its name serves packages.
_HOST_WORDS = ("registry|mirrors?|proxy|deb|apt|snapshot|ftp|archive|packages"
               "|pypi|pythonhosted|npmjs|yarnpkg|crates|rubygems|maven|repo1?"
               "|nuget|bcr|goproxy|conda")
_REGISTRY = re.compile(
    r"\b(?:https?|ftp|git)://(?:[\w-]+[.-])*(?:" + _HOST_WORDS +
    r")(?:[.-][\w-]+)*(?=[/:\s\"')>]|$)", re.IGNORECASE)
_DOWNLOAD = re.compile(
    r"\b(?:https?|ftp)://[^\s\"')>]+\.(?:tar|tgz|tar\.\w+|zip|jar|deb|whl|gem"
    r"|crate)\b|\bhttp_(?:archive|file|jar)\s*\(|\bgit_repository\s*\(")


def check_marks(source):
    for number, line in enumerate(source.lines, 1):
        for match in _MARKS.finditer(line):
            yield Finding(source.path, number, "leftover-mark",
                          f"'{match.group(1)}' is left",
                          "do it, or file it outside the code")


def check_registries(source):
    for number, line in enumerate(source.lines, 1):
        match = _REGISTRY.search(line) or _DOWNLOAD.search(line)
        if match:
            yield Finding(source.path, number, "registry-address",
                          f"'{match.group(0)}' fetches packages by address",
                          "take the distribution's package, by name, in "
                          "tools/setup")


def check_length(source):
    if not source.path.endswith(_LENGTH_COUNTS) and "." in source.path:
        return
    count = source.text.count("\n")
    if count > LENGTH_LIMIT:
        yield Finding(source.path, LENGTH_LIMIT + 1, "file-length",
                      f"{count} lines are more than {LENGTH_LIMIT}",
                      "split the file by what its parts are for")


def check_whitespace(source):
    for number, line in enumerate(source.lines, 1):
        if line.endswith(("\r", " ", "\t")):
            yield Finding(source.path, number, "whitespace",
                          "the line ends with blanks or a carriage return",
                          "take them off")
    if source.text and not source.text.endswith("\n"):
        yield Finding(source.path, len(source.lines), "whitespace",
                      "the file does not end with a line end", "add one")


def check_allowances(source):
    for number, reason in source.allowances.items():
        if not reason:
            yield Finding(source.path, number, "allowance",
                          "nothing says why the line is allowed",
                          "write the reason between the parentheses")
