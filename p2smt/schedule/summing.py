"""Which collectives of a program add up, so that results depend on the order of the ranks; maxima and minima do not."""

from collections.abc import Iterable

from p2smt.schedule.graph import statements
from p2smt.tensor.conversion import AllReduce, Conversion, Reduce, ReduceScatter
from p2smt.tensor.program import Convert, Program, parts


def adds(conversion: Conversion) -> bool:
    """Whether it reduces, by a sum."""
    return isinstance(conversion, AllReduce | ReduceScatter | Reduce) and conversion.reduction.depends_on_order


def adding(program: Program, names: Iterable[str]) -> tuple[str, ...]:
    """The statements of these names with a collective that adds up."""
    expressions = statements(program)
    return tuple(
        name
        for name in names
        if any(isinstance(part, Convert) and adds(part.conversion) for part in parts(expressions[name]))
    )
