"""A search request: limits of a search over schedules, and the rule that sets its depth.

Iterative deepening (Korf, "Depth-first iterative-deepening", 1985) over the levels of a breadth-first search. After all
schedules of d moves, those of d + 1 moves are searched
    while d < DEEPEST and (d < LEAST_DEPTH or steps tried * statements * ranks < effort),
unless no schedule is left to extend or time is up. The effort counts checking work instead of seconds, so every machine
gives the same answer; an explicit depth replaces it. Levels are kept, so nothing is searched twice. Complexity: that of
the last level.

Example: sending between pipeline stages (CoCoNet's figure 8) has its best schedule at 4 moves, 12.3 times as fast
as the program. At 3 moves the best is 8.5 times as fast, found with 174 steps. Times 4 statements and 32 ranks this
is less than EFFORT, so a fourth move is tried.
"""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from p2smt.schedule.cost.estimate import Estimate

LEAST_DEPTH, DEEPEST = 3, 8
EFFORT = 60_000
"""The checking work, in statements times ranks, before the last level.

That level takes about as much again: seconds in all.
"""


@dataclass(frozen=True, slots=True)
class TuningRequest:
    """Limits of a search.

    `depth` is in moves (None: set by the effort), `most` in schedules, `memory` in bytes per rank. `effort`
    is in statements times ranks; None for no limit until `deadline`, a time of `time.monotonic`. `top` is the
    number of fastest schedules that must be exact; None for all. Without `programs`, reduction programs are
    not tried. `rival` is the time in seconds of another program: schedules that cannot be faster are not extended.
    """

    depth: int | None
    most: int
    top: int | None
    memory: int | None
    deadline: float | None
    programs: bool
    effort: int | None = EFFORT
    rival: float | None = None

    @property
    def deepest(self) -> int:
        """The number of moves beyond which no schedule is extended."""
        return DEEPEST if self.depth is None else self.depth

    def stop(self, depth: int, left: int, judged: int) -> str | None:
        """Return the reason why the search ends at `depth` moves; None if it continues.

        `left` schedules of that depth can be extended, after checking work `judged`. The reason is empty if
        the requested depth is reached.
        """
        if depth >= self.deepest:
            return ""
        if not left:
            return "no schedule is left to follow"
        if self.depth is not None or self.effort is None or depth < LEAST_DEPTH or judged < self.effort:
            return None
        return "the effort of a search without a depth was spent"

    def over(self, found: int) -> str:
        """Return the reason why the search ends within a level, after `found` schedules; empty if it continues."""
        if found >= self.most:
            return f"{self.most} schedules were found"
        return "the time was over" if self.deadline is not None and time.monotonic() >= self.deadline else ""

    def fits(self, estimate: "Estimate") -> bool:
        """True if a schedule's peak memory is within the limit."""
        return self.memory is None or estimate.held.peak <= self.memory

    def order(self, estimate: "Estimate") -> tuple[bool, float]:
        """Return a sort key: schedules within the memory limit first, by time; the rest by memory."""
        fits = self.fits(estimate)
        return not fits, estimate.seconds if fits else estimate.held.peak
