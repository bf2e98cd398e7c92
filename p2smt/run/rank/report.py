"""Reports on a task on all ranks."""

from dataclasses import dataclass
from statistics import median

from p2smt.run.rank.message import RankTimes


@dataclass(frozen=True, slots=True)
class TaskReport:
    """Every rank's comparison and times."""

    ranks: tuple[RankTimes, ...]

    @property
    def slowest(self) -> tuple[float, ...]:
        """Seconds of every repeat, each the slowest rank's."""
        return tuple(max(repeat) for repeat in zip(*(rank.seconds for rank in self.ranks), strict=True))

    @property
    def seconds(self) -> float:
        """Median over the repeats of the slowest rank."""
        return float(median(self.slowest))

    @property
    def group_seconds(self) -> float:
        """The time that the slowest rank took to make process groups."""
        return max(rank.group_seconds for rank in self.ranks)

    @property
    def wrong(self) -> int:
        """Elements that differ, over all ranks; 0 when none was compared."""
        return sum(rank.mismatches or 0 for rank in self.ranks)

    @property
    def ok(self) -> bool:
        """True if no rank found an element that differs; also if none was compared."""
        return not self.wrong
