"""One measured time, and what was done in it."""

from dataclasses import dataclass
from typing import Literal

from p2smt.collective import Exchange, NeighbourSend
from p2smt.cost.network.backend import Backend
from p2smt.cost.network.cost import LocalWork, Work
from p2smt.cost.network.pattern import Pattern

TransferGoal = Literal[Exchange.ALL_TO_ALL, NeighbourSend.AROUND]  # only: what nccl-tests measures and is priced


@dataclass(frozen=True, slots=True)
class Transfer:
    """Blocks or whole buffers sent among all groups of a pattern, of `held` bytes on every device; nobody adds."""

    goal: TransferGoal
    pattern: Pattern
    held: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """`works` were done one after the other, on a system with `sizes` units per level, in `seconds`.

    `place` says where the row stands, for messages; rows of one `group` are left out together when the fit is
    tested on rows it has not seen. `table` is the first row of the table of nccl-tests that it stands in, "" for other
    rows; `size` are the bytes of the whole buffer, and `busbw` what nccl-tests calls bus bandwidth, in bytes/s; 0: the
    row is not of nccl-tests.
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
