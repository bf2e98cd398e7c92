"""Reports on a task, combined over all ranks."""

from dataclasses import dataclass
from statistics import median

from p2smt.run.rank.message import RankTimes


@dataclass(frozen=True, slots=True)
class TaskReport:
    """The comparisons and times of all ranks."""

    ranks: tuple[RankTimes, ...]

    @property
    def slowest(self) -> tuple[float, ...]:
        """Seconds of every repeat on its slowest rank."""
        return tuple(max(repeat) for repeat in zip(*(rank.seconds for rank in self.ranks), strict=True))

    @property
    def seconds(self) -> float:
        """The median over repeats of the slowest rank's time."""
        return float(median(self.slowest))

    @property
    def group_seconds(self) -> float:
        """The time that the slowest rank needed to create process groups."""
        return max(rank.group_seconds for rank in self.ranks)

    @property
    def wrong(self) -> int:
        """The number of differing elements over all ranks; 0 if none was compared."""
        return sum(rank.mismatches or 0 for rank in self.ranks)

    @property
    def ok(self) -> bool:
        """True if no element differs, or if none was compared."""
        return not self.wrong
