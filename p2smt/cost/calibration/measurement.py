"""One measured time, and what was done in it."""

from dataclasses import dataclass

from p2smt.cost.network.backend import Backend
from p2smt.cost.network.cost import LocalWork, Work


@dataclass(frozen=True, slots=True, kw_only=True)
class Measurement:
    """`works` were done one after the other, on a system with `sizes` units per level, in `seconds`.

    `place` says where the row stands, for messages; rows of one `group` are left out together when the fit is
    tested on rows it has not seen.
    """

    place: str
    group: str
    sizes: tuple[int, ...]
    backend: Backend
    works: tuple[Work | LocalWork, ...]
    seconds: float
