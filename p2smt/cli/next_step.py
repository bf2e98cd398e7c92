"""The command as it was typed, and the one that keeps its answer."""

import shlex
import sys

import click

from p2smt.cli.options.help_page import ARGUMENTS
from p2smt.cli.output.aside import say_aside
from p2smt.problem.text import printable

_ELSEWHERE = ("--out", "--force", "--quiet", "-q", "--json")
"""Options that affect where a result is written but not its content."""


def typed_command() -> str:
    """Return the running command with its arguments, but without `_ELSEWHERE`."""
    context = click.get_current_context(silent=True)
    if context is None:
        return "from Python"
    words, skips = [], False
    for word in context.meta.get(ARGUMENTS, ()):
        option = word.partition("=")[0]
        if skips:
            skips = False
        elif option in _ELSEWHERE:
            skips = word == "--out"
        else:
            words.append(word)
    return f"{context.command_path} {shlex.join(words)}".strip()


def say_next(keeping: str, *, when: bool) -> None:
    """Print on stderr the command that repeats this one and keeps its answer in a file, as `keeping` says."""
    if when:
        sys.stdout.flush()
        say_aside(f"p2smt: next: {printable(typed_command())} {keeping}")
