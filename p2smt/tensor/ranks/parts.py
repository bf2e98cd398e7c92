"""The part of a whole tensor that each rank's array is, by layouts."""

from p2smt.tensor.frame import Intervals
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.placing import part_of, resolved, world
from p2smt.tensor.program import Placed, Program
from p2smt.tensor.ranks.programs import RankPrograms
from p2smt.tensor.reason import Refusal
from p2smt.tensor.signature import Shape


def placed_parts(placed: tuple[Placed, ...], ranks: RankPrograms, shape: Shape) -> tuple[Intervals, ...] | Refusal:
    """The part of a tensor of this shape that each rank is given by these layouts."""
    layouts: Layouts | Refusal = resolved(placed, _empty(ranks), shape)
    if isinstance(layouts, Refusal):
        return layouts
    return tuple(part_of(layouts, ranks.mesh, shape, rank) for rank in range(world(ranks.mesh)))


def _empty(ranks: RankPrograms) -> Program:
    return Program(name=ranks.name, mesh=ranks.mesh, sources=(), statements=(), outputs=())


def lengths(part: Intervals) -> Shape:
    """The shape of an array that is this part."""
    return tuple(interval.length for interval in part)


def part_text(part: Intervals) -> str:
    """The part as slices."""
    return "[" + ", ".join(f"{each.start}:{each.stop}" for each in part) + "]"
