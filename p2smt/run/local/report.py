"""Reports on plans that ran in real processes."""

from dataclasses import dataclass

from p2smt.collective import Collective


@dataclass(frozen=True, slots=True)
class RankReport:
    """One rank: how many elements differ from the plain collective's, over all cases; the seconds of every repeat."""

    rank: int
    mismatches: int
    plan_seconds: tuple[float, ...]
    plain_seconds: tuple[float, ...]

    @property
    def ok(self) -> bool:
        """True if every element is equal."""
        return self.mismatches == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RunReport:
    """A plan that ran: every rank, and seconds as the median over repeats of the slowest rank.

    It was compared with, and timed beside, the plain collective that `goal` names, in groups of `group` ranks.
    `group_seconds` is what creating those process groups took that earlier plans on the same cluster had not created.
    Under `debug` torch compares every collective among the ranks, so seconds are larger than without.
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
        """True if every element on every rank is equal to that of the plain collective."""
        return all(rank.ok for rank in self.ranks)

    @property
    def mismatches(self) -> int:
        """Number of elements that differ, over all ranks and cases."""
        return sum(rank.mismatches for rank in self.ranks)
