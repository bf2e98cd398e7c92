"""Layout rules of operations along one axis, all derived from labels and declared properties."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import assert_never

from p2smt.tensor.layout import Layout, Local, OnRank, Partial, ReductionOp, Replicated, Sliced
from p2smt.tensor.signature import Blocked, Dimension, Distributes, ParallelLabel, Reduced, Signature


class RuleName(StrEnum):
    """Kinds of rules. A lookup in a sliced table is RED over the looked-up label."""

    REP = "REP"
    PAR = "PAR"
    RED = "RED"
    LIN = "LIN"
    ADD = "ADD"
    MONO = "MONO"
    LOCAL = "LOCAL"
    ON_RANK = "ON_RANK"


@dataclass(frozen=True, slots=True)
class WholeOperand:
    """The operand must be Replicated."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The operand must be Sliced along a dimension, with `granule` elements per index of the rule's label."""

    dimension: int
    granule: int = 1


@dataclass(frozen=True, slots=True)
class Summand:
    """The operand must be Partial; for a maximum or minimum, Replicated also fits."""

    reduction: ReductionOp


@dataclass(frozen=True, slots=True)
class Own:
    """The operand must be Local; other operands may be Replicated."""


@dataclass(frozen=True, slots=True)
class AtRoot:
    """The operand must be OnRank, on the same rank as the others; other operands may be Replicated."""


Need = WholeOperand | Cut | Summand | Own | AtRoot


@dataclass(frozen=True, slots=True)
class Rule:
    """Required layouts of the operands, and the layout of the result.

    All cuts are of one label, at the same indices.
    """

    name: RuleName
    operands: tuple[Need, ...]
    result: Need
    label: str = ""


def rules(signature: Signature) -> tuple[Rule, ...]:
    """Return every rule of an operation in a fixed order.

    Rules that fit the same operand layouts give the same result.
    """
    return _rules(signature)


@lru_cache(maxsize=4096)
def _rules(signature: Signature) -> tuple[Rule, ...]:
    count = len(signature.operands)
    return (
        Rule(RuleName.REP, (WholeOperand(),) * count, WholeOperand()),
        *_of_labels(signature),
        *(_of_reduction(distributes, count) for distributes in signature.distributes),
        Rule(RuleName.LOCAL, (Own(),) * count, Own()),
        Rule(RuleName.ON_RANK, (AtRoot(),) * count, AtRoot()),
    )


def _of_labels(signature: Signature) -> Iterator[Rule]:
    for label in signature.labels:
        needs = tuple(_cut(label.name, dimensions) for dimensions in signature.operands)
        if not any(isinstance(need, Cut) for need in needs):
            continue
        match label.kind:
            case ParallelLabel():
                yield Rule(RuleName.PAR, needs, _cut(label.name, signature.result), label.name)
            case Reduced(reduction):
                yield Rule(RuleName.RED, needs, Summand(reduction), label.name)
            case Blocked():
                pass
            case _:
                assert_never(label.kind)


def _cut(label: str, dimensions: tuple[Dimension, ...]) -> WholeOperand | Cut:
    for number, dimension in enumerate(dimensions):
        if dimension.label == label:
            return Cut(number, dimension.granule)
    return WholeOperand()


def _of_reduction(distributes: Distributes, count: int) -> Rule:
    needs = tuple(
        Summand(distributes.before) if number in distributes.operands else WholeOperand() for number in range(count)
    )
    return Rule(_of_distributes(distributes), needs, Summand(distributes.after))


def _of_distributes(distributes: Distributes) -> RuleName:
    match distributes.before:
        case ReductionOp.SUM:
            return RuleName.ADD if len(distributes.operands) > 1 else RuleName.LIN
        case ReductionOp.MAX | ReductionOp.MIN:
            return RuleName.MONO


def applied(rule: Rule, layouts: tuple[Layout, ...]) -> Layout | None:
    """Return the result layout if the operands' layouts fit the rule, else None.

    Cuts must be at the same indices of the label, under the same outer axes.
    """
    cuts: set[tuple[tuple[int, ...], tuple[int, ...]]] = set()
    roots: set[int] = set()
    for need, layout in zip(rule.operands, layouts, strict=True):
        # only Local, OnRank, Partial, Replicated, Sliced: others are refused, or match no rule and no conversion
        match need, layout:
            case ((WholeOperand() | Own() | AtRoot()), Replicated()):
                pass
            case Cut(dimension, granule), Sliced(cut, tuple() as sizes, under) if cut == dimension:
                if any(size % granule for size in sizes):
                    return None
                cuts.add((tuple(size // granule for size in sizes), under))
            case Summand(reduction), Partial(other) if reduction is other:
                pass
            case Summand(reduction), Replicated() if reduction.is_idempotent:
                pass
            case Own(), Local():
                pass
            case AtRoot(), OnRank(rank):
                roots.add(rank)
            case _:
                return None
    return _result(rule.result, cuts, roots)


def _result(need: Need, cuts: set[tuple[tuple[int, ...], tuple[int, ...]]], roots: set[int]) -> Layout | None:
    if len(cuts) > 1 or len(roots) > 1:
        return None
    match need:
        case WholeOperand():
            return Replicated()
        case Cut(dimension, granule):
            (((sizes, under)),) = cuts
            return Sliced(dimension, tuple(size * granule for size in sizes), under)
        case Summand(reduction):
            return Partial(reduction)
        case Own():
            return Local()
        case AtRoot():
            return OnRank(roots.pop()) if roots else None
