#!/bin/bash
# Runs a file of Python tests with the distribution's interpreter, which Bazel's
# own Python rules would need a tool chain for. Starts in the runfiles.
exec /usr/bin/python3 -B tests/tools/run_python_test.py "$@"
