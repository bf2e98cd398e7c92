"""Sentences wrapped to a screen of 80 columns, at blanks alone."""

from collections.abc import Iterator
from textwrap import wrap

WIDTH = 80


def labelled(label: str, text: str) -> Iterator[str]:
    """The lines of a text after a label; the lines that follow begin below the text. No word is broken.

    >>> list(labelled("where ", "tp inside the node"))
    ['where  tp inside the node']
    """
    begin = f"{label} " if label else ""
    yield from wrap(
        text,
        WIDTH,
        initial_indent=begin,
        subsequent_indent=" " * len(begin),
        break_long_words=False,
        break_on_hyphens=False,
    )
