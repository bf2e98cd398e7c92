"""The part of an unsharded tensor on each rank, given its layouts."""

from p2smt.tensor.expression import AxisLayout
from p2smt.tensor.frame import Intervals
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.placing import part_of, resolved, world
from p2smt.tensor.program import Program
from p2smt.tensor.ranks.programs import RankPrograms
from p2smt.tensor.reason import Refusal
from p2smt.tensor.signature import Shape


def placed_parts(placed: tuple[AxisLayout, ...], ranks: RankPrograms, shape: Shape) -> tuple[Intervals, ...] | Refusal:
    """Return the part of a tensor of this shape on each rank, or the refusal of these layouts."""
    layouts: Layouts | Refusal = resolved(placed, _empty(ranks), shape)
    if isinstance(layouts, Refusal):
        return layouts
    return tuple(part_of(layouts, ranks.mesh, shape, rank) for rank in range(world(ranks.mesh)))


def _empty(ranks: RankPrograms) -> Program:
    return Program(name=ranks.name, mesh=ranks.mesh, sources=(), statements=(), outputs=())


def lengths(part: Intervals) -> Shape:
    """Return the shape of an array that holds this part."""
    return tuple(interval.length for interval in part)


def part_text(part: Intervals) -> str:
    """Return the part as text in slice notation."""
    return "[" + ", ".join(f"{each.start}:{each.stop}" for each in part) + "]"
