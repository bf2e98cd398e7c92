"""Time of a contraction and a collective as one pipelined operation of symmetric memory.

Two streams work through the n blocks of the group's ranks, a permutation flow shop of two stages (`stage.py`):
    product of a block:  start of a kernel + share of the whole product,
    copy of a block:     a signal between two devices + share of the bytes,
the product first for a ReduceScatter, the copy first for an AllGather. The copies start once, and a ReduceScatter ends
with the sum of the n blocks that every rank received. A loop of calls starts n chunks of a ring instead, each with the
latency of all its hops.
Complexity: O(1).
Reference: Johnson, "Optimal two- and three-stage production schedules with setup times included", 1954.

Example: 16 ranks, a product of 88 us, copies of 350 us, 3 us per signal: 5.5 + 16 * (22 + 3) = 405 us; in turn 438 us
and the latency of a ring.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from p2smt.cost.network.all_to_all import all_to_all_cost
from p2smt.cost.network.backend import Nccl
from p2smt.cost.network.pattern import Pattern, Role
from p2smt.problem.system.link import Link
from p2smt.schedule.cost.along import AxisDevices
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.cost.price import MEMORY
from p2smt.schedule.cost.stage import Stage, chunk_ends, shared
from p2smt.tensor.conversion import Conversion, ReduceScatter

_SHARED = ("nvlink", "nvswitch")
"""Links over which devices write into each other's memory, by their names in system files."""


@dataclass(frozen=True, slots=True)
class PipelinedTime:
    """The seconds of the operation, of which `fixed` are its start-ups."""

    seconds: float
    fixed: float


def signal_seconds(pattern: Pattern, machine: Machine) -> float | None:
    """Return the latency of a signal between two devices of a group; None if their memory cannot be shared.

    Memory is shared inside machines, by GPUs that NVLink connects, with CUDA's libraries.
    """
    links = _links(pattern, machine)
    if not (machine.symmetric and isinstance(machine.backend, Nccl) and links):
        return None
    if any(link.name not in _SHARED for link in links):
        return None
    return max(link.latency for link in links)


def spans_machines(pattern: Pattern, machine: Machine) -> bool:
    """True if a group has devices of several machines."""
    return any(_spanned(pattern)[: machine.cost.system.machine + 1])


def _spanned(pattern: Pattern) -> list[bool]:
    """Return True for each level of which a group has several units."""
    return [any(role is Role.VARYING for role, _ in level) for level in pattern.levels]


def _links(pattern: Pattern, machine: Machine) -> list[Link]:
    """Return the links of the levels that a group spans; none if it spans machines."""
    system = machine.cost.system
    spans = _spanned(pattern)
    if spans_machines(pattern, machine):
        return []
    return [
        link
        for level, is_spanned in zip(system.levels, spans, strict=True)
        if is_spanned
        for link in system.network.at(level.name)
    ]


def pipelined_time(
    product: Stage, conversion: Conversion, brought: Sequence[int], along: AxisDevices, machine: Machine, signal: float
) -> PipelinedTime:
    """Return the time of a product and the collective behind or before it, as one operation."""
    blocks, network, held = along.pattern.group_size, machine.cost.system.network, float(max(brought))
    scatters = isinstance(conversion, ReduceScatter)
    cost = all_to_all_cost(along.pattern, held if scatters else held * blocks, machine.cost.system)
    # Blocks are copied from where they are computed: the links alone count, no packing and no hops of a ring.
    links = {load.link.name: load.seconds for load in cost.loads}
    copying = Stage("copies", signal, cost.links_s, links, signal)
    stages = [product, copying] if scatters else [copying, product]
    adding = (held + held / blocks) / network.memory_bandwidth if scatters else 0.0
    busy = shared(stages)
    busy[MEMORY] = busy.get(MEMORY, 0.0) + adding
    seconds = max(chunk_ends(stages, blocks)[-1][-1] + adding, *busy.values())
    return PipelinedTime(network.launch + seconds, network.launch + product.fixed + signal)
