"""Reports on plans that ran on real processes."""

from dataclasses import dataclass

from p2smt.collective import Collective


@dataclass(frozen=True, slots=True)
class RankReport:
    """Results of one rank: elements that differ from the reference collective in all cases, and seconds per repeat."""

    rank: int
    mismatches: int
    plan_seconds: tuple[float, ...]
    plain_seconds: tuple[float, ...]

    @property
    def ok(self) -> bool:
        """True if no element differs."""
        return self.mismatches == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """Results of a plan that ran, for all ranks; seconds are the median over repeats of the slowest rank's time.

    The reference, compared with and timed beside the plan, is torch's collective `goal` in groups of `group`
    ranks. `group_seconds` is the time spent on creating process groups that the cluster did not have yet. With
    `debug`, torch compares every collective among ranks, which makes all times longer.
    """

    program: str
    goal: Collective
    group: int
    ranks: tuple[RankReport, ...]
    elements: int
    dtype: str
    repeats: int
    plan_seconds: float
    plain_seconds: float
    group_seconds: float
    backend: str
    torch_version: str
    debug: bool

    @property
    def ok(self) -> bool:
        """True if every element on every rank equals the reference collective's."""
        return all(rank.ok for rank in self.ranks)

    @property
    def mismatches(self) -> int:
        """The number of differing elements, over all ranks and cases."""
        return sum(rank.mismatches for rank in self.ranks)
