"""Sentences wrapped at blanks to a screen of 80 columns."""

import re
from collections.abc import Iterator

from p2smt.cli.output.screen import GLUE, has_width, screen_width, wrapped

_WIDTH = 80


def labelled(label: str, text: str) -> Iterator[str]:
    """Wrap a text after a label, with a hanging indent; words are not broken.

    >>> list(labelled("where ", "tp inside the node"))
    ['where  tp inside the node']
    """
    begin = f"{label} " if label else ""
    for line in wrapped(text, min(_WIDTH, screen_width()) - len(begin)):
        yield f"{begin}{line}".replace(GLUE, " ")
        begin = " " * len(begin)


def statement(begin: str, text: str) -> Iterator[str]:
    """Wrap a statement that may be copied from the screen: at commas on a terminal, not at all in a pipe or file.

    >>> list(statement("  ", "f = fuse a, b"))
    ['  f = fuse a, b']
    """
    if not has_width():
        yield begin + text
        return
    glued = re.sub(r"(?<!,) ", GLUE, text)
    for line in wrapped(glued, min(_WIDTH, screen_width()) - len(begin)):
        yield f"{begin}{line}".replace(GLUE, " ")
        begin = " " * len(begin)
