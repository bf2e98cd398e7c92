"""Collectives that sum, whose results depend on the order of ranks. Maxima and minima do not."""

from collections.abc import Iterable

from p2smt.schedule.graph import statements
from p2smt.tensor.conversion import AllReduce, Conversion, Reduce, ReduceScatter
from p2smt.tensor.expression import Convert, parts
from p2smt.tensor.program import Program


def adds(conversion: Conversion) -> bool:
    """True if the conversion reduces by a sum."""
    return isinstance(conversion, AllReduce | ReduceScatter | Reduce) and conversion.reduction.depends_on_order


def adding(program: Program, names: Iterable[str]) -> tuple[str, ...]:
    """Return those of these statements that contain a summing collective."""
    expressions = statements(program)
    return tuple(
        name
        for name in names
        if any(isinstance(part, Convert) and adds(part.conversion) for part in parts(expressions[name]))
    )
