"""The result of layout inference: judgements step by step, or a refusal."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from p2smt.tensor.layout import Layout
from p2smt.tensor.program import Expression
from p2smt.tensor.reason import Refusal
from p2smt.tensor.rule import RuleName
from p2smt.tensor.shapes import Whole

Layouts = tuple[Layout, ...]
"""One layout per axis, in the order of the mesh."""


class Step(NamedTuple):
    """One judgement: this part of a statement has these layouts, by these rules, one per axis (none for reads).

    The rest is that of the typed walk over the program; `operands` are numbers of steps.
    """

    statement: str
    expression: Expression
    whole: Whole
    operands: tuple[int, ...]
    rules: tuple[RuleName, ...]
    layouts: Layouts


@dataclass(frozen=True, slots=True)
class Inferred:
    """Every value's layouts, and the derivation: steps in the order of computing, operands first.

    The steps are the typed walk (`typed_walk.py`) with layouts: nothing that reads them infers anything again.
    """

    layouts: Mapping[str, Layouts]
    steps: tuple[Step, ...]

    def operands(self, step: Step) -> tuple[Step, ...]:
        """The steps of a step's operands."""
        return tuple([self.steps[number] for number in step.operands])


@dataclass(frozen=True, slots=True)
class Refused:
    """The source, statement or output without a layout; `axis` is the axis number, or None for all."""

    statement: str
    refusal: Refusal
    axis: int | None = None

    def __str__(self) -> str:
        return f"{self.statement}: {self.refusal}"
