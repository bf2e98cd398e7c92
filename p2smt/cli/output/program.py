"""Programs in tables: abbreviated in the cells, and once below the table in full, as `--program` accepts them."""

from collections.abc import Iterable, Iterator, Sequence

from p2smt.cli.output.screen import DOT, GLUE, screen_width, show, wrapped
from p2smt.placement.hierarchy import reduction_names
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.model import HierarchyKind, Search
from p2smt.problem.system.network import Level
from p2smt.reduction.language.short_text import short_steps


def short_cell(text: str, names: Sequence[str]) -> str:
    """Abbreviate a program for a cell that wraps between steps; `names` are its hierarchy's level names, root first."""
    return f" {DOT} ".join(short_steps(text, names)).replace(" ", GLUE).replace(f"{GLUE}{DOT}{GLUE}", f"{GLUE}{DOT} ")


def full_cell(text: str) -> str:
    """Format a program in full for a cell that wraps only between instructions."""
    return text.replace(" ", GLUE).replace(f";{GLUE}", "; ")


def names_over(
    search: Search, levels: Sequence[Level], matrix: ParallelismMatrix, reduce: Sequence[int]
) -> Sequence[str]:
    """Return the level names of programs on a matrix; empty unless the hierarchy is the collapsed reduction one."""
    if search.hierarchy is HierarchyKind.REDUCTION and search.collapse:
        return reduction_names(levels, matrix, reduce)
    return ()


def print_in_full(programs: Iterable[tuple[str, str]]) -> None:
    """Print the full text of each abbreviated program once; `programs` are pairs of abbreviated and full text."""
    lines = [line for pair in dict.fromkeys(programs) for line in _in_full(*pair)]
    if lines:
        show(["programs in full", *lines, ""])


def _in_full(short: str, full: str) -> Iterator[str]:
    width = screen_width()
    yield from (f"  {line}" for line in wrapped(short, width - 2))
    yield from (f"    {line}" for line in wrapped(full_cell(full), width - 4))
