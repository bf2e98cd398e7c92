"""Deadlines are times of `time.monotonic`, or None where there is none; here alone they are interpreted."""

import time
from dataclasses import dataclass, field
from math import inf

from p2smt.errors import TimeUpError

_EARLY_S = 0.05
"""The solver's clock may end a check so much before ours says that time is up."""


def is_over(deadline: float | None) -> bool:
    """True if the deadline has passed."""
    return seconds_left(deadline) <= 0


def seconds_left(deadline: float | None) -> float:
    """The time up to a deadline, infinite without one."""
    return inf if deadline is None else deadline - time.monotonic()


@dataclass(frozen=True, slots=True)
class Until:
    """A deadline of a function whose results are kept: it is no part of the key, for it changes no result.

    >>> Until(1.0) == Until()
    True
    """

    deadline: float | None = field(default=None, compare=False)

    def check(self) -> None:
        """Raise TimeUpError once the time is up; what raises is not kept."""
        if is_over(self.deadline):
            raise TimeUpError


EVER = Until()


def has_ended(deadline: float | None) -> bool:
    """True if the deadline is what has just ended a check that was given the time up to it."""
    return seconds_left(deadline) <= _EARLY_S
