#!/usr/bin/env python3
"""Runs the commands shown on a page again and writes down what they print.

    tools/docs/refresh_examples.py docs/strategies.md

An example is an indented line "$ groupsim ..." and the indented lines below it.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
INDENT = "    "
PROMPT = INDENT + "$ groupsim "
PROGRAM = ROOT / "tools" / "groupsim"


def refreshed(text):
    """The text with the output of every example made anew."""
    lines = text.split("\n")
    result = []
    i = 0
    while i < len(lines):
        line = lines[i]
        result.append(line)
        i += 1
        if not line.startswith(PROMPT):
            continue
        # The old output: indented lines, and empty ones between them.
        while i < len(lines) and not lines[i].startswith(PROMPT) and (
                lines[i].startswith(INDENT) or not lines[i].strip()):
            i += 1
        done = subprocess.run(
            [str(PROGRAM)] + line[len(PROMPT):].split(),
            cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
        result += [(INDENT + out).rstrip() for out in
                   done.stdout.rstrip("\n").split("\n")]
        result.append("")
    return "\n".join(result)


def main():
    if len(sys.argv) < 2 or sys.argv[1].startswith("-"):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(refreshed(path.read_text()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
