"""Runs a file of unittest cases and reports each of them to Bazel.

Usage: run_python_test.py FILE

Writes the XML file that Bazel asks for in XML_OUTPUT_FILE, in the form of
GoogleTest, so that the cases are counted one by one.
"""

import os
import runpy
import sys
import unittest
import xml.etree.ElementTree as ElementTree


class _Result(unittest.TextTestResult):
    """Keeps the outcome of every case.

    None, or what it is in the XML file ("failure", "skipped") and the text.
    """

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.outcomes = {}

    def startTest(self, test):
        super().startTest(test)
        self.outcomes[test.id()] = None

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.outcomes[test.id()] = ("failure", self.failures[-1][1])

    def addError(self, test, err):
        super().addError(test, err)
        self.outcomes[test.id()] = ("failure", self.errors[-1][1])

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.outcomes[test.id()] = ("skipped", reason)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.outcomes[test.id()] = ("failure", f"{subtest}\n{err[1]}")


def _write_xml(outcomes, path):
    suites = ElementTree.Element("testsuites")
    suite = ElementTree.SubElement(suites, "testsuite", name="python")
    for identity, outcome in sorted(outcomes.items()):
        class_name, name = identity.rsplit(".", 2)[-2:]
        case = ElementTree.SubElement(suite, "testcase", name=name,
                                      classname=class_name, status="run")
        if outcome is not None:
            ElementTree.SubElement(case, outcome[0], message=outcome[1])
    ElementTree.ElementTree(suites).write(path, encoding="utf-8")


def main(path):
    names = runpy.run_path(path, run_name="tests")
    loader = unittest.TestLoader()
    suite = unittest.TestSuite(
        loader.loadTestsFromTestCase(value) for value in names.values()
        if isinstance(value, type) and issubclass(value, unittest.TestCase))
    result = unittest.TextTestRunner(resultclass=_Result, verbosity=2).run(suite)
    if result.testsRun == 0:
        sys.exit(f"{path}: no tests")
    if "XML_OUTPUT_FILE" in os.environ:
        _write_xml(result.outcomes, os.environ["XML_OUTPUT_FILE"])
    return 0 if result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
