"""Notes on stderr in addition to a command's answer, such as the names of written files; suppressed by --quiet."""

import sys

import click

_QUIET = "p2smt.cli.quiet"


def quiet_option() -> click.Option:
    """Return the option --quiet for one command."""
    return click.Option(
        ["--quiet"], is_flag=True, expose_value=False, callback=_keep, help="No notes, no progress, no names of files."
    )


def is_quiet() -> bool:
    """True if the running command was called with --quiet."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_QUIET))


def say_aside(line: str) -> None:
    """Print a line on stderr, unless --quiet is given."""
    if not is_quiet():
        print(line, file=sys.stderr)


def _keep(context: click.Context, _option: click.Parameter, value: bool) -> None:
    context.meta[_QUIET] = value
