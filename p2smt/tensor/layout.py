"""Layouts of a tensor along one mesh axis."""

from dataclasses import dataclass
from enum import StrEnum


class Reduction(StrEnum):
    """Reductions that make one value of partial values; each is associative and commutative."""

    SUM = "+"
    MAX = "max"
    MIN = "min"

    @property
    def is_idempotent(self) -> bool:
        """True if reducing a value with itself leaves it, so that a replicated value is a partial one."""
        match self:
            case Reduction.SUM:
                return False
            case Reduction.MAX | Reduction.MIN:
                return True

    @property
    def depends_on_order(self) -> bool:
        """True if the order of summands changes the bits of the result, by rounding."""
        match self:
            case Reduction.SUM:
                return True
            case Reduction.MAX | Reduction.MIN:
                return False


@dataclass(frozen=True, slots=True)
class Replicated:
    """The same whole tensor on every rank."""


@dataclass(frozen=True, slots=True)
class Sliced:
    """Rank r has its own interval of a dimension, of length sizes[r]; intervals are consecutive.

    `sizes` sum to the length of what is cut. Where the axes `under` (numbers in the mesh, outermost first) cut the
    dimension before, `sizes` has the blocks of each of their blocks in turn. None, in texts alone: torch.chunk's.
    """

    dimension: int
    sizes: tuple[int, ...] | None = None
    under: tuple[int, ...] = ()

    def __hash__(self) -> int:
        """The hash leaves out `sizes`, a tuple as long as the axis: few layouts of a program differ in it alone."""
        return hash((Sliced, self.dimension, self.under))


@dataclass(frozen=True, slots=True)
class Partial:
    """A summand on each rank: the value is the reduction over all of them."""

    reduction: Reduction = Reduction.SUM


@dataclass(frozen=True, slots=True)
class Local:
    """A value of its own on every rank, and no claim about it."""


@dataclass(frozen=True, slots=True)
class OnRank:
    """The value on one rank; the others have nothing."""

    rank: int


Layout = Replicated | Sliced | Partial | Local | OnRank


def dimension_cut(layout: Layout) -> int | None:
    """The dimension of which every rank has its own interval; None if each rank has all or nothing."""
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
    """True if an output may have this layout only by declaration, because ranks do not hold elements of the value."""
    match layout:
        case Partial() | Local():
            return True
        case Replicated() | Sliced() | OnRank():
            return False


def chunk_sizes(length: int, ranks: int) -> tuple[int, ...]:
    """The blocks that torch.chunk makes: ceil(length / ranks) each, until nothing is left.

    >>> chunk_sizes(10, 4), chunk_sizes(2, 4)
    ((3, 3, 3, 1), (1, 1, 0, 0))
    """
    block = -(-length // ranks)
    return tuple(max(0, min(block, length - rank * block)) for rank in range(ranks))


def layout_text(layout: Layout) -> str:
    """A layout as messages and programs name it, without its axis.

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
    """Sizes of blocks, as programs write them."""
    return "/".join(map(str, sizes))
