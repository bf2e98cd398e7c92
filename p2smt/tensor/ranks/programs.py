"""SPMD code: all ranks run statements on their own arrays, with collectives between them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from p2smt.errors import ProgramError
from p2smt.tensor.conversion import Conversion
from p2smt.tensor.expression import AxisLayout, Call, ProgramAxis, Source
from p2smt.tensor.layout import Local, OnRank, Partial, Replicated, Sliced
from p2smt.tensor.signature import Shape


@dataclass(frozen=True, slots=True)
class LocalCall:
    """A call on the ranks' own arrays.

    Operands are names and literals, attributes have local lengths. `calls` has one call per rank, of the same
    operation and operands; literals, bounds and lengths may differ.
    """

    name: str
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class GroupExchange:
    """A collective on arrays of one name, in groups of ranks; `collectives_meaning` defines its effect."""

    name: str
    conversion: Conversion
    operand: str
    groups: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class ArrayPermutation:
    """In each pair, the first rank sends its array to the second. Ranks that receive none hold zeros."""

    name: str
    operand: str
    pairs: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class OneRankCall:
    """A call on one rank only; other ranks may have another array of this name, or none."""

    name: str
    rank: int
    call: Call


@dataclass(frozen=True, slots=True)
class NamedExchange:
    """A collective in one group.

    `operands` and `names` have each member's names of its input and result, in group order.
    """

    conversion: Conversion
    group: tuple[int, ...]
    operands: tuple[str, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Delivery:
    """A message: the array `operand` of the source rank becomes the array `name` of the target rank."""

    name: str
    operand: str
    source: int
    target: int


RankStatement = LocalCall | GroupExchange | ArrayPermutation | OneRankCall | NamedExchange | Delivery


@dataclass(frozen=True, slots=True, kw_only=True)
class RankPrograms:
    """The statements of all ranks of a mesh; the last axis varies fastest in rank numbers.

    `sources` are unsharded tensors with the layouts in which ranks receive them. `shapes` has, for every
    rank, the shape of every statement's array. `outputs` pairs an output name with a source or statement,
    `updates` a source with its new value; `new_version` is the name under which that value can also be an
    output. `placed` has declared layouts of outputs and updated sources, by name.
    """

    name: str
    mesh: tuple[ProgramAxis, ...]
    sources: tuple[Source, ...]
    statements: tuple[RankStatement, ...]
    shapes: tuple[Mapping[str, Shape], ...]
    outputs: tuple[tuple[str, str], ...]
    updates: tuple[tuple[str, str], ...]
    placed: Mapping[str, tuple[AxisLayout, ...]] = field(default_factory=dict)


def check_given(source: Source) -> None:
    """Raise ProgramError for a source in a layout that ranks cannot receive: Local or OnRank."""
    for each in source.layouts:
        match each.layout:
            case Replicated() | Sliced() | Partial():
                pass
            case Local() | OnRank():
                raise ProgramError(f"{source.name}: its layout on the ranks must be replicated, sliced or partial")


def new_version(source: str) -> str:
    """Return the name of a source's new version."""
    return f"{source}.new"
