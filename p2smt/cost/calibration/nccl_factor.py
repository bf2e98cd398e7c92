"""The collective and the number of ranks of a table, from busbw / algbw.

nccl-tests prints busbw = algbw x factor, where n ranks have the factor (its doc/PERFORMANCE.md)
    2(n - 1)/n   all-reduce
    (n - 1)/n    reduce-scatter, all-gather, all-to-all, gather, scatter
    1            broadcast, reduce, send and receive
Both rates are rounded, so a row gives an interval for the factor, and a table the intersection of its rows' intervals.
Complexity: one intersection for each row.
Reference: Moore, "Interval Analysis", 1966.

Example: 13.67 / 7.81 lies between 1.748 and 1.752, and only n = 8 has 2(n - 1)/n = 1.75 there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import inf
from statistics import median

from p2smt.cost.calibration.nccl_run import Row

_ROUNDING = 1e-6
_CLEAR = 0.01
"""The widest interval of a factor that decides; the other rows must agree with such factors."""


class NcclTest(StrEnum):
    """The programs of nccl-tests, named without the suffix `_perf`."""

    ALL_REDUCE = "all_reduce"
    REDUCE_SCATTER = "reduce_scatter"
    ALL_GATHER = "all_gather"
    BROADCAST = "broadcast"
    REDUCE = "reduce"
    ALL_TO_ALL = "alltoall"
    SEND = "sendrecv"
    GATHER = "gather"
    SCATTER = "scatter"
    HYPERCUBE = "hypercube"
    ALL_TO_ALL_V = "alltoallv"

    @property
    def is_priced(self) -> bool:
        """True if parameters can be fitted to its tables, because programs and jobs contain its operation."""
        match self:
            case NcclTest.ALL_REDUCE | NcclTest.REDUCE_SCATTER | NcclTest.ALL_GATHER | NcclTest.BROADCAST:
                return True
            case NcclTest.REDUCE | NcclTest.ALL_TO_ALL | NcclTest.SEND:
                return True
            case NcclTest.GATHER | NcclTest.SCATTER | NcclTest.HYPERCUBE | NcclTest.ALL_TO_ALL_V:
                return False

    @property
    def adds(self) -> bool:
        """True if the test reduces, so its rows name an operation."""
        match self:
            case NcclTest.ALL_REDUCE | NcclTest.REDUCE_SCATTER | NcclTest.REDUCE:
                return True
            case NcclTest.ALL_GATHER | NcclTest.BROADCAST | NcclTest.ALL_TO_ALL | NcclTest.SEND:
                return False
            case NcclTest.GATHER | NcclTest.SCATTER | NcclTest.HYPERCUBE | NcclTest.ALL_TO_ALL_V:
                return False

    @property
    def is_rooted(self) -> bool:
        """True if the test has a root, which its rows name."""
        match self:
            case NcclTest.BROADCAST | NcclTest.REDUCE | NcclTest.GATHER | NcclTest.SCATTER:
                return True
            case NcclTest.ALL_REDUCE | NcclTest.REDUCE_SCATTER | NcclTest.ALL_GATHER | NcclTest.ALL_TO_ALL:
                return False
            case NcclTest.SEND | NcclTest.HYPERCUBE | NcclTest.ALL_TO_ALL_V:
                return False

    @property
    def twice(self) -> int:
        """The coefficient c if the factor is c(n-1)/n, which is 2 or 1; 0 if the factor is 1 for any n."""
        match self:
            case NcclTest.ALL_REDUCE:
                return 2
            case NcclTest.REDUCE_SCATTER | NcclTest.ALL_GATHER | NcclTest.ALL_TO_ALL | NcclTest.ALL_TO_ALL_V:
                return 1
            case NcclTest.GATHER | NcclTest.SCATTER:
                return 1
            case NcclTest.BROADCAST | NcclTest.REDUCE | NcclTest.SEND | NcclTest.HYPERCUBE:
                return 0


@dataclass(frozen=True, slots=True)
class Factor:
    """The range of busbw / algbw that is consistent with a table."""

    low: float
    high: float

    def allows(self, test: NcclTest, ranks: int) -> bool:
        """True if the factor of a test with `ranks` ranks lies in the range."""
        exact = test.twice * (ranks - 1) / ranks if test.twice else 1.0
        return self.low - _ROUNDING <= exact <= self.high + _ROUNDING

    def ranks(self, test: NcclTest) -> tuple[float, float]:
        """Return the least and the largest (real) number of ranks; (2, infinity) if the factor is independent of it."""
        times = test.twice
        if not times:
            return (2.0, inf)

        def count(factor: float) -> float:
            return times / (times - factor) if factor < times else inf

        return count(self.low), count(self.high + _ROUNDING)

    def only(self, test: NcclTest) -> int | None:
        """Return the only number of ranks that the factor allows; None if there is none or several."""
        low, high = self.ranks(test)
        if low == inf:
            return None
        # Two neighbouring integers at most can be allowed if the factor depends on the number of
        # ranks.
        found = [n for n in range(max(2, int(low)), int(min(high, low + 2)) + 2) if self.allows(test, n)]
        return found[0] if len(found) == 1 else None

    def __str__(self) -> str:
        return f"{(self.low + self.high) / 2:.4g}"


def factor_of(rows: Sequence[Row]) -> tuple[Factor | None, list[Row]]:
    """Return a table's factor (None if its digits do not tell), and the rows whose rates contradict it."""
    told = [(row, interval) for row in rows if (interval := _interval(row)) is not None]
    if not told:
        return None, []
    clear = [interval for _, interval in told if interval.high - interval.low <= _CLEAR] or [one for _, one in told]
    # The median ignores a few broken rows.
    middle = median((one.low + one.high) / 2 for one in clear)
    odd = [row for row, one in told if not one.low - _CLEAR <= middle <= one.high + _CLEAR]
    # By identity: equal rows can occur twice in a table.
    kept = [one for row, one in told if not any(row is other for other in odd)]
    low, high = max(one.low for one in kept), min(one.high for one in kept)
    return Factor(min(low, high), max(low, high)), odd


def _interval(row: Row) -> Factor | None:
    """Return the factor of a row; None if its rates are too small to tell."""
    algbw, busbw = row.algbw, row.busbw
    if algbw is None or busbw is None or algbw.value < 100 * algbw.half or algbw.low <= 0:
        return None
    return Factor(busbw.low / algbw.high, busbw.high / algbw.low)
