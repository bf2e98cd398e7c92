"""Width and characters of printed text."""

import os
import re
import sys
from collections.abc import Iterable, Iterator
from typing import TextIO
from unicodedata import combining, east_asian_width

import click

LEAST_WIDTH = 60
"""The minimum layout width; narrower screens get this one."""

PIPE_WIDTH = 100
"""The width assumed for pipes and files."""

PROSE_WIDTH = 100
"""The maximum line length of sentences, on any screen."""

GLUE = "\u00a0"
"""A no-break space: prevents a line break, and is printed as a space."""

DOT = "·"
"""The separator between the steps of an abbreviated program; `;` if the terminal lacks the character."""


_COLOURS = {
    "green": ("valid:", "right:", "proved best", "equal:"),
    "red": ("invalid:", "wrong:", "refused:"),
    "yellow": ("unknown:", "vacuous:", "not proved:"),
}
"""The words with which verdicts begin, by colour."""

_UNIT = re.compile(r"(?<=\d) (?=(?:[mun]?s|[KMGTPE]?i?B|[MG]b/s|GB/s|%)(?:\W|$))")
"""The space between a number and its unit, at which lines are not broken."""


def screen_width() -> int:
    """Return the width in columns: COLUMNS if set, else the terminal's; 100 for a pipe or a file."""
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return max(LEAST_WIDTH, int(columns))
    if sys.stdout.isatty():
        try:
            return max(LEAST_WIDTH, os.get_terminal_size(sys.stdout.fileno()).columns)
        except OSError:
            return PIPE_WIDTH
    return PIPE_WIDTH


def has_width() -> bool:
    """True on a terminal, or if COLUMNS sets a width."""
    return sys.stdout.isatty() or bool(os.environ.get("COLUMNS"))


def shown_width(text: str) -> int:
    """Return the display width of a text: wide East Asian characters count as two, combining accents as none."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def show(lines: Iterable[str]) -> None:
    """Print lines; on a terminal, a verdict's first words are coloured."""
    for line in lines:
        print(coloured(with_signs_of(sys.stdout, line.replace(GLUE, " ").rstrip())))


def coloured(line: str) -> str:
    """Colour the verdict at the beginning of a line: green, red, or yellow if nothing is proved.

    Only on a terminal with colours, and unless NO_COLOR is set (https://no-color.org).
    """
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return line
    for colour, verdicts in _COLOURS.items():
        for verdict in verdicts:
            if line.startswith(verdict):
                return click.style(verdict, fg=colour, bold=True) + line.removeprefix(verdict)
    return line


def say(text: str, *, whole_in_pipes: bool = False) -> None:
    """Print sentences; each line is wrapped, and continuation lines keep its indentation.

    With `whole_in_pipes`, text for a pipe is not wrapped unless COLUMNS sets a width.
    """
    if whole_in_pipes and not has_width():
        print(text)
        return
    width = min(PROSE_WIDTH, screen_width())
    for line in text.split("\n"):
        words = line.lstrip(" ")
        begin = line[: len(line) - len(words)]
        show(begin + part for part in wrapped(words, width - len(begin)))


def wrapped(text: str, width: int) -> Iterator[str]:
    """Wrap a text without breaking words; a word that is longer than the width gets a line of its own.

    A number and its unit stay on one line.

    >>> list(wrapped("data across nodes", 11))
    ['data across', 'nodes']
    """
    line = ""
    for word in _UNIT.sub(GLUE, text).split(" "):
        longer = f"{line} {word}" if line else word
        if line and shown_width(longer) > width:
            yield line
            line = word
        else:
            line = longer
    yield line


def with_signs_of(stream: TextIO, line: str) -> str:
    """Replace `DOT` by `;` if the stream cannot encode it."""
    try:
        line.encode(stream.encoding or "utf-8")
    except UnicodeEncodeError:
        return line.replace(f" {DOT}", ";")
    return line
