"""What the sends between pipeline stages take on a placement, by the same links as every reduction."""

from collections.abc import Iterator

from p2smt.cost.network.levels import pattern_loads
from p2smt.cost.network.load import links_seconds
from p2smt.cost.network.pattern import Digits, Pattern, Role
from p2smt.cost.network.traffic import Shape
from p2smt.placement.digits import DeviceMap
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.system.network import System
from p2smt.problem.transformer.model import Parallelism, Transformer
from p2smt.problem.transformer.traffic import pipeline_bytes, pipeline_sends


def sends_seconds(
    system: System, matrix: ParallelismMatrix, axis: int, transformer: Transformer, parallelism: Parallelism
) -> float:
    """Seconds per step of the sends along `axis`, the pipeline's; as if no computation hid them.

    Every device sends all its bytes of a step (`pipeline_bytes`) to the stage next to it, all at the same time, over
    the hops of a chain of the stages (with several chunks per stage a ring, for the last stage sends to the first);
    each send pays the latency of the slowest hop.
    """
    shape = Shape.FROM_ROOT if parallelism.chunks == 1 else Shape.CYCLE
    loads = pattern_loads(_stages(system, matrix, axis), system, shape)
    slowest = max((load.link.latency for load in loads if load.hops), default=0.0)
    carried = links_seconds(loads, system.network) * pipeline_bytes(transformer, parallelism)
    return carried + pipeline_sends(transformer, parallelism) * slowest


def _stages(system: System, matrix: ParallelismMatrix, axis: int) -> Pattern:
    """The groups of devices that differ on an axis alone."""
    digits = DeviceMap(matrix).digits
    return Pattern(
        tuple(
            tuple(
                _merged((digit.axis == axis, digit.size) for digit in digits if digit.level == level and digit.size > 1)
            )
            for level in range(len(system.levels))
        )
    )


def _merged(digits: Iterator[tuple[bool, int]]) -> Digits:
    merged: list[tuple[Role, int]] = []
    for varies, size in digits:
        role = Role.VARYING if varies else Role.FREE
        if merged and merged[-1][0] is role:
            merged[-1] = (role, merged[-1][1] * size)
        else:
            merged.append((role, size))
    return tuple(merged)
