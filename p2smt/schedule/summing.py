"""Collectives that add up: their results depend on the order of the ranks; those of maxima and minima do not."""

from collections.abc import Iterable

from p2smt.schedule.graph import statements
from p2smt.tensor.conversion import AllReduce, Conversion, Reduce, ReduceScatter
from p2smt.tensor.program import Convert, Program, parts


def adds(conversion: Conversion) -> bool:
    """Return true if the conversion reduces by a sum."""
    return isinstance(conversion, AllReduce | ReduceScatter | Reduce) and conversion.reduction.depends_on_order


def adding(program: Program, names: Iterable[str]) -> tuple[str, ...]:
    """The statements of these names with a collective that adds up."""
    expressions = statements(program)
    return tuple(
        name
        for name in names
        if any(isinstance(part, Convert) and adds(part.conversion) for part in parts(expressions[name]))
    )
