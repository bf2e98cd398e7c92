"""The verdict on a step of a schedule: proved with the resulting program, refused, or unknown."""

from collections.abc import Callable
from dataclasses import dataclass

from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.step import Line
from p2smt.schedule.why import Why
from p2smt.tensor.program import Program
from p2smt.tensor.reason import Reason
from p2smt.tensor.rule import Rule
from p2smt.tensor.signature import Signature
from p2smt.verify.verdict import Proved, Refuted, Unknown, Verdict


@dataclass(frozen=True, slots=True)
class Instance:
    """A call of the rewritten program that computes parts, and the rule that makes them parts of the whole."""

    operation: str
    signature: Signature
    rule: Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewriting:
    """The result of a transform, before its proof.

    `lemmas` names lemmas about conversions (`lemmas.py`), `instances` has the rules used, `facts` what the
    transform has checked itself. `inserted` has collectives that the step did not name, `notes` further
    remarks. `summing` describes a changed order of summation. `rounds` is True if values are rounded, so that
    equality is not proved.
    """

    scheduled: ScheduledProgram
    lemmas: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    instances: tuple[Instance, ...] = ()
    inserted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    summing: str = ""
    rounds: bool = False


class StepRefusedError(Exception):
    """A failed guard.

    `naive` is the program that would result without the guard, if there is one. `example` searches for numbers
    that show the failure if the program itself would not change.
    """

    def __init__(
        self,
        reason: Why | Reason,
        detail: str,
        naive: Program | None = None,
        example: "Callable[[], StepCounterExample | None] | None" = None,
    ) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
        self.naive = naive
        self.example = example


@dataclass(frozen=True, slots=True, kw_only=True)
class AppliedStep:
    """A step that is proved for all sizes, slicings and numbers of ranks, and its result.

    `proof` names the obligations that the solver has discharged.
    """

    line: Line
    scheduled: ScheduledProgram
    proof: tuple[str, ...]
    inserted: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    summing: str = ""
    rounds: bool = False


@dataclass(frozen=True, slots=True)
class StepCounterExample:
    """A small numpy run in which both programs end with different numbers."""

    ranks: int
    sizes: str
    detail: str

    def __str__(self) -> str:
        return f"{self.ranks} {'rank' if self.ranks == 1 else 'ranks'}, {self.sizes}: {self.detail}"


@dataclass(frozen=True, slots=True)
class RefusedStep:
    """A refused step: the failed guard, and numbers that show the failure, if any."""

    line: Line
    reason: Why | Reason
    detail: str
    counter_example: StepCounterExample | None = None


StepVerdict = Verdict[AppliedStep, RefusedStep]
"""The verdict on a step: an applied or a refused one, or unknown."""


def schedule_word(verdict: Verdict[object, object]) -> str:
    """Return the printed word for the verdict on a schedule."""
    match verdict:
        case Proved():
            return "valid"
        case Refuted():
            return "refused"
        case Unknown():
            return "not proved"
