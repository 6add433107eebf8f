"""Rules on the shape of C++ code."""

import re

from lint import rooms
from lint.finding import Finding

_CLOSING = {"(": ")", "[": "]", "{": "}"}


def check_co_await(source):
    """No braces inside a `co_await` expression.

    g++ 12 destroys an aggregate made inside one twice.
    """
    if not source.is_cpp():
        return
    code = source.statements
    for match in re.finditer(r"(?<!operator )\bco_await\b", code):
        depth = 0
        for offset in range(match.end(), len(code)):
            char = code[offset]
            if char == "{":
                yield Finding(
                    source.path, source.line_at(offset), "co-await-braces",
                    "braces inside a co_await expression",
                    "name the value in a variable, then await: g++ 12 "
                    "destroys such a temporary twice")
                break
            if char in "([":
                depth += 1
            elif char in ")]}":
                depth -= 1
            if depth < 0 or (depth == 0 and char in ";,"):
                break


_CONDITION = re.compile(r"\b(?:if|while)\s*\(")


def check_co_await_condition(source):
    """No `co_await` in the condition of an `if` or `while`.

    g++ 12 can put the awaited value at the beginning of the coroutine frame,
    where the pointers are that resuming goes by.
    """
    if not source.is_cpp():
        return
    code = source.statements
    for match in _CONDITION.finditer(code):
        depth = 1
        end = match.end()
        while end < len(code) and depth > 0:
            depth += {"(": 1, ")": -1}.get(code[end], 0)
            end += 1
        found = re.search(r"(?<!operator )\bco_await\b",
                          code[match.end():end])
        if found:
            yield Finding(
                source.path, source.line_at(match.end() + found.start()),
                "co-await-condition", "co_await in a condition",
                "name the awaited value, then test it: g++ 12 may put it over "
                "the beginning of the frame")


_SUSPEND = re.compile(r"\bawait_suspend\s*\(")
_HANDLE_BEFORE = re.compile(
    r"(?:coroutine_handle\s*(?:<[^;{}]*>)?|\w*Handle)\s*[&\s]*(?:[\w<>]+::)*$")


def check_await_suspend(source):
    """`await_suspend` returns void or bool, never a handle.

    Symmetric transfer is no tail call in g++ 12 at -O0 and under sanitizers.
    """
    if not source.is_cpp():
        return
    code = source.statements
    for match in _SUSPEND.finditer(code):
        start = max(code.rfind(char, 0, match.start()) for char in ";{}") + 1
        before = code[start:match.start()]
        wrong = _HANDLE_BEFORE.search(before) is not None
        if re.search(r"\bauto\s+(?:\w+::)*$", before):
            ends = [end for end in (code.find("{", match.end()),
                                    code.find(";", match.end())) if end >= 0]
            after = code[match.end():min(ends, default=len(code))]
            wrong = re.search(r"->\s*(?:void|bool)\s*$", after) is None
        if wrong:
            yield Finding(
                source.path, source.line_at(match.start()),
                "await-suspend-handle", "await_suspend returns a handle",
                "return void or bool and put the waiter on the ready queue")


def check_header_guard(source):
    if not source.is_header():
        return
    guard = rooms.guard_of(source.path)
    directives = [
        (number, " ".join(line.split()))
        for number, line in enumerate(source.lines, 1)
        if line.lstrip().startswith("#")
    ]
    wanted = [f"#ifndef {guard}", f"#define {guard}"]
    for position, text in enumerate(wanted):
        number, found = (directives[position] if position < len(directives)
                         else (1, ""))
        if found != text:
            yield Finding(source.path, number, "header-guard",
                          f"the guard is not {guard}", f"write '{text}'")
            return
    last = source.text.rstrip("\n").rsplit("\n", 1)[-1]
    if last != f"#endif  // {guard}":
        yield Finding(source.path, len(source.lines) - 1, "header-guard",
                      "the header does not end with its guard",
                      f"end with '#endif  // {guard}'")


_HASH_TABLE = re.compile(r"\babsl::(?:flat|node)_hash_(?:map|set)\s*<")


_SORT = re.compile(r"\bsort\s*\(")
_SORT_WITHIN = 4


def hash_tables_of(code):
    """The names declared as hash tables in this code."""
    names = set()
    for match in _HASH_TABLE.finditer(code):
        offset, depth = match.end(), 1
        while offset < len(code) and depth > 0:
            depth += {"<": 1, ">": -1}.get(code[offset], 0)
            offset += 1
        name = re.match(r"[\s&*]*(\w+)\s*(?:[;={,)]|ABSL_|$)", code[offset:])
        if name:
            names.add(name.group(1))
    return names


def check_hash_walk(source, header=None):
    """No walk over a hash table: its order differs between processes.

    A walk that collects what is sorted in one of the next lines is none.
    `header` is the file's own header, whose members the file may walk.
    """
    if not source.is_cpp() or not source.is_below("model", "sim", "scenarios"):
        return
    names = hash_tables_of(source.statements)
    if header is not None:
        names |= hash_tables_of(header.statements)
    if not names:
        return
    one_of = "|".join(sorted(names))
    walk = re.compile(
        rf"\bfor\s*\([^;()]*[^:]:\s*(?:[\w*]+(?:\.|->))*\*?({one_of})\s*\)"
        rf"|\b({one_of})\s*\.\s*c?begin\s*\(")
    lines = source.statements.split("\n")
    for match in walk.finditer(source.statements):
        line = source.line_at(match.start())
        if any(_SORT.search(text) for text in lines[line:line + _SORT_WITHIN]):
            continue
        yield Finding(
            source.path, line, "hash-walk",
            f"'{match.group(1) or match.group(2)}' is a hash table, whose "
            "order differs between processes",
            "walk an absl::btree_map or a sorted vector")


def check_exceptions(source):
    if not source.is_cpp() or source.is_below("tests"):
        return
    for match in re.finditer(r"\b(?:throw|try|catch)\b", source.statements):
        yield Finding(
            source.path, source.line_at(match.start()), "exception",
            f"'{match.group(0)}': the project has no exceptions",
            "return absl::Status, or CHECK")
