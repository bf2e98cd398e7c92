"""The verdict on a plan: the evidence that it reaches its goal, or the mistake that refutes it."""

from dataclasses import KW_ONLY, dataclass
from enum import StrEnum

from p2smt.verify.verdict import Proved, Refuted, Unknown, Verdict


class PlanRule(StrEnum):
    """The rule that an invalid plan violates: a rule of shape, checked before execution, or a part of the goal."""

    TWICE = "a device takes part twice in one step"
    NO_DEVICE = "a group names a device that does not exist"
    OUTSIDE = "a part lies outside its buffer"
    UNEVEN = "blocks are not equal parts"
    LENGTHS = "source and target do not fit together"
    ROOT = "the root is not a member"
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
    """The location of a mistake in a plan; fields that do not apply are None. `step` counts from 1; 0 is the start."""

    step: int
    group: tuple[int, ...] | None = None
    device: int | None = None
    chunk: int | None = None
    contributor: int | None = None


@dataclass(frozen=True, slots=True)
class PlanProof:
    """Evidence that all `checked` results of the goal contain every contribution exactly once."""

    checked: int


@dataclass(frozen=True, slots=True)
class Vacuity:
    """A goal without any requirement, which every plan would satisfy; such a claim is refuted."""

    reason: str


@dataclass(frozen=True, slots=True)
class MistakeExample:
    """Numbers that show a mistake: `contributor` contributes `given` to `chunk`.

    `also` lists further contributions (device, chunk, number); all others are 0. Then `device` ends with `got`
    instead of `wanted` in chunk `at`.
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
    """A mistake in a plan: the violated rule, its location, a message, and numbers that show it.

    `example` is None if the plan cannot be executed, or if its result depends on undefined contents.
    """

    rule: PlanRule
    place: Place
    message: str
    example: MistakeExample | None = None


NoPlan = PlanMistake | Unknown
"""An importer's result for a file that contains no executable plan, or if it cannot tell."""

PlanVerdict = Verdict[PlanProof, PlanMistake | Vacuity]
"""The verdict on a plan."""


def mistake_of(verdict: PlanVerdict) -> PlanMistake | None:
    """Return the mistake that refutes a plan; None if it is not refuted, or if its goal is vacuous."""
    match verdict:
        case Refuted(PlanMistake() as mistake):
            return mistake
        case _:
            return None


def plan_word(verdict: PlanVerdict) -> str:
    """Return the word printed for the verdict on a plan."""
    match verdict:
        case Proved():
            return "valid"
        case Refuted():
            return "vacuous" if mistake_of(verdict) is None else "invalid"
        case Unknown():
            return "unknown"
