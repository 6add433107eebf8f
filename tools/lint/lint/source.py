"""A file as the rules see it."""

import bisect
import functools
import re

# What is not code: comments, and literals of text.
_NOT_CODE = re.compile(
    r"""
      (?P<comment> //[^\n]* | /\*.*?\*/ )
    | R"(?P<delimiter>[^()\\\s]*)\( .*? \)(?P=delimiter)"
    | "(?:\\.|[^"\\\n])*"
    | (?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'   # Not the ' of 1'000.
    """, re.VERBOSE | re.DOTALL)

_PREPROCESSOR = re.compile(r"^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*", re.MULTILINE)

_ALLOW = re.compile(r"lint: allow\((?P<reason>[^)]*)\)")

_INCLUDE = re.compile(
    r"""^[ \t]*\#[ \t]*include[ \t]*(?P<open>["<])(?P<path>[^">]+)[">]""",
    re.MULTILINE)


def _blank(match):
    """Spaces in place of the text, with its line ends; quotes stay."""
    text = match.group(0)
    blanked = re.sub(r"[^\n]", " ", text)
    if match.groupdict().get("comment") is None and len(blanked) > 1:
        quote = text[-1]
        blanked = quote + blanked[1:-1] + quote
    return blanked


class Source:
    """A file's path below the root, its text, and views of it.

    Lines are counted from one. All views of C++ keep the places of characters.
    """

    def __init__(self, path, text):
        self.path = path
        self.text = text

    @functools.cached_property
    def lines(self):
        return self.text.split("\n")

    @functools.cached_property
    def code(self):
        """C++ without comments and without what stands in quotes."""
        return _NOT_CODE.sub(_blank, self.text)

    @functools.cached_property
    def statements(self):
        """`code` without lines of the preprocessor."""
        return _PREPROCESSOR.sub(_blank_all, self.code)

    @functools.cached_property
    def includes(self):
        """Triples of line, whether in quotes, and path."""
        return [(self.line_at(match.start("path")), match.group("open") == '"',
                 match.group("path"))
                for match in _INCLUDE.finditer(self.text)
                # Those in comments are blank in the code.
                if not self.code[match.start():match.end()].isspace()]

    @functools.cached_property
    def _line_starts(self):
        starts = [0]
        for match in re.finditer("\n", self.text):
            starts.append(match.end())
        return starts

    def line_at(self, offset):
        return bisect.bisect_right(self._line_starts, offset)

    @functools.cached_property
    def allowances(self):
        """The reason of each line that says `lint: allow(REASON)`."""
        result = {}
        for number, line in enumerate(self.lines, 1):
            match = _ALLOW.search(line)
            if match:
                result[number] = match.group("reason").strip()
        return result

    def allows(self, line):
        """Whether a breach at this line is allowed, there or just above."""
        if self.allowances.get(line):
            return True
        above = self.lines[line - 2].strip() if line >= 2 else ""
        return above.startswith(("//", "#")) and \
            bool(self.allowances.get(line - 1))

    def is_cpp(self):
        return self.path.endswith((".h", ".cc", ".inc"))

    def is_header(self):
        return self.path.endswith(".h")

    def is_below(self, *folders):
        return self.path.startswith(tuple(f"{folder}/" for folder in folders))


def _blank_all(match):
    return re.sub(r"[^\n]", " ", match.group(0))
