"""Answers of a solver: sat, unsat or unknown, never a bool; and how an enumeration ended."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

Item = TypeVar("Item")
Model = TypeVar("Model")


class Stop(StrEnum):
    """Why an enumeration ended; only after EXHAUSTED has everything been found."""

    EXHAUSTED = "exhausted"
    DEADLINE = "deadline"
    INTERRUPTED = "interrupted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Sat(Generic[Model]):
    """There is a model, and this is what was asked of it."""

    model: Model


@dataclass(frozen=True, slots=True)
class Unsat:
    """There is no model. The assumptions of the `core`, by number, are unsatisfiable by themselves."""

    core: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Unknown:
    """No decision, and the reason: the deadline (`stop` DEADLINE), or the solver gave up (UNKNOWN)."""

    reason: str
    stop: Stop = Stop.UNKNOWN


Answer = Sat[Model] | Unsat | Unknown


@dataclass(frozen=True, slots=True)
class Enumeration(Generic[Item]):
    """Items found, the reason why the search stopped, and the solver's own reason if it gave up."""

    items: tuple[Item, ...]
    stop: Stop
    reason: str = ""

    @property
    def complete(self) -> bool:
        """True if `items` is everything there is."""
        return self.stop is Stop.EXHAUSTED
