"""State that outlives a world: mutable globals and statics."""

import re

from lint.finding import Finding

RULE = "mutable-static"
FOLDERS = ("model", "sim", "scenarios")
_REMEDY = "no state outlives a world; make it a member, or const"

_ACCESS = re.compile(r"\b(?:public|private|protected)\s*:(?!:)")
_STATIC = re.compile(r"^(?:inline\s+)?(?:static|thread_local)\b")
_CONSTANT = re.compile(r"\b(?:const|constexpr|consteval)\b")
_NO_VARIABLE = re.compile(
    r"^(?:using|typedef|template|class|struct|union|enum|friend|namespace"
    r"|static_assert|concept|requires|public|private|protected|return"
    r"|extern\s+\")\b|\boperator\b")
_VARIABLE = re.compile(
    r"^(?:(?:inline|static|thread_local|constinit|extern)\s+)*"
    r"[\w:]+(?:\s*<.*>)?(?:::\w+)*[\s*&]+[\w:]+(?:\s*\[[^]]*\])*$", re.DOTALL)


def _kind_of_block(head):
    """What the block after `head` is: namespace, type, enum or code."""
    if re.search(r"\bnamespace\b", head) or \
       re.search(r'^extern\s+"', head):
        return "namespace"
    if re.search(r"\benum\b", head):
        return "enum"
    keyword = None
    for keyword in re.finditer(r"\b(?:class|struct|union)\b", head):
        pass
    if keyword is not None and not re.search(r"[(=]", head[keyword.end():]):
        return "type"
    return "code"


def _is_mutable(head, scope):
    """Whether the statement declares state that lives on and may change."""
    declared = head.split("=", 1)[0].strip()
    if not declared or _CONSTANT.search(declared):
        return False
    if scope == "code":
        return _STATIC.search(declared) is not None
    if scope == "type":
        return _STATIC.search(declared) is not None and "(" not in declared
    if scope == "namespace":
        return _NO_VARIABLE.search(declared) is None and \
            _VARIABLE.search(declared) is not None
    return False


def check(source):
    if not source.is_cpp() or not source.is_below(*FOLDERS):
        return
    # The kinds of the blocks around, each with the parentheses open outside:
    # a lambda in an argument list has statements of its own.
    blocks = [("namespace", 0)]
    start = 0
    parentheses = 0
    code = _ACCESS.sub(lambda match: " " * len(match.group(0)),
                       source.statements)
    for match in re.finditer(r"[;{}()]", code):
        char = match.group(0)
        if char in "()":
            parentheses += 1 if char == "(" else -1
            continue
        if char == ";" and parentheses > 0:
            continue  # Of a `for`.
        text = code[start:match.start()]
        head = " ".join(text.split())
        if char in ";{" and _is_mutable(head, blocks[-1][0]):
            first = start + len(text) - len(text.lstrip())
            yield Finding(source.path, source.line_at(first), RULE,
                          f"'{head[:60]}' can change", _REMEDY)
        if char == "{":
            blocks.append((_kind_of_block(head), parentheses))
            parentheses = 0
        elif char == "}" and len(blocks) > 1:
            _, parentheses = blocks.pop()
        start = match.end()
