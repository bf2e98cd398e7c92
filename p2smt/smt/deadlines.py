"""Deadlines are times of `time.monotonic`, or None where there is none; here alone they are interpreted."""

import time
from math import inf

_EARLY_S = 0.05
"""The solver's clock may end a check so much before ours says that time is up."""


def is_over(deadline: float | None) -> bool:
    """Whether the time is up."""
    return seconds_left(deadline) <= 0


def seconds_left(deadline: float | None) -> float:
    """The time up to a deadline, infinite without one."""
    return inf if deadline is None else deadline - time.monotonic()


def has_ended(deadline: float | None) -> bool:
    """Whether it is the deadline that has just ended a check, which was given the time up to it."""
    return seconds_left(deadline) <= _EARLY_S
