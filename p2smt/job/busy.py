"""Busy times of every network link and of the device memory in a sequence of steps."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from p2smt.cost.network.cost import PerByte, StepCost
from p2smt.problem.system.link import Link
from p2smt.problem.system.network import Network


def busy_seconds(costs: Sequence[StepCost], network: Network) -> NDArray[np.float64]:
    """Return busy seconds, shape (steps, links + 1); the last column is the device memory."""
    links = network.links
    rows: dict[int, list[float]] = {}  # by object, as steps of one pattern share theirs, and equal ones may be apart
    for cost in costs:
        if id(cost.per_byte) not in rows:
            rows[id(cost.per_byte)] = [_used(cost.per_byte, link) for link in links]
    used = np.array([rows[id(cost.per_byte)] for cost in costs]).reshape(len(costs), len(links))
    hop_bytes = np.array([[cost.hop_bytes] for cost in costs]).reshape(len(costs), 1)
    bandwidth = np.array([link.bandwidth for link in links])
    return np.column_stack([used * hop_bytes / bandwidth, [cost.memory_s for cost in costs]])


def _used(per_byte: PerByte, link: Link) -> float:
    return sum(used for other, used in per_byte.bandwidth_bytes if other is link or other == link)
