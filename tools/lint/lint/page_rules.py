"""Rules on pages that name other files."""

import re

from lint.finding import Finding

RULE = "named-test"

# What a page calls by name: a file below the root, or, behind a file, a test in
# it.
_CODE = re.compile(r"`([^`]+)`")
_FILE = re.compile(r"^(?:tests|scenarios)/[\w/.-]+$")
_TEST = re.compile(r"^(?=.*[a-z])(?:[A-Z][a-z0-9]*){3,}$")

_PAGE = "docs/cases.md"


def check_named_tests(sources):
    """Files and tests that the page of cases names and that are not there."""
    by_path = {source.path: source for source in sources}
    page = by_path.get(_PAGE)
    if page is None:
        return
    folders = {path.split("/")[0] for path in by_path}
    for number, line in enumerate(page.lines, 1):
        if not line.startswith("|"):
            continue
        file = None
        for name in _CODE.findall(line):
            if _FILE.match(name):
                file = by_path.get(name)
                # Where only some files are checked, others may be there.
                if file is None and name.split("/")[0] in folders:
                    yield Finding(page.path, number, RULE,
                                  f"there is no {name}", "name what asserts it")
            elif _TEST.match(name) and file is not None:
                if not re.search(rf"\b{name}\s*\)", file.text):
                    yield Finding(page.path, number, RULE,
                                  f"{file.path} has no test {name}",
                                  "name what asserts it")
