"""Layouts of a tensor along one mesh axis (DTensor's placements; CoCoNet's Sliced, Replicated, Local)."""

from dataclasses import dataclass
from enum import StrEnum


class ReductionOp(StrEnum):
    """Reductions that combine partial values; each is associative and commutative."""

    SUM = "+"
    MAX = "max"
    MIN = "min"

    @property
    def is_idempotent(self) -> bool:
        """True if reducing a value with itself yields that value.

        A replicated value is then a valid partial one.
        """
        match self:
            case ReductionOp.SUM:
                return False
            case ReductionOp.MAX | ReductionOp.MIN:
                return True

    @property
    def depends_on_order(self) -> bool:
        """True if rounding makes the result depend on the order of the partial values."""
        match self:
            case ReductionOp.SUM:
                return True
            case ReductionOp.MAX | ReductionOp.MIN:
                return False


@dataclass(frozen=True, slots=True)
class Replicated:
    """Every rank holds the whole tensor (DTensor's Replicate)."""


@dataclass(frozen=True, slots=True)
class Sliced:
    """Rank r holds an interval of a dimension, of length sizes[r]; intervals are consecutive (DTensor's Shard).

    `under` lists the mesh axes that cut the same dimension before, outermost first. `sizes` then has the
    blocks of each of their blocks, one after the other; all together they sum to the dimension's length.
    `sizes` None means torch.chunk's blocks; only program text uses it.
    """

    dimension: int
    sizes: tuple[int, ...] | None = None
    under: tuple[int, ...] = ()

    def __hash__(self) -> int:
        """Return a hash that leaves out `sizes`.

        That tuple is as long as the axis, and few layouts of a program differ in it alone.
        """
        return hash((Sliced, self.dimension, self.under))


@dataclass(frozen=True, slots=True)
class Partial:
    """Every rank holds a partial value; the tensor is their reduction over the ranks (DTensor's Partial)."""

    reduction: ReductionOp = ReductionOp.SUM


@dataclass(frozen=True, slots=True)
class Local:
    """Every rank holds a value of its own, with no stated relation to the others."""


@dataclass(frozen=True, slots=True)
class OnRank:
    """One rank holds the whole tensor; the others hold nothing."""

    rank: int


Layout = Replicated | Sliced | Partial | Local | OnRank


def dimension_cut(layout: Layout) -> int | None:
    """Return the dimension that the layout slices; None for layouts that slice nothing."""
    match layout:
        case Sliced(dimension):
            return dimension
        case Replicated() | Partial() | Local() | OnRank():
            return None


def is_there(layout: Layout, coordinate: int) -> bool:
    """True if the rank at this coordinate holds anything."""
    match layout:
        case OnRank(rank):
            return rank == coordinate
        case Replicated() | Sliced() | Partial() | Local():
            return True


def has_to_be_declared(layout: Layout) -> bool:
    """True if an output must declare this layout, because ranks do not hold elements of the value itself."""
    match layout:
        case Partial() | Local():
            return True
        case Replicated() | Sliced() | OnRank():
            return False


def chunk_sizes(length: int, ranks: int) -> tuple[int, ...]:
    """Return the block sizes of torch.chunk: ceil(length / ranks) each, until nothing is left.

    >>> chunk_sizes(10, 4), chunk_sizes(2, 4)
    ((3, 3, 3, 1), (1, 1, 0, 0))
    """
    block = -(-length // ranks)
    return tuple(max(0, min(block, length - rank * block)) for rank in range(ranks))


def layout_text(layout: Layout) -> str:
    """Return a layout's text as in programs and messages, without its axis.

    >>> layout_text(Sliced(0, (2, 1))), layout_text(Partial())
    ('sliced(0, sizes=2/1)', 'partial(+)')
    """
    match layout:
        case Replicated():
            return "replicated"
        case Sliced(dimension, tuple() as sizes):
            return f"sliced({dimension}, sizes={sizes_as_text(sizes)})"
        case Sliced(dimension):
            return f"sliced({dimension})"
        case Partial(reduction):
            return f"partial({reduction})"
        case Local():
            return "local"
        case OnRank(rank):
            return f"on_rank({rank})"


def sizes_as_text(sizes: tuple[int, ...]) -> str:
    """Return block sizes as written in programs, such as 3/3/2."""
    return "/".join(map(str, sizes))
