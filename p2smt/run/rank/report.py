"""What a task came to on all ranks."""

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
        """What making process groups took the slowest rank."""
        return max(rank.group_seconds for rank in self.ranks)

    @property
    def wrong(self) -> int:
        """Elements that differ, over all ranks; 0 when none was compared."""
        return sum(rank.mismatches or 0 for rank in self.ranks)

    @property
    def ok(self) -> bool:
        """Whether no rank found an element that differs; also when none was compared."""
        return not self.wrong
