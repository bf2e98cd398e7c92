"""Deadlines as times of `time.monotonic`, or None for no deadline; only this module interprets them."""

import time
from dataclasses import dataclass, field
from math import inf

from p2smt.errors import TimeUpError

_EARLY_S = 0.05
"""The solver's clock may end a check up to this many seconds before our clock reaches the deadline."""


def is_over(deadline: float | None) -> bool:
    """True if the deadline has passed."""
    return seconds_left(deadline) <= 0


def seconds_left(deadline: float | None) -> float:
    """Return the seconds until a deadline, infinite without one."""
    return inf if deadline is None else deadline - time.monotonic()


@dataclass(frozen=True, slots=True)
class Until:
    """A deadline as an argument of a cached function; all deadlines are equal and hash alike, as they change no result.

    >>> Until(1.0) == Until()
    True
    """

    deadline: float | None = field(default=None, compare=False)

    def check(self) -> None:
        """Raise TimeUpError after the deadline; a cached function that raises is not cached."""
        if is_over(self.deadline):
            raise TimeUpError


EVER = Until()


def has_ended(deadline: float | None) -> bool:
    """True if a check with the remaining time as its limit has just been ended by the deadline."""
    return seconds_left(deadline) <= _EARLY_S
