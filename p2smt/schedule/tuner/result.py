"""Schedules with their prices, and the result of a search."""

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
    """A schedule, the scheduled program it gives, and its estimated time and memory."""

    schedule: Schedule
    scheduled: ScheduledProgram
    estimate: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class TuningResult:
    """All schedules found that fit into `memory`, fastest first; the unscheduled program may be among them.

    `tried` counts the steps tried. They gave `len(found)` + `too_large` distinct schedules including the
    unscheduled program; `smallest` is the smallest peak memory among all (None without `memory`). `equal` counts
    steps that led to a known schedule, `refused` has the number of refused steps by reason, and `refusals` the
    first of each. Steps not tried: `commuting` ones were tried in another order, and `bounded` ones cannot lead to
    one of the requested fastest schedules. All schedules of up to `depth` moves were searched; `stopped` is the
    reason why the search went no deeper, empty if `depth` was requested. `cut_off` is the reason why it ended
    within the next level, else empty. Then `left` steps of schedules already being extended, and all steps of
    `unfollowed` further schedules, were not tried. With a requested time limit, the end of time is given in
    `stopped`.
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
        """True if a schedule's peak memory is within the limit."""
        return self.memory is None or priced.estimate.held.peak <= self.memory

    def __repr__(self) -> str:
        before = format_seconds(self.untouched.estimate.seconds)
        best = f"fastest {format_seconds(self.found[0].estimate.seconds)}" if self.found else "none fits"
        return one_line(self, f"{counted(len(self.found), 'schedule')}: {best}, as it is {before}")

    def _repr_html_(self) -> str:
        """Return a table of the fastest schedules as HTML, for notebooks."""
        rows = [
            (format_seconds(one.estimate.seconds), "; ".join(map(print_line, one.schedule)) or "as it is")
            for one in self.found[:MOST_ROWS]
        ]
        more = max(0, len(self.found) - MOST_ROWS)
        return html_table(repr(self)[1:-1], ("time", "steps"), rows, more)
