"""Whether C++ is as clang-format would write it."""

import concurrent.futures
import os
import re
import shutil
import subprocess

from lint.finding import Finding

RULE = "format"
# Other releases lay out some code otherwise.
RELEASE = "14"
_BATCH = 20

_COMPLAINT = re.compile(r"^(?P<path>.+?):(?P<line>\d+):\d+: ")


def tool():
    """Path of the program, or None and what is wrong."""
    for name in (f"clang-format-{RELEASE}", "clang-format"):
        path = shutil.which(name)
        if path is None:
            continue
        version = subprocess.run([path, "--version"], stdout=subprocess.PIPE,
                                 text=True, check=False).stdout
        if re.search(rf"\bversion {RELEASE}\.", version):
            return path, None
    return None, f"clang-format {RELEASE} is not installed"


def _complaints(path_of_tool, root, paths):
    run = subprocess.run([path_of_tool, "--dry-run", "--Werror", *paths],
                         cwd=root, stderr=subprocess.PIPE, text=True,
                         check=False)
    first = {}
    for line in run.stderr.splitlines():
        match = _COMPLAINT.match(line)
        if match:
            first.setdefault(match.group("path"), int(match.group("line")))
    return first


def check(root, sources):
    """One finding for each file, at the first line to change."""
    paths = [source.path for source in sources
             if source.path.endswith((".h", ".cc"))]
    if not paths:
        return
    path_of_tool, problem = tool()
    if path_of_tool is None:
        yield Finding(paths[0], 1, RULE, problem, "run tools/setup --ci")
        return
    batches = [paths[i:i + _BATCH] for i in range(0, len(paths), _BATCH)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for first in pool.map(
                lambda batch: _complaints(path_of_tool, root, batch), batches):
            for path, line in first.items():
                yield Finding(path, line, RULE,
                              "differs from what clang-format writes",
                              f"run clang-format -i {path}")
