"""What a rule reports."""

import collections


class Finding(
        collections.namedtuple("Finding", "path line rule what remedy")):
    """A breach of a rule, at a line counted from one, and its remedy."""

    def __str__(self):
        return (f"{self.path}:{self.line}: error: {self.rule}: "
                f"{self.what}; {self.remedy}")
