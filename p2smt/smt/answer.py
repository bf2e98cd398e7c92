"""What a solver can say: sat, unsat or unknown, never a bool; and how an enumeration ended."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Sat:
    """There is a model; `code` holds the values of the query's code bits, the first bit least significant."""

    code: int


@dataclass(frozen=True, slots=True)
class Unsat:
    """There is no model."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """The solver gave up, for this reason."""

    reason: str


Answer = Sat | Unsat | Unknown


class Stop(StrEnum):
    """Why an enumeration ended; only after EXHAUSTED has everything been found."""

    EXHAUSTED = "exhausted"
    DEADLINE = "deadline"
    INTERRUPTED = "interrupted"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Enumeration(Generic[Item]):
    """What was found, why the search stopped, and the solver's reason where it gave up."""

    items: tuple[Item, ...]
    stop: Stop
    reason: str = ""

    @property
    def complete(self) -> bool:
        """Whether `items` is everything there is."""
        return self.stop is Stop.EXHAUSTED
