"""Tables for people."""

import sys
from collections.abc import Collection, Sequence

PIPE_WIDTH = 160
"""A pipe has no width; there lines are long."""


def print_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> None:
    """Print a table; `right` lists the columns that are aligned right. Long cells fold, none is cut.

    Only a terminal gets colours: what a pipe or a file gets is the same bytes with FORCE_COLOR, NO_COLOR or neither.
    """
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD)
    for index, column in enumerate(columns):
        aligned = index in right
        table.add_column(column, justify="right" if aligned else "left", overflow="fold", no_wrap=aligned)
    for row in rows:
        table.add_row(*row)
    print(title)
    terminal = sys.stdout.isatty()
    width = None if terminal else PIPE_WIDTH
    Console(file=sys.stdout, width=width, force_terminal=terminal, highlight=False, markup=False).print(table)
