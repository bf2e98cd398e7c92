"""Running a plan in this process on numpy buffers, one per device: the reference for everything that is emitted."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from p2smt.collective import Collective
from p2smt.errors import PlanError
from p2smt.reduction.plan.model import CollectiveStep, PermuteStep, Plan, applies

Buffer = NDArray[np.generic]


def execute(plan: Plan, buffers: Sequence[Buffer]) -> list[Buffer]:
    """What every device holds after the plan, given what each contributes; inputs are left as they are.

    `buffers[d]` is the flat array of device `d`; all have one length and data type. After Reduce the buffers
    of all but the root do not exist any more, so a plan that reads one fails. Raises PlanError when the
    buffers do not fit the plan, or when the plan combines buffers that do not exist or differ in length.
    """
    if len(buffers) != plan.devices or len({(buffer.shape, buffer.dtype) for buffer in buffers}) != 1:
        raise PlanError(f"{len(buffers)} buffers; the plan needs {plan.devices} of one length and data type")
    length = buffers[0].size
    padding = -length % plan.multiple
    held: list[Buffer | None] = [np.concatenate([buffer, np.zeros(padding, buffer.dtype)]) for buffer in buffers]
    for number, step in enumerate(plan.steps, start=1):
        match step:
            case PermuteStep():
                _permute(plan, step, held)
            case CollectiveStep():
                for members in plan.groups(step.groups):
                    _collective(step.collective, members, held, number)
    results = [_present(buffer, len(plan.steps)) for buffer in held]
    if any(result.size != length + padding for result in results):
        raise PlanError("the plan ends with a device that holds only a part of the payload")
    return [result[:length] for result in results]


def _permute(plan: Plan, step: PermuteStep, held: list[Buffer | None]) -> None:
    for device, buffer in enumerate(held):
        if buffer is not None and applies(step.portion, plan.device_class(device)):
            axes = (*step.order, len(step.sizes))
            held[device] = buffer.reshape(*step.sizes, -1).transpose(axes).reshape(-1)


def _collective(kind: Collective, members: Sequence[int], held: list[Buffer | None], number: int) -> None:
    if kind is Collective.BROADCAST:
        results: list[Buffer | None] = [_present(held[members[0]], number)] * len(members)
    else:
        parts = [_present(held[member], number) for member in members]
        if any(part.size != parts[0].size for part in parts):
            raise PlanError(f"step {number}: members of group {members} hold buffers of different lengths")
        results = _combined(kind, parts, number)
    for member, result in zip(members, results, strict=True):
        held[member] = result


def _combined(kind: Collective, parts: list[Buffer], number: int) -> list[Buffer | None]:
    if kind is Collective.ALL_GATHER:
        return [np.concatenate(parts)] * len(parts)
    total = np.asarray(np.sum(parts, axis=0, dtype=parts[0].dtype))
    if kind is Collective.ALL_REDUCE:
        return [total] * len(parts)
    if kind is Collective.REDUCE:
        return [total, *(None for _ in parts[1:])]
    if total.size % len(parts):
        raise PlanError(f"step {number}: {total.size} elements do not divide among {len(parts)} members")
    return list(np.split(total, len(parts)))


def _present(buffer: Buffer | None, number: int) -> Buffer:
    if buffer is None:
        raise PlanError(f"step {number}: a device is used whose buffer was given away by Reduce before")
    return buffer
