"""A parallelism matrix as a table of axes and levels."""

from collections.abc import Iterator

from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.workload import Workload


def matrix_lines(matrix: ParallelismMatrix, workload: Workload, least_width: int = 4) -> Iterator[str]:
    """Yield a header with the levels' names, then a line per axis; columns are at least `least_width` wide."""
    widths = [max(len(level.name), least_width) for level in workload.levels]
    left = max(len(axis.name) for axis in workload.axes)
    heading = ("", [level.name for level in workload.levels])
    for name, cells in (heading, *zip((axis.name for axis in workload.axes), matrix.rows, strict=True)):
        yield f"  {name:<{left}}  {'  '.join(f'{cell:>{width}}' for cell, width in zip(cells, widths, strict=True))}"
