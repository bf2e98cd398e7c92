"""SPMD code: every rank runs the same statements on arrays of its own, and collectives between them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from p2smt.errors import ProgramError
from p2smt.tensor.conversion import Conversion
from p2smt.tensor.layout import Local, OnRank, Partial, Replicated, Sliced
from p2smt.tensor.program import Axis, Call, Placed, Source
from p2smt.tensor.signature import Shape


@dataclass(frozen=True, slots=True)
class LocalCall:
    """A call on the rank's own arrays; its operands are names and numbers, and its attributes are of local lengths.

    `calls` has each rank's: the same operation of the same operands; numbers, bounds and lengths can differ.
    """

    name: str
    calls: tuple[Call, ...]


@dataclass(frozen=True, slots=True)
class GroupExchange:
    """A collective on arrays of one name, in groups of ranks; what it does to them is `collectives_meaning`'s."""

    name: str
    conversion: Conversion
    operand: str
    groups: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class ArrayPermutation:
    """Each pair's first rank sends its array to the second; who gets none has zeros."""

    name: str
    operand: str
    pairs: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class OneRankCall:
    """A call that one rank runs by itself; of this name other ranks can have another array, or none."""

    name: str
    rank: int
    call: Call


@dataclass(frozen=True, slots=True)
class NamedExchange:
    """A collective of one group whose members have names of their own for what they give and get, in its order."""

    conversion: Conversion
    group: tuple[int, ...]
    operands: tuple[str, ...]
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Delivery:
    """A message: the target's array of this name is the source's array `operand`."""

    name: str
    operand: str
    source: int
    target: int


RankStatement = LocalCall | GroupExchange | ArrayPermutation | OneRankCall | NamedExchange | Delivery


@dataclass(frozen=True, slots=True, kw_only=True)
class RankPrograms:
    """Statements of all ranks of a mesh; ranks count with the last axis varying fastest.

    `sources` are whole tensors and the layouts in which ranks are given them. `shapes` has for every rank the shape of
    every statement's array. `outputs` are pairs of an observed name and that of a source or statement, `updates` of a
    source and its new value; `new_version` is the name under which that can be an output too. `placed` has the layouts
    in which observed values are handed on, by the names of `outputs` and `updates`, where that is said.
    """

    name: str
    mesh: tuple[Axis, ...]
    sources: tuple[Source, ...]
    statements: tuple[RankStatement, ...]
    shapes: tuple[Mapping[str, Shape], ...]
    outputs: tuple[tuple[str, str], ...]
    updates: tuple[tuple[str, str], ...]
    placed: Mapping[str, tuple[Placed, ...]] = field(default_factory=dict)


def check_given(source: Source) -> None:
    """Raise ProgramError for a source of which ranks are given nothing that can be read as a part of it."""
    for each in source.layouts:
        match each.layout:
            case Replicated() | Sliced() | Partial():
                pass
            case Local() | OnRank():
                raise ProgramError(f"{source.name}: ranks are given what is whole, cut or a summand")


def new_version(source: str) -> str:
    """The name of a source's new version."""
    return f"{source}.new"
