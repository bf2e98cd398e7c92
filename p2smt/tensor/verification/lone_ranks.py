"""Removal of mesh axes of one rank, along which nothing is sliced, summed or moved."""

from dataclasses import replace
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
from p2smt.tensor.expression import AxisLayout, Call, Convert, Expression, Number, Output, Ranks, Read, Statement
from p2smt.tensor.layout import Layout, OnRank
from p2smt.tensor.program import Program


class _NotAloneError(Exception):
    """A rank that does not exist is named."""


def without_lone_ranks(program: Program) -> Program | None:
    """Return the program without axes of one rank.

    None if there are none, or one names a rank other than 0.
    """
    lone = {axis.name for axis in program.mesh if axis.size == 1}
    if not lone:
        return None
    only = program.mesh[0].name if len(program.mesh) == 1 else ""
    try:
        return _LoneRankRemoval(program, frozenset({*lone, *([""] if only in lone else [])})).program()
    except _NotAloneError:
        return None


class _LoneRankRemoval:
    def __init__(self, program: Program, lone: frozenset[str]) -> None:
        self._program = program
        self._lone = lone

    def program(self) -> Program:
        old = self._program
        return replace(
            old,
            mesh=tuple(axis for axis in old.mesh if axis.name not in self._lone),
            sources=tuple(replace(source, layouts=self._placed(source.layouts)) for source in old.sources),
            statements=tuple(Statement(each.name, self._expression(each.expression)) for each in old.statements),
            outputs=tuple(Output(each.name, self._placed(each.layouts)) for each in old.outputs),
        )

    def _placed(self, layouts: tuple[AxisLayout, ...]) -> tuple[AxisLayout, ...]:
        for each in layouts:
            if each.axis in self._lone:
                _check_layout(each.layout)
        return tuple(each for each in layouts if each.axis not in self._lone)

    def _expression(self, expression: Expression) -> Expression:
        match expression:
            case Read() | Number():
                return expression
            case Ranks(axis):
                return Number(1) if axis in self._lone else expression
            case Call(_, operands):
                return replace(expression, operands=tuple(map(self._expression, operands)))
            case Convert(conversion, operand, axis):
                inner = self._expression(operand)
                if axis not in self._lone:
                    return replace(expression, operand=inner)
                _check_conversion(conversion)
                return inner
            case _:
                assert_never(expression)


def _check_layout(layout: Layout) -> None:
    # only OnRank: all other layouts give a lone rank the whole
    if isinstance(layout, OnRank) and layout.rank:
        raise _NotAloneError


def _check_conversion(conversion: Conversion) -> None:
    match conversion:
        case Send():
            raise _NotAloneError
        case Reduce(root) | Broadcast(root) | Keep(root):
            if root:
                raise _NotAloneError
        case AllReduce() | AllGather() | ReduceScatter() | AllToAll() | Rebalance() | Slice():
            pass
        case _:
            assert_never(conversion)
