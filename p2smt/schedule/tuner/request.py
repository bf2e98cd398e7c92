"""The request to search schedules, and how deep the search goes.

Iterative deepening (Korf, "Depth-first iterative-deepening", 1985) over the levels of a breadth-first search: after all
schedules of d moves, those of d + 1 are searched

    while d < DEEPEST and (d < LEAST_DEPTH or steps tried * statements * ranks < effort)

and no further where no schedule is left to follow, or the time is over. The effort counts what a step has to judge, not
seconds, so that every machine gives the same answer; a depth that is asked for takes its place. Levels are kept, so
nothing is searched twice. Complexity: that of its last level.

Example: sending between pipeline stages (CoCoNet's figure 8) has its best schedule at 4 moves, 12.3 times as fast as
the program; at 3 moves 8.5 times is best, found with 174 steps. Times 4 statements and 32 ranks that is less than
EFFORT, so a fourth move is tried.
"""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from p2smt.schedule.cost.estimate import Estimate

LEAST_DEPTH, DEEPEST = 3, 8
EFFORT = 60_000
"""Statements of ranks that are judged before the last level, which takes about as many again: some seconds in all."""


@dataclass(frozen=True, slots=True)
class TuningRequest:
    """Limits of a search: moves (None: as deep as the effort goes), schedules, bytes a rank, and a time to end at.

    `effort` is a number of statements of ranks, None for as many as there are until `deadline`, a time of
    `time.monotonic`. `top` is how many of the fastest schedules have to be exact; None: all.
    """

    depth: int | None
    most: int
    top: int | None
    memory: int | None
    deadline: float | None
    programs: bool
    effort: int | None = EFFORT

    @property
    def deepest(self) -> int:
        """The number of moves beyond which no schedule is followed, whatever the effort."""
        return DEEPEST if self.depth is None else self.depth

    def stop(self, depth: int, left: int, judged: int) -> str | None:
        """Why no moves are searched beyond `depth`; None if they are.

        `left` schedules of so many moves can be followed, after `judged` statements of ranks. Empty where all that was
        asked for is done.
        """
        if depth >= self.deepest:
            return ""
        if not left:
            return "no schedule is left to follow"
        if self.depth is not None or self.effort is None or depth < LEAST_DEPTH or judged < self.effort:
            return None
        return "the effort of a search without --depth or --budget was spent"

    def over(self, found: int) -> str:
        """Why the search ends in the middle of a level, when so many schedules were found; empty if it goes on."""
        if found >= self.most:
            return f"{self.most} schedules were found"
        return "the time was over" if self.deadline is not None and time.monotonic() >= self.deadline else ""

    def fits(self, estimate: "Estimate") -> bool:
        """True if a schedule holds no more than is available."""
        return self.memory is None or estimate.held.peak <= self.memory

    def order(self, estimate: "Estimate") -> tuple[bool, float]:
        """A sort key: schedules that fit come first, by time; the rest by memory."""
        fits = self.fits(estimate)
        return not fits, estimate.seconds if fits else estimate.held.peak
