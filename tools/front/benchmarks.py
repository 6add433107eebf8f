"""Runs programs of Google Benchmark and gathers their results.

Usage: benchmarks.py --filter=EXPRESSION --json=FILE PROGRAM... -- FLAG...

An empty filter means every benchmark, an empty FILE none. FILE gets one object
as a single program would write it: `context` of the first program, `benchmarks`
of all. Exit code 0 when something ran and no benchmark reported an error.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile


def matching(program, expression):
    """The names of the program's benchmarks that the expression selects."""
    run = subprocess.run(
        [program, "--benchmark_list_tests", f"--benchmark_filter={expression}"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if run.returncode != 0 or "Could not compile" in run.stdout + run.stderr:
        sys.exit(f"bench: {program}: {(run.stderr or run.stdout).strip()}")
    return run.stdout.split()


def run_one(program, expression, flags):
    """Runs the benchmarks, their table on standard output; the results."""
    with tempfile.NamedTemporaryFile(suffix=".json") as results:
        subprocess.run(
            [program, f"--benchmark_filter={expression}",
             f"--benchmark_out={results.name}",
             "--benchmark_out_format=json", *flags], check=True)
        return json.load(results)


def write(results, path):
    """Writes the results so that there is no half-written file at any time."""
    temporary = f"{path}.{os.getpid()}"
    with open(temporary, "w", encoding="utf-8") as out:
        json.dump(results, out, indent=2)
        out.write("\n")
    os.replace(temporary, path)


def main():
    parser = argparse.ArgumentParser(prog="bench")
    parser.add_argument("--filter", default="")
    parser.add_argument("--json", default="")
    parser.add_argument("programs", nargs="*", type=os.path.abspath)
    arguments = sys.argv[1:]
    split = arguments.index("--") if "--" in arguments else len(arguments)
    options = parser.parse_args(arguments[:split])
    flags = arguments[split + 1:]
    expression = options.filter or "."

    results = {"context": {}, "benchmarks": []}
    errors = []
    for program in options.programs:
        if not matching(program, expression):
            continue
        try:
            one = run_one(program, expression, flags)
        except (subprocess.CalledProcessError, ValueError) as error:
            errors.append(f"{program}: {error}")
            continue
        results["context"] = results["context"] or one["context"]
        results["benchmarks"] += one["benchmarks"]
    errors += [f"{benchmark['name']}: {benchmark['error_message']}"
               for benchmark in results["benchmarks"]
               if benchmark.get("error_occurred")]
    if not results["benchmarks"] and not errors:
        sys.exit(f"bench: no benchmark matches '{options.filter}'")
    if options.json:
        try:
            write(results, options.json)
        except OSError as error:
            errors.append(f"cannot write {options.json}: {error.strerror}")
    for error in errors:
        print(f"bench: {error}", file=sys.stderr)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
