"""What devices hold of sources from step to step, as limits of the joint problem, and programs within them.

Limits bound what is stored: parameters, states, inputs in their layouts. What else a program holds at its peak is known
when it is written down: then the limits are lowered by that, and the search is repeated.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from p2smt.errors import ProblemError
from p2smt.spmd.build import Sharding, TensorChoice
from p2smt.spmd.emission import emit
from p2smt.spmd.ilp import solve
from p2smt.spmd.instructions import Account, account
from p2smt.spmd.problem import Best, Limit
from p2smt.tensor.program import Program

ATTEMPTS = 6


@dataclass(frozen=True, slots=True)
class Fitting:
    """A program whose peak is within the memory of every device."""

    assignment: tuple[int, ...]
    program: Program
    account: Account


def excess(sharding: Sharding, peaks: Sequence[int]) -> tuple[int, ...]:
    """By how many bytes each device's peak is above its memory; 0 where it is not, or where that is not known."""
    devices = sharding.pricing.cluster.devices
    return tuple(
        max(0, peak - device.memory) if device.memory is not None else 0
        for device, peak in zip(devices, peaks, strict=True)
    )


def stored_limits(sharding: Sharding, most: Sequence[int | None]) -> tuple[Limit, ...]:
    """Limits on the bytes that each device stores of sources; of devices that store the same the tightest."""
    found: dict[tuple[tuple[int, tuple[int, ...]], ...], Limit] = {}
    for device, bound in enumerate(most):
        if bound is None:
            continue
        weights = []
        for choice, meaning in enumerate(sharding.meanings):
            if isinstance(meaning, TensorChoice) and sharding.pricing.graph.tensors[meaning.tensor].source is not None:
                sizes = [sharding.pricing.device_bytes(meaning.tensor, layout)[device] for layout in meaning.layouts]
                weights.append((choice, tuple(sizes[root] for root, _ in meaning.options)))
        key = tuple(weights)
        if key not in found or bound < found[key].most:
            found[key] = Limit(f"device {device}", bound, key)
    return tuple(found.values())


def fitted(sharding: Sharding) -> Fitting | None:
    """A program that fits, by a search with limits; None if none of a few is found to fit.

    ProblemError where what is stored is too much for a device alone.
    """
    devices = sharding.pricing.cluster.devices
    most = [device.memory for device in devices]
    _refuse_too_large(sharding, stored_limits(sharding, most))
    for _ in range(ATTEMPTS):
        limits = stored_limits(sharding, most)
        if any(limit.most < 0 for limit in limits):
            return None
        answer = solve(replace(sharding.problem, limits=limits)).answer
        if not isinstance(answer, Best):
            return None
        program = emit(sharding, answer.assignment)
        made = account(program, sharding.pricing.cluster)
        over = excess(sharding, made.memory)
        if not any(over):
            return Fitting(answer.assignment, program, made)
        stored = _stored(sharding, answer.assignment)
        most = [
            None if device.memory is None else min(now, device.memory) - more if more else bound
            for device, bound, now, more in zip(devices, most, stored, over, strict=True)
        ]
    return None


def _stored(sharding: Sharding, assignment: Sequence[int]) -> tuple[int, ...]:
    """Bytes of sources that each device stores."""
    totals = [0] * len(sharding.pricing.cluster.devices)
    for meaning, option in zip(sharding.meanings, assignment, strict=True):
        if isinstance(meaning, TensorChoice) and sharding.pricing.graph.tensors[meaning.tensor].source is not None:
            layout = meaning.layouts[meaning.options[option][0]]
            sizes = sharding.pricing.device_bytes(meaning.tensor, layout)
            totals = [old + size for old, size in zip(totals, sizes, strict=True)]
    return tuple(totals)


def _refuse_too_large(sharding: Sharding, limits: Sequence[Limit]) -> None:
    for limit in limits:
        least = sum(min(weights) for _, weights in limit.weights)
        if least > limit.most:
            number = int(limit.name.removeprefix("device "))
            kind = sharding.pricing.cluster.devices[number].kind
            raise ProblemError(
                f"the program fits nowhere: {limit.name} ({kind}) has {limit.most} bytes and has to store at least "
                f"{least}, {least - limit.most} more; take more devices, other shares or fewer conditions"
            )
