"""Counts the test cases of a run of `bazel test`.

Usage: test_report.py EVENTS STATUS

EVENTS is the file that --build_event_json_file named, STATUS Bazel's exit code.
Prints what failed and why, and, last, "N passed, M failed". Exit code 0 when
all passed.

The cases are those of each program's XML file. A program that did not pass
counts as at least one failed case, whatever its file says: it may have crashed
before writing one, or have leaked memory after its last case.
"""

import json
import sys
import urllib.parse
import xml.etree.ElementTree as ElementTree

# Of a message or a log, this many lines are shown.
LINES_SHOWN = 40


class Program:
    """One shard of one test program, as run last."""

    def __init__(self, label, result):
        self.label = label
        self.status = result.get("status", "NO_STATUS")
        self.files = {
            output["name"]: path_of(output["uri"])
            for output in result.get("testActionOutput", [])
            if "uri" in output
        }

    def passed(self):
        return self.status in ("PASSED", "FLAKY")

    def cases(self):
        """The cases that ran, of the XML file; none where it is unreadable."""
        try:
            tree = ElementTree.parse(self.files.get("test.xml", ""))
        except (OSError, ElementTree.ParseError):
            return []
        return [case for case in tree.iter("testcase")
                if case.get("status") != "notrun"]

    def end_of_log(self):
        try:
            with open(self.files.get("test.log", ""), encoding="utf-8",
                      errors="replace") as log:
                lines = log.read().splitlines()
        except OSError:
            return []
        # Bazel's own heading ends with a rule.
        for number, line in enumerate(lines[:4]):
            if line.startswith("-----"):
                lines = lines[number + 1:]
                break
        return lines[-LINES_SHOWN:]


class Report:
    """What the events and the files they name say, added up."""

    def __init__(self):
        self.passed = 0
        self.skipped = 0
        self.failures = []  # Pairs of a name and lines that explain it.

    def add_program(self, program):
        failed_before = len(self.failures)
        cases = program.cases()
        for case in cases:
            self._add_case(program, case)
        if program.passed():
            if not cases:
                self.passed += 1
        elif len(self.failures) == failed_before:
            how = program.status.lower().replace("_", " ")
            self.failures.append((f"{program.label}: {how}",
                                  program.end_of_log()))

    def _add_case(self, program, case):
        failures = case.findall("failure")
        if failures:
            name = f"{case.get('classname')}.{case.get('name')}"
            lines = "\n".join(failure.get("message") or failure.text or ""
                              for failure in failures).splitlines()
            self.failures.append((f"{program.label}: {name}",
                                  lines[:LINES_SHOWN]))
        elif case.find("error") is not None:
            # Bazel writes this file for a program that wrote none itself.
            self.failures.append((f"{program.label}: whole program",
                                  program.end_of_log()))
        elif case.find("skipped") is not None:
            self.skipped += 1
        else:
            self.passed += 1


def path_of(uri):
    return urllib.parse.unquote(urllib.parse.urlparse(uri).path)


def read_events(lines):
    """Yields the events; a line cut short by a crash of Bazel is left out."""
    for line in lines:
        try:
            yield json.loads(line)
        except ValueError:
            pass


def make_report(events, bazel_status):
    report = Report()
    programs = {}
    unbuilt = []
    for event in events:
        identity = event.get("id", {})
        if "testResult" in event and "testResult" in identity:
            key = identity["testResult"]
            label = key["label"]
            programs[label, key.get("run", 1), key.get("shard", 1)] = \
                Program(label, event["testResult"])
        elif "targetCompleted" in identity:
            if not event.get("completed", {}).get("success", False):
                unbuilt.append(identity["targetCompleted"]["label"])
    for _, program in sorted(programs.items(), key=lambda item: item[0]):
        report.add_program(program)
    for label in sorted(set(unbuilt)):
        report.failures.append((f"{label}: could not be built", []))
    # Bazel's code 4: everything was built, and there was no test.
    if bazel_status not in (0, 4) and not report.failures:
        report.failures.append(
            (f"bazel stopped with exit code {bazel_status}; see above", []))
    return report


def main(arguments):
    bazel_status = int(arguments[2])
    with open(arguments[1], encoding="utf-8") as lines:
        report = make_report(read_events(lines), bazel_status)
    for name, explanation in report.failures:
        print(f"FAILED {name}")
        for line in explanation:
            print(f"    {line}")
    if report.skipped:
        print(f"{report.skipped} skipped")
    if bazel_status == 4:
        print("no test matches")
    print(f"{report.passed} passed, {len(report.failures)} failed")
    return 0 if bazel_status == 0 and not report.failures else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv))
