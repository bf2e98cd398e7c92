"""Execution of an all-to-all or a send in this process on numpy buffers, one per device."""

from collections.abc import Sequence
from typing import assert_never

import numpy as np

from p2smt.collective import Exchange, NeighbourSend
from p2smt.errors import PlanError
from p2smt.reduction.plan.exchange import ExchangeGoal, ExchangePlan, ExchangeStep
from p2smt.reduction.plan.execute import Buffer
from p2smt.reduction.plan.model import PermuteStep


def execute_exchange(plan: ExchangePlan, buffers: Sequence[Buffer]) -> list[Buffer]:
    """Return the buffers of all devices after the plan; inputs are not modified.

    `buffers[d]` is the flat array of device `d`; all have the same length and data type. They are zero-padded to a
    multiple of `plan.multiple`, and results of an all-to-all keep the padding. A device that receives nothing ends with
    an empty buffer. Raises PlanError if the buffers do not fit the plan.
    """
    if len(buffers) != plan.devices or len({(buffer.shape, buffer.dtype) for buffer in buffers}) != 1:
        raise PlanError(
            f"{len(buffers)} buffers are given; the plan needs {plan.devices}, all of one length and data type"
        )
    if isinstance(plan.goal, NeighbourSend) and not plan.steps:
        return [buffer[:0] for buffer in buffers]
    padding = -buffers[0].size % plan.multiple
    held: list[Buffer] = [np.concatenate([buffer, np.zeros(padding, buffer.dtype)]) for buffer in buffers]
    for step in plan.steps:
        match step:
            case PermuteStep(sizes, order):
                held = [one.reshape(*sizes, -1).transpose((*order, len(order))).reshape(-1) for one in held]
            case ExchangeStep(exchange, rule):
                for members in plan.groups(rule):
                    parts = _exchanged(exchange, [held[member] for member in members])
                    for member, part in zip(members, parts, strict=True):
                        held[member] = part
            case _:
                assert_never(step)
    return held


def _exchanged(exchange: ExchangeGoal, parts: list[Buffer]) -> list[Buffer]:
    match exchange:
        case Exchange.ALL_TO_ALL:
            blocks = np.stack([part.reshape(len(parts), -1) for part in parts])
            return [blocks[:, member].reshape(-1) for member in range(len(parts))]
        case NeighbourSend.NEXT:
            # Sending to the next device is a rotation of the members; the first one receives
            # nothing unless it goes around.
            return [parts[0][:0], *parts[:-1]]
        case NeighbourSend.AROUND:
            return [parts[-1], *parts[:-1]]
