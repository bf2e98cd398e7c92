"""Deadlines are times of `time.monotonic`, or None where there is none; here alone they are interpreted."""

import time
from dataclasses import dataclass, field
from math import inf

from p2smt.errors import TimeUpError

_EARLY_S = 0.05
"""The solver's clock may end a check up to this many seconds before the deadline by our clock."""


def is_over(deadline: float | None) -> bool:
    """True if the deadline has passed."""
    return seconds_left(deadline) <= 0


def seconds_left(deadline: float | None) -> float:
    """The time up to a deadline, infinite without one."""
    return inf if deadline is None else deadline - time.monotonic()


@dataclass(frozen=True, slots=True)
class Until:
    """A deadline for a cached function: it is excluded from equality and hash, because it changes no result.

    >>> Until(1.0) == Until()
    True
    """

    deadline: float | None = field(default=None, compare=False)

    def check(self) -> None:
        """Raise TimeUpError after the deadline; a cache does not keep a call that raises."""
        if is_over(self.deadline):
            raise TimeUpError


EVER = Until()


def has_ended(deadline: float | None) -> bool:
    """True if a check that was given the time up to the deadline has just been ended by it."""
    return seconds_left(deadline) <= _EARLY_S
