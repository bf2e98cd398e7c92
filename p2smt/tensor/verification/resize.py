"""Resizing of a program to fewer ranks and shorter dimensions.

A homomorphism on sizes: every length n is replaced by lengths[n] wherever it occurs, in sources, attributes and blocks,
so that equal lengths stay equal. Products need not: a reshape of [6, 4] to [24] has no counterpart if 6 becomes 2 and
24 stays. The caller discards what no longer fits, so a resized program is a candidate for a smaller counter-example and
no more (shrinking; Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", 2002). Blocks keep their
proportions: with e[i] the ends of the old blocks,
    e'[i] = round(e[i] * new length / old length).
Complexity: one pass over the program.

Example: x of [8, 6] in blocks of 5 and 3, with lengths[8] = 4: e = 5, 8 becomes round(2.5) = 2 and 4, two blocks of 2.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import assert_never

from p2smt.tensor.conversion import (
    AllGather,
    AllReduce,
    AllToAll,
    Broadcast,
    Conversion,
    Keep,
    Rebalance,
    Reduce,
    ReduceScatter,
    Send,
    Slice,
)
from p2smt.tensor.expression import AxisLayout, Call, Convert, Expression, Number, ProgramAxis, Ranks, Read, Statement
from p2smt.tensor.frame import Attribute
from p2smt.tensor.layout import Layout, OnRank, Sliced
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.program import Program

Sizes = tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class NewSizes:
    """New rank counts by axis name, and new lengths by old length; anything not listed stays."""

    ranks: Mapping[str, int]
    lengths: Mapping[int, int]

    def length(self, old: int) -> int:
        """Return the new length."""
        return self.lengths.get(old, old)


def resized(program: Program, resizing: NewSizes) -> Program:
    """Return the program with these sizes.

    Shapes may no longer fit, and values may change. Blocks roughly keep their proportions; with fewer ranks,
    the last one takes the blocks of the removed ones.
    """
    return _Resizer(program, resizing).program()


def lengths_of(program: Program) -> set[int]:
    """Return all dimension lengths that a program mentions."""
    found = {length for source in program.sources for length in source.shape}
    for part in program.expressions():
        if isinstance(part, Call):
            for parameter, value in zip(OPERATIONS[part.operation].parameters, part.attributes, strict=True):
                if parameter.length:
                    found |= set(_wholes(value))
    return found


def _wholes(value: Attribute) -> Iterator[int]:
    match value:
        case tuple():
            yield from value
        case int():
            yield value
        case float() | str():
            pass


class _Resizer:
    def __init__(self, program: Program, resizing: NewSizes) -> None:
        self._old = program
        self._resizing = resizing
        self._ranks = [resizing.ranks.get(axis.name, axis.size) for axis in program.mesh]

    def program(self) -> Program:
        old, length = self._old, self._resizing.length
        return replace(
            old,
            sizes=tuple((name, length(size)) for name, size in old.sizes),
            mesh=tuple(ProgramAxis(axis.name, count) for axis, count in zip(old.mesh, self._ranks, strict=True)),
            sources=tuple(
                replace(each, shape=tuple(map(length, each.shape)), layouts=self._placed(each.layouts))
                for each in old.sources
            ),
            statements=tuple(Statement(each.name, self._expression(each.expression)) for each in old.statements),
            outputs=tuple(replace(each, layouts=self._placed(each.layouts)) for each in old.outputs),
        )

    def _placed(self, placed: tuple[AxisLayout, ...]) -> tuple[AxisLayout, ...]:
        return tuple(replace(each, layout=self._layout(each.layout, each.axis)) for each in placed)

    def _layout(self, layout: Layout, axis: str) -> Layout:
        match layout:  # only OnRank, Sliced: others are inferred again, and a program that does not fit is dropped
            case Sliced(sizes=sizes):
                return replace(layout, sizes=self._sizes(sizes, axis))
            case OnRank(rank):
                return OnRank(self._rank(rank, axis))
            case _:
                return layout

    def _expression(self, expression: Expression) -> Expression:
        match expression:
            case Read() | Number() | Ranks():
                return expression
            case Call(operation, operands, attributes):
                parameters = OPERATIONS[operation].parameters
                values = tuple(
                    self._attribute(value) if parameter.length else value
                    for parameter, value in zip(parameters, attributes, strict=True)
                )
                return Call(operation, tuple(map(self._expression, operands)), values)
            case Convert(conversion, operand, axis):
                return Convert(self._conversion(conversion, axis), self._expression(operand), axis)
            case _:
                assert_never(expression)

    def _attribute(self, value: Attribute) -> Attribute:
        match value:
            case tuple():
                return tuple(map(self._resizing.length, value))
            case int():
                return self._resizing.length(value)
            case float() | str():
                return value

    def _conversion(self, conversion: Conversion, axis: str) -> Conversion:
        match conversion:
            case ReduceScatter(sizes=sizes) | AllToAll(sizes=sizes) | Rebalance(sizes=sizes) | Slice(sizes=sizes):
                return replace(conversion, sizes=self._sizes(sizes, axis))
            case Reduce(root) | Broadcast(root) | Keep(root):
                return replace(conversion, root=self._rank(root, axis))
            case AllReduce() | AllGather() | Send():
                return conversion
            case _:
                assert_never(conversion)

    def _rank(self, rank: int, axis: str) -> int:
        return min(rank, self._ranks[self._old.axis(axis)] - 1)

    def _sizes(self, sizes: Sizes, axis: str) -> Sizes:
        """Return resized block sizes; None (torch.chunk's) if two axes cut the dimension."""
        number = self._old.axis(axis)
        if sizes is None or len(sizes) != self._old.mesh[number].size or not sum(sizes):
            return None
        old = sum(sizes)
        new = self._resizing.length(old)
        ends = [round(end * new / old) for end in accumulate(sizes[: self._ranks[number] - 1])]
        return tuple(stop - start for start, stop in pairwise([0, *ends, new]))
