"""Schedules with their prices, and the result of a search for them."""

from dataclasses import dataclass

from p2smt.display import MOST_ROWS, html_table, one_line
from p2smt.problem.quantity import format_seconds
from p2smt.schedule.cost.estimate import Estimate
from p2smt.schedule.cost.memory import PeakMemory
from p2smt.schedule.outcome import RefusedStep
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.step import Schedule
from p2smt.schedule.text.printer import print_line
from p2smt.wording import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class PricedSchedule:
    """A schedule, what it makes, and what that takes."""

    schedule: Schedule
    scheduled: ScheduledProgram
    estimate: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningResult:
    """All schedules that were found and that fit into `memory`, the fastest first; the program as it is may be one.

    `tried` steps made `len(found)` and `too_large` different schedules beside the program as it is, the smallest of
    which holds `smallest` (None without `memory`); `equal` led to one that was known, `refused` counts reasons, and
    `refusals` has the first step of each. Others were not tried: `commuting` ones stand before the step that they
    follow in another schedule that was, and what comes of `bounded` ones takes longer than the fastest that were asked
    for, whatever follows.

    Everything up to `depth` moves was tried; `stopped` is why it went no further, empty where `depth` was asked for.
    `cut_off` is why the search ended among the schedules of `depth` + 1 moves, empty if it did not: then `left` more
    steps of schedules that were looked behind, and all those behind `unfollowed` others, were not tried. Where a time
    was asked for, its end is a `stopped` with `left` and `unfollowed`.
    """

    found: tuple[PricedSchedule, ...]
    untouched: PricedSchedule
    depth: int
    tried: int
    equal: int
    refused: tuple[tuple[str, int], ...]
    not_proved: int
    commuting: int
    bounded: int
    smallest: PeakMemory | None
    too_large: int = 0
    memory: int | None = None
    cut_off: str = ""
    stopped: str = ""
    left: int = 0
    unfollowed: int = 0
    refusals: tuple[RefusedStep, ...] = ()

    def fits(self, priced: PricedSchedule) -> bool:
        """True if a schedule holds no more than a rank has."""
        return self.memory is None or priced.estimate.held.peak <= self.memory

    def __repr__(self) -> str:
        before = format_seconds(self.untouched.estimate.seconds)
        best = f"fastest {format_seconds(self.found[0].estimate.seconds)}" if self.found else "none fits"
        return one_line(self, f"{counted(len(self.found), 'schedule')}: {best}, as it is {before}")

    def _repr_html_(self) -> str:
        """A table of the fastest schedules."""
        rows = [
            (format_seconds(one.estimate.seconds), "; ".join(map(print_line, one.schedule)) or "as it is")
            for one in self.found[:MOST_ROWS]
        ]
        more = max(0, len(self.found) - MOST_ROWS)
        return html_table(repr(self)[1:-1], ("time", "steps"), rows, more)
