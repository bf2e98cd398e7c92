"""The verdict on a plan: what proves that it reaches its goal, and what refutes it."""

from dataclasses import KW_ONLY, dataclass
from enum import StrEnum

from p2smt.verify.verdict import Proved, Refuted, Unknown, Verdict


class Rule(StrEnum):
    """The rule that an invalid plan breaks: a rule of shape, checked before running, or a part of the goal."""

    TWICE = "a device takes part twice in one step"
    NO_DEVICE = "a group names a device that does not exist"
    OUTSIDE = "a part lies outside its buffer"
    UNEVEN = "blocks are not equal parts"
    LENGTHS = "source and target do not fit together"
    ROOT = "the root is no member"
    OVERLAP = "source and target overlap in part"
    MISMATCH = "the members of a group call different things"
    ORDER = "ranks wait for each other"
    INPUT = "the input of a program out of place is overwritten"
    RACE = "what a step reads or writes depends on timing"
    UNWAITED = "what a rank starts is never waited for"
    UNDEFINED = "a result depends on what is undefined"
    MISSING = "a contribution is missing"
    COUNTED_TWICE = "a contribution is counted more than once"
    WEIGHT = "a contribution counts with the wrong weight"
    TRUNCATED = "truncated quotients of integers are added"
    FOREIGN = "a contribution of another chunk or another group is there"


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a mistake in a plan; fields that do not apply are None. `step` counts from 1; 0 is before it."""

    step: int
    group: tuple[int, ...] | None = None
    device: int | None = None
    chunk: int | None = None
    contributor: int | None = None


@dataclass(frozen=True, slots=True)
class PlanProof:
    """Proof: every device of every goal group ends with every contribution exactly once, in `checked` results."""

    checked: int


@dataclass(frozen=True, slots=True)
class Vacuity:
    """A goal that asks for nothing, so that any plan would do; a claim includes that its goal asks for something."""

    reason: str


@dataclass(frozen=True, slots=True)
class MistakeExample:
    """Numbers that show a mistake: `contributor` contributes `given` to `chunk`.

    `also` are contributions (device, chunk, number) beside it; all others are 0. Then `device` ends with `got` in chunk
    `at`, where `wanted` belongs.
    """

    contributor: int
    chunk: int
    device: int
    at: int
    _: KW_ONLY
    got: int
    wanted: int
    given: int = 1
    also: tuple[tuple[int, int, int], ...] = ()

    @property
    def contributions(self) -> dict[tuple[int, int], int]:
        """The contributions: a number per device and chunk."""
        return {(self.contributor, self.chunk): self.given} | {(d, c): number for d, c, number in self.also}


@dataclass(frozen=True, slots=True)
class PlanMistake:
    """The plan is wrong: the rule that it breaks, where, the same as a sentence, and numbers that show it.

    There are no numbers for a plan that cannot be run, or whose result depends on what is undefined.
    """

    rule: Rule
    place: Place
    message: str
    example: MistakeExample | None = None


NoPlan = PlanMistake | Unknown
"""The answer of an importer for a file without a plan that can be run, or if it cannot tell."""

PlanVerdict = Verdict[PlanProof, PlanMistake | Vacuity]
"""The verdict on a plan."""


def mistake_of(verdict: PlanVerdict) -> PlanMistake | None:
    """The mistake that refutes a plan; None if nothing refutes it, or there is nothing to reduce."""
    match verdict:
        case Refuted(PlanMistake() as mistake):
            return mistake
        case _:
            return None


def plan_word(verdict: PlanVerdict) -> str:
    """The word that is printed for the verdict on a plan."""
    match verdict:
        case Proved():
            return "valid"
        case Refuted():
            return "vacuous" if mistake_of(verdict) is None else "invalid"
        case Unknown():
            return "unknown"
