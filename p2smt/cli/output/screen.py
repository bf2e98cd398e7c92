"""Width and characters of printed text."""

import os
import re
import sys
from collections.abc import Iterable, Iterator
from typing import TextIO
from unicodedata import combining, east_asian_width

import click

LEAST_WIDTH = 60
"""Narrower screens get the layout of this width."""

PIPE_WIDTH = 100
"""The width for pipes and files, which have none of their own."""

PROSE_WIDTH = 100
"""The longest line of sentences on any screen."""

GLUE = "\u00a0"
"""A blank at which no line ends; printed as a blank."""

DOT = "·"
"""The separator between the steps of a short program; `;` on screens that lack the character."""


_COLOURS = {
    "green": ("valid:", "right:", "proved best", "equal:"),
    "red": ("invalid:", "wrong:", "refused:"),
    "yellow": ("unknown:", "vacuous:", "not proved:"),
}
"""The words that begin a verdict, by their colour."""

_UNIT = re.compile(r"(?<=\d) (?=(?:[mun]?s|[KMGTPE]?i?B|[MG]b/s|GB/s|%)(?:\W|$))")
"""The blank between a number and its unit, at which no line ends."""


def screen_width() -> int:
    """Columns to print on: what COLUMNS says, else the terminal's; 100 for a pipe or a file."""
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
    """True on a terminal, and if COLUMNS gives a width."""
    return sys.stdout.isatty() or bool(os.environ.get("COLUMNS"))


def shown_width(text: str) -> int:
    """The width of a text in columns: signs of East Asian scripts take two, accents none."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def show(lines: Iterable[str]) -> None:
    """Print lines, on a terminal with the words of a verdict in colour."""
    for line in lines:
        print(coloured(with_signs_of(sys.stdout, line.replace(GLUE, " ").rstrip())))


def coloured(line: str) -> str:
    """The line, with a verdict that it begins with green, red, or yellow where nothing is proved.

    Only on a terminal that has colours, and not where NO_COLOR is set (https://no-color.org).
    """
    if not sys.stdout.isatty() or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return line
    for colour, verdicts in _COLOURS.items():
        for verdict in verdicts:
            if line.startswith(verdict):
                return click.style(verdict, fg=colour, bold=True) + line.removeprefix(verdict)
    return line


def say(text: str, *, whole_in_pipes: bool = False) -> None:
    """Print sentences, line by line as they are given, each folded; lines that follow begin where the first does.

    `whole_in_pipes`: a pipe gets them as they are, unless COLUMNS says how wide it is.
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
    """The lines of a text: filled with words, none of which is broken; one that is longer has a line of its own.

    A number stays with its unit.

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
    """The line, with `;` between the steps of a program where the stream cannot carry `DOT`."""
    try:
        line.encode(stream.encoding or "utf-8")
    except UnicodeEncodeError:
        return line.replace(f" {DOT}", ";")
    return line
