"""A measured time, and the work that it measures."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import floor
from typing import Literal

from p2smt.collective import Exchange, NeighbourSend
from p2smt.cost.network.backend import Backend
from p2smt.cost.network.cost import LocalWork, Work
from p2smt.cost.network.pattern import Pattern

TransferGoal = Literal[Exchange.ALL_TO_ALL, NeighbourSend.AROUND]  # only: what nccl-tests measures and is priced


@dataclass(frozen=True, slots=True)
class Transfer:
    """A transfer of blocks or whole buffers in all groups of a pattern, `held` bytes per device; nothing is reduced."""

    goal: TransferGoal
    pattern: Pattern
    held: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """The seconds of `works`, done one after the other, on a system with `sizes` units per level.

    `place` locates the row, for messages. Rows of one `group` are left out together when the fit is tested on unseen
    rows. `table` is the first row of its nccl-tests table, "" for other rows. `size` is the bytes of the whole buffer,
    and `busbw` the bus bandwidth as nccl-tests defines it, in bytes/s; both are 0 for rows not of nccl-tests.
    """

    place: str
    group: str
    sizes: tuple[int, ...]
    backend: Backend
    works: tuple[Work | LocalWork | Transfer, ...]
    seconds: float
    table: str = ""
    size: int = 0
    busbw: float = 0.0

    @property
    def most_bytes(self) -> float:
        """The most bytes that a root holds before one of the works; 0 without works."""
        return max(map(_bytes, self.works), default=0.0)


def least_bytes(measurements: Sequence[Measurement]) -> int:
    """Return the payload of the smallest measurement, as the most bytes that a root holds before one of its works."""
    return max(1, floor(min(one.most_bytes for one in measurements)))


def _bytes(work: Work | LocalWork | Transfer) -> float:
    match work:
        case Work(held=held) | Transfer(held=held):
            return held
        case LocalWork(moved):
            return moved
