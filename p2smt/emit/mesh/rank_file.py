"""Rank files, which map a framework's fixed rank order to the devices of a given matrix."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np

from p2smt.errors import ProblemError
from p2smt.placement.hosts import host_size
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.order import Order
from p2smt.placement.rank_tensor import Ranks, rank_tensor
from p2smt.problem.system.network import System

MAX_LISTED = 65_536


@dataclass(frozen=True, slots=True)
class RankMapping:
    """The mapping of a framework's ranks to devices: rank `r` in order `order` runs on device `devices[r]`.

    Hosts without names are called host0, host1, ... in the order of device numbers.
    """

    system: System
    matrix: ParallelismMatrix
    order: Order
    hosts: tuple[str, ...] | None = None

    def host(self, number: int) -> str:
        """Return the name of a host."""
        return f"host{number}" if self.hosts is None else self.hosts[number]

    @property
    def devices(self) -> Ranks:
        """The device of every rank; raises ProblemError for more than 65,536 ranks."""
        if self.system.devices > MAX_LISTED:
            raise ProblemError(
                f"{self.system.devices} ranks are too many to list one by one; the limit is {MAX_LISTED}; "
                "use --to devicemesh or --to jax, whose files compute the ranks"
            )
        return rank_tensor(self.matrix, self.order).devices().reshape(-1)

    @property
    def by_local_rank(self) -> bool:
        """True if ranks and slots ascend together on every host, so a rank's slot equals its local rank."""
        size = host_size(self.system)
        # argsort inverts the permutation: the rank of every device, in rows of one host each.
        ranks = np.argsort(self.devices).reshape(-1, size)
        return bool((np.diff(ranks, axis=1) > 0).all())


def rankfile(mapping: RankMapping) -> str:
    """Return an Open MPI rankfile; `rank 5=host1 slot=2` maps rank 5 to device 2 of host 1.

    Source: PRRTE's documentation of rankfiles. Open MPI binds the rank to that processor slot. The program must choose
    the accelerator by slot, or by local rank if `by_local_rank` holds.
    """
    size = host_size(mapping.system)
    slots = (divmod(device, size) for device in mapping.devices.tolist())
    lines = (f"rank {rank}={mapping.host(host)} slot={slot}\n" for rank, (host, slot) in enumerate(slots))
    return "".join(lines)


def hostfile(mapping: RankMapping) -> str:
    """Return a hostfile (`host1 slots=8`, for Open MPI and DeepSpeed): the hosts in the order in which ranks fill them.

    Ranks are equal up to renumbering devices inside the units of a level. Raises ProblemError if the ranks of one host,
    or of one unit inside it, are not contiguous, because the order of hosts cannot express that.
    """
    devices, size = mapping.devices, host_size(mapping.system)
    for unit, level in _units_inside(mapping.system):
        blocks = devices.reshape(-1, unit) // unit
        # A hostfile says no more than which host's slots come next: each unit's ranks have to follow each other.
        apart = np.argwhere(blocks != blocks[:, :1])
        if len(apart):
            block, position = apart[0].tolist()
            raise ProblemError(
                f"no hostfile places this order on matrix {mapping.matrix}: ranks {block * unit} and "
                f"{block * unit + position} lie in different units of level {level}; "
                "use --to rankfile, or an order that gives the matrix"
            )
    return "".join(f"{mapping.host(host)} slots={size}\n" for host in (devices[::size] // size).tolist())


def _units_inside(system: System) -> Iterator[tuple[int, str]]:
    """Yield (devices per unit, level name) for the machines and every level inside them except the innermost."""
    sizes: Sequence[int] = [level.size for level in system.levels]
    for level in range(max(0, system.machine), len(sizes) - 1):
        yield prod(sizes[level + 1 :]), system.levels[level].name
