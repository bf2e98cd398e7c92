"""Execution of a plan in this process on numpy buffers, one per device: the reference for all emitted code.

With b[0], b[1], ... the buffers of a group's members in group order, a step leaves on member m
    AllReduce       b[0] + b[1] + ...
    Reduce          the same on the root, and no buffer on the others
    ReduceScatter   block m of that sum
    AllGather       b[0], b[1], ... one behind the other
    Broadcast       b[0]
A local permutation views a buffer as a tensor, transposes it, and flattens it again.
Complexity: O(devices x payload) for each step.
Reference: MPI Forum, "MPI: a message-passing interface standard", chapter on collective communication.

Example: buffers (1, 2) and (3, 4). A ReduceScatter leaves (4) and (6), an AllGather then (4, 6) on both.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import prod

import numpy as np
from numpy.typing import NDArray

from p2smt.argument_types import require
from p2smt.collective import Collective
from p2smt.errors import PlanError
from p2smt.reduction.plan.chunking import chunk_lengths, cut, joined, shards
from p2smt.reduction.plan.model import CollectiveStep, PermuteStep, Plan, applies

Buffer = NDArray[np.generic]


def execute(plan: Plan, buffers: Sequence[Buffer]) -> list[Buffer]:
    """Return the buffers of all devices after the plan; inputs are not modified.

    `buffers[d]` is the flat array of device `d`: the payload, or its shard if the goal is an AllGather; all have the
    same length and data type. A payload is zero-padded to a multiple of `plan.multiple`; a ReduceScatter among k
    devices leaves shards of that length / k, including padding. For a Broadcast only the roots' buffers matter. After a
    Reduce, as a step or as the goal, the buffers of all devices but the root no longer exist: a plan that reads one
    fails, and such results are empty. Raises PlanError if the buffers do not fit the plan, or if the plan combines
    buffers that do not exist or differ in length, or splits one that does not divide evenly.
    """
    require(plan, Plan, "plan", "read_plan reads a file, cheapest_plan finds one")
    if len(buffers) != plan.devices or len({(buffer.shape, buffer.dtype) for buffer in buffers}) != 1:
        raise PlanError(
            f"{len(buffers)} buffers are given; the plan needs {plan.devices}, all of one length and data type"
        )
    length = buffers[0].size
    # `-length % multiple` is what is missing up to the next multiple; shards of an AllGather are taken as they are.
    padding = 0 if plan.goal.gathers else -length % plan.multiple
    if plan.chunks > 1:
        return _in_chunks(plan, buffers, length, padding)
    held: list[Buffer | None] = [np.concatenate([buffer, np.zeros(padding, buffer.dtype)]) for buffer in buffers]
    roots = {*plan.groups(plan.reduction).roots()}
    if plan.goal.from_root:
        held = [buffer if device in roots else None for device, buffer in enumerate(held)]
    for number, step in enumerate(plan.steps, start=1):
        match step:
            case PermuteStep():
                _permute(plan, step, held, number)
            case CollectiveStep():
                for members in plan.groups(step.groups):
                    _collective(step.collective, members, held, number)
    if plan.goal.to_root:
        # The other members' results are undefined after a Reduce; empty arrays stand for them.
        held = [buffer if device in roots else buffers[device][:0] for device, buffer in enumerate(held)]
    results = [_present(buffer, len(plan.steps)) for buffer in held]
    return _ended(plan, results, roots, length, padding)


def _in_chunks(plan: Plan, buffers: Sequence[Buffer], length: int, padding: int) -> list[Buffer]:
    """Run a plan with several chunks, one chunk after the other.

    Chunks share no elements, so their order does not affect the result.
    """
    alone = replace(plan, chunks=1)
    whole = [np.concatenate([buffer, np.zeros(padding, buffer.dtype)]) for buffer in buffers]
    size = whole[0].size // shards(plan) if plan.goal.scatters else whole[0].size
    lengths = chunk_lengths(plan, size)
    if not lengths:
        return execute(alone, buffers)
    parts = [cut(plan, buffer, lengths) for buffer in whole]
    done = [execute(alone, [part[number] for part in parts]) for number in range(len(lengths))]
    kept = length * shards(plan) if plan.goal.gathers else size if plan.goal.scatters else length
    return [joined(plan, [chunk[device] for chunk in done])[:kept] for device in range(plan.devices)]


def _ended(plan: Plan, results: list[Buffer], roots: set[int], length: int, padding: int) -> list[Buffer]:
    """Return the results without padding; raises PlanError if a device ends with the wrong number of elements."""
    size = plan.groups(plan.reduction).size
    if plan.goal.scatters:
        expected = kept = (length + padding) // size
    elif plan.goal.gathers:
        expected = kept = length * size
    else:
        expected, kept = length + padding, length
    ends = roots if plan.goal.to_root else range(plan.devices)
    if any(results[device].size != expected for device in ends):
        raise PlanError(
            f"after the plan, some device does not hold the {expected} elements of the result of "
            f"{plan.goal}; check it with p2smt verify"
        )
    return [result[:kept] for result in results]


def _permute(plan: Plan, step: PermuteStep, held: list[Buffer | None], number: int) -> None:
    for device, buffer in enumerate(held):
        if buffer is not None and applies(step.portion, plan.device_class(device)):
            if buffer.size % prod(step.sizes):
                raise PlanError(
                    f"step {number}: {buffer.size} elements cannot be reshaped to {list(step.sizes)}; check "
                    "the plan with p2smt verify"
                )
            axes = (*step.order, len(step.sizes))
            held[device] = buffer.reshape(*step.sizes, -1).transpose(axes).reshape(-1)


def _collective(kind: Collective, members: Sequence[int], held: list[Buffer | None], number: int) -> None:
    if kind.from_root:
        results: list[Buffer | None] = [_present(held[members[0]], number)] * len(members)
    else:
        parts = [_present(held[member], number) for member in members]
        if any(part.size != parts[0].size for part in parts):
            raise PlanError(
                f"step {number}: members of group {members} hold buffers of different lengths; check the "
                "plan with p2smt verify"
            )
        results = _combined(kind, parts, number)
    for member, result in zip(members, results, strict=True):
        held[member] = result


def _combined(kind: Collective, parts: list[Buffer], number: int) -> list[Buffer | None]:
    match kind:
        case Collective.ALL_GATHER:
            return [np.concatenate(parts)] * len(parts)
        case Collective.ALL_REDUCE:
            return [_total(parts)] * len(parts)
        case Collective.REDUCE:
            return [_total(parts), *(None for _ in parts[1:])]
        case Collective.REDUCE_SCATTER:
            if parts[0].size % len(parts):
                raise PlanError(
                    f"step {number}: {parts[0].size} elements do not divide into {len(parts)} equal blocks; "
                    "check the plan with p2smt verify"
                )
            return list(np.split(_total(parts), len(parts)))
        case Collective.BROADCAST:
            return [parts[0]] * len(parts)


def _total(parts: list[Buffer]) -> Buffer:
    # `dtype` keeps numpy from widening small integers and half floats, which no device would do.
    return np.asarray(np.sum(parts, axis=0, dtype=parts[0].dtype))


def _present(buffer: Buffer | None, number: int) -> Buffer:
    if buffer is None:
        raise PlanError(
            f"step {number}: it uses a device without a buffer, because an earlier Reduce sent it to "
            "its root; check the plan with p2smt verify"
        )
    return buffer
