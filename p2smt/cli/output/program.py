"""Programs in tables: in short, and once below in full, as `--program` takes them."""

from collections.abc import Iterable, Iterator, Sequence

from p2smt.cli.output.screen import DOT, GLUE, screen_width, show, wrapped
from p2smt.placement.hierarchy import reduction_names
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.model import HierarchyKind, Search
from p2smt.problem.system.network import Level
from p2smt.reduction.language.short_text import short_steps


def short_cell(text: str, names: Sequence[str]) -> str:
    """A program in short, which folds between its steps; `names` are its hierarchy's, root first."""
    return f" {DOT} ".join(short_steps(text, names)).replace(" ", GLUE).replace(f"{GLUE}{DOT}{GLUE}", f"{GLUE}{DOT} ")


def full_cell(text: str) -> str:
    """A program in full, which folds between its instructions."""
    return text.replace(" ", GLUE).replace(f";{GLUE}", "; ")


def names_over(
    search: Search, levels: Sequence[Level], matrix: ParallelismMatrix, reduce: Sequence[int]
) -> Sequence[str]:
    """The names of the hierarchy that programs on a matrix are written for; none where a search has one of its own."""
    if search.hierarchy is HierarchyKind.REDUCTION and search.collapse:
        return reduction_names(levels, matrix, reduce)
    return ()


def print_in_full(programs: Iterable[tuple[str, str]]) -> None:
    """Print the programs that tables show in short, in full, once; pairs of short and full text."""
    lines = [line for pair in dict.fromkeys(programs) for line in _in_full(*pair)]
    if lines:
        show(["programs in full", *lines, ""])


def _in_full(short: str, full: str) -> Iterator[str]:
    width = screen_width()
    yield from (f"  {line}" for line in wrapped(short, width - 2))
    yield from (f"    {line}" for line in wrapped(full_cell(full), width - 4))
