"""The verdict on a step of a schedule: proved with the program that it makes, refused, or unknown."""

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
    """A call of the rewritten program that computes parts, and the rule by which they are parts of the whole."""

    operation: str
    signature: Signature
    rule: Rule


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewriting:
    """The result of a transform, before its proof.

    `lemmas` name facts of conversions (`lemmas.py`), `instances` the rules that are used, `facts` what the transform
    has proved by itself; `inserted` are collectives that nobody asked for by name, `notes` what else there is to say.
    `summing` says how the order of summing changes, if it does; `rounds` is whether values are rounded, so that no
    proof is asked for.
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
    """A guard that does not hold.

    `naive` is the program without the guard, if there is one. `naive` is the program as it would be
    without the guard, where there is one.

    `example` are numbers that show it, where the program would stay the same.
    """

    def __init__(
        self,
        reason: Why | Reason,
        detail: str,
        naive: Program | None = None,
        example: "StepCounterExample | None" = None,
    ) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
        self.naive = naive
        self.example = example


@dataclass(frozen=True, slots=True, kw_only=True)
class AppliedStep:
    """A step that is proved for all sizes, slicings and numbers of ranks, and what it makes.

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
    """A run of both programs in numpy that ends with different numbers."""

    ranks: int
    sizes: str
    detail: str

    def __str__(self) -> str:
        return f"{self.ranks} {'rank' if self.ranks == 1 else 'ranks'}, {self.sizes}: {self.detail}"


@dataclass(frozen=True, slots=True)
class RefusedStep:
    """A step that is refused: the guard that does not hold, and numbers that show it, if any."""

    line: Line
    reason: Why | Reason
    detail: str
    counter_example: StepCounterExample | None = None


StepVerdict = Verdict[AppliedStep, RefusedStep]
"""The verdict on a step."""


def schedule_word(verdict: Verdict[object, object]) -> str:
    """The word that is printed for the verdict on a schedule."""
    match verdict:
        case Proved():
            return "valid"
        case Refuted():
            return "refused"
        case Unknown():
            return "not proved"
