"""Options of the schedule search inside a joint search, and the number of schedules that it may keep."""

from dataclasses import dataclass

from p2smt.cost.network.backend import Backend
from p2smt.tensor.program import Program

STATEMENTS = 10_000
"""Budget of statements summed over all schedules; longer programs get fewer schedules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningOptions:
    """Options of the schedule search: the maximum number of moves, the backend, and a deadline.

    If `depth` is None, the number of moves grows while the search takes seconds. `rival` is the time in seconds of
    another program: where there is one placement alone, schedules that cannot be faster are not followed.
    """

    depth: int | None
    backend: Backend
    deadline: float | None = None
    rival: float | None = None


def most_schedules(program: Program) -> int:
    """Return the most schedules of a program; at least two, so that one of any length is compared with one schedule."""
    return max(2, STATEMENTS // max(1, len(program.statements)))
