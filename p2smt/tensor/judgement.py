"""The result of layout inference: one layout judgement per expression, or a refusal."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from p2smt.tensor.expression import Expression
from p2smt.tensor.layout import Layout
from p2smt.tensor.reason import Refusal
from p2smt.tensor.rule import RuleName
from p2smt.tensor.shapes import Whole

Layouts = tuple[Layout, ...]
"""One layout per axis, in the order of the mesh."""


class InferenceStep(NamedTuple):
    """One inference step: the layouts of an expression of a statement, one per mesh axis.

    `rules` has the rule used along each axis; none for reads, numbers and conversions. The other fields are
    those of the typed walk over the program; `operands` are step numbers. Two steps of one inference have the same
    `kind` exactly if they have the same layouts, shape and element type: tables by kind need not hash layouts.
    """

    statement: str
    expression: Expression
    whole: Whole
    operands: tuple[int, ...]
    rules: tuple[RuleName, ...]
    layouts: Layouts
    kind: int


@dataclass(frozen=True, slots=True)
class Inferred:
    """The layouts of every value, and the derivation: steps in order of execution, operands first.

    Steps extend the typed walk (`typed_walk.py`) with layouts, so readers need not infer again.
    """

    layouts: Mapping[str, Layouts]
    steps: tuple[InferenceStep, ...]

    def operands(self, step: InferenceStep) -> tuple[InferenceStep, ...]:
        """Return the steps that compute a step's operands."""
        return tuple([self.steps[number] for number in step.operands])


class StatementJudgement(NamedTuple):
    """The steps of a statement, which all statements of its form share if they read values of the same kinds.

    The steps are those of the first such statement; their operands are numbered within the statement, and the last one
    is its value. `axes` has the mesh axis of each conversion, in order of execution. `number` is unique within a table
    of judgements.
    """

    number: int
    steps: tuple[InferenceStep, ...]
    axes: tuple[int, ...]

    @property
    def layouts(self) -> Layouts:
        """The layouts of the statement's value."""
        return self.steps[-1].layouts


@dataclass(frozen=True, slots=True)
class JudgedProgram:
    """The layouts of every value, and each statement's judgement and the names that it reads, in program order."""

    layouts: Mapping[str, Layouts]
    statements: tuple[StatementJudgement, ...]
    reads: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """The source, statement or output that has no layout, and the reason.

    `axis` is the number of the mesh axis at fault; None if there is no single one.
    """

    statement: str
    refusal: Refusal
    axis: int | None = None

    def __str__(self) -> str:
        return f"{self.statement}: {self.refusal}"
