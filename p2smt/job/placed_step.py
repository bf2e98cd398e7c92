"""Estimate the step of a training job on any placement of its axes.

The model of the step (`job/step/`) prices the usual order of axes. On another placement p only communication takes
another time. The network model prices each part k of it (tensor, context, dispatch, sends, gathers, gradients) on both:

    step(p) = step(usual) + sum over k of  w_k (network_k(p) - network_k(usual))
    w_k     = min(1, step_k / network_k(usual)),    step_k: what the step in the usual order waits for

that is, computing hides the same fraction of a part on every placement. Gathers of ZeRO 3 are hidden up to a part of
the computing, as in `job/step/communication.py`.
Complexity: one price of each part on each placement.
Reference: Narayanan et al., "Efficient large-scale language model training on GPU clusters using Megatron-LM", 2021.

Example: a step of 10 s waits for 1 s of tensor parallelism that takes 4 s of network time; where that takes 8 s, the
step takes 10 + 1/4 (8 - 4) = 11 s.
"""

from collections.abc import Mapping

from p2smt.collective import NeighbourSend
from p2smt.job.job_pricer import PlacementTime
from p2smt.job.step.constants import CONSTANTS
from p2smt.job.step.step_time import StepTime
from p2smt.problem.transformer.model import Parallelism, Zero
from p2smt.problem.workload import Reduction, Workload

_BY_AXIS = {"tp": "tensor", "cp": "context", "ep": "dispatch", "pp": "gradients"}
"""The part of a step by the axis of a reduction; the one over pp is of a tied embedding's gradient."""


def placed_seconds(
    step: StepTime, workload: Workload, parallelism: Parallelism, usual: PlacementTime, placed: PlacementTime
) -> float:
    """Return the estimated seconds of a step on `placed`; `step` is its time on the placement `usual`."""
    before = _by_part(workload, parallelism, usual)
    after = _by_part(workload, parallelism, placed)
    seconds = step.seconds
    for part, network in before.items():
        waited, other = (_waited(part, each, step.computing) for each in (network, after[part]))
        # A part that takes no time in the usual order has no fraction that computing hides.
        if waited > 0:
            seconds += min(1.0, float(getattr(step, part)) / waited) * (other - waited)
    return seconds


def hidden_seconds(step: StepTime, placed: PlacementTime) -> float:
    """Return the seconds of communication that a step does not wait for."""
    return max(0.0, placed.seconds - step.communication)


def gathers_waited(seconds: float, computing: float) -> float:
    """Return the seconds that gathers of ZeRO 3 add to a step: the exposed part, and the slowdown of computing."""
    hidden = min(seconds, CONSTANTS.gather_hidden * computing)
    return seconds - hidden + CONSTANTS.gather_slowdown * hidden


def _waited(part: str, network: float, computing: float) -> float:
    return gathers_waited(network, computing) if part == "gathers" else network


def _by_part(workload: Workload, parallelism: Parallelism, placed: PlacementTime) -> Mapping[str, float]:
    """Return the network seconds of each part of the step."""
    found: dict[str, float] = {}
    for one in placed.reductions:
        part = _part(workload, parallelism, one.reduction)
        found[part] = found.get(part, 0.0) + one.seconds
    return found


def _part(workload: Workload, parallelism: Parallelism, reduction: Reduction) -> str:
    """Return the name of the field of `StepTime` that contains a reduction."""
    if reduction.overlap:
        return "gathers" if parallelism.zero is Zero.PARAMETERS else "gradients"
    if isinstance(reduction.goal, NeighbourSend):
        return "sends"
    return _BY_AXIS[workload.axes[reduction.axes[0]].name]
