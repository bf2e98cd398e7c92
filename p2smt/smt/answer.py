"""Answers of a solver (sat, unsat or unknown, never a bool), and the results of an enumeration."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

Item = TypeVar("Item")
Model = TypeVar("Model")


class Stop(StrEnum):
    """The reason why an enumeration ended; the results are complete only after EXHAUSTED."""

    EXHAUSTED = "exhausted"
    DEADLINE = "deadline"
    INTERRUPTED = "interrupted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Sat(Generic[Model]):
    """The query is satisfiable; `model` is the requested value of its model."""

    model: Model


@dataclass(frozen=True, slots=True)
class Unsat:
    """The query is unsatisfiable; so are the assumptions of the `core`, given by number, with the asserted terms."""

    core: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """The solver gave no answer: it reached the deadline (`stop` DEADLINE) or gave up (UNKNOWN), with the reason."""

    reason: str
    stop: Stop = Stop.UNKNOWN


Answer = Sat[Model] | Unsat | NoAnswer


@dataclass(frozen=True, slots=True)
class Enumeration(Generic[Item]):
    """The items found, why the search stopped, and the solver's own reason if it gave up."""

    items: tuple[Item, ...]
    stop: Stop
    reason: str = ""

    @property
    def complete(self) -> bool:
        """True if `items` is complete."""
        return self.stop is Stop.EXHAUSTED
