"""Plans on numbers, once more and independently: whole groups as matrices of int64, additions modulo 2^64."""

from math import lcm, prod

import numpy as np

from p2smt.collective import Collective, Exchange
from p2smt.verify.operation import Local
from p2smt.verify.plan import Step, VerificationPlan


def run(plan: VerificationPlan, given: np.ndarray, seed: int = 0) -> np.ndarray:
    """`found[device, chunk]` of the result buffer; what is undefined holds random numbers."""
    random = np.random.default_rng(seed)
    held = {name: _garbage(random, (plan.devices, length)) for name, length in plan.buffers}
    held |= {name: np.zeros_like(held[name]) for name in plan.zeros}
    held[plan.result] = given.astype(np.int64)
    for step in plan.steps:
        source, target = held[step.source.buffer], held[step.target.buffer]
        for group in step.groups:
            members = list(group)
            read = source[members, step.source.start : step.source.end]
            kept = target[members, step.target.start : step.target.end]
            if isinstance(step.operation, Local):
                found = read + kept if step.operation is Local.ADD else read
            else:
                found = _after(step, read, kept, random)
            found = found // step.divisor
            target[members, step.target.start : step.target.end] = found
    return held[plan.result]


def sums(plan: VerificationPlan, given: np.ndarray) -> dict[int, np.ndarray]:
    """What every device of the goal must end with, numbers cut off as integers are."""
    totals = {group: given[list(group)].sum(axis=0) for group in plan.goal}
    return {d: total // (len(group) if plan.average else 1) for group, total in totals.items() for d in group}


def contributions(plan: VerificationPlan, seed: int) -> np.ndarray:
    """Random contributions; where a plan divides real numbers, they are whole at every step, and none is negative."""
    random, shape = np.random.default_rng(seed), (plan.devices, plan.chunks)
    unit = prod(step.divisor for step in plan.steps) * (lcm(*map(len, plan.goal)) if plan.average else 1)
    if unit == 1:
        return random.integers(-(2**62), 2**62, shape)
    return random.integers(0, 2**20, shape) * (1 if plan.integers else unit)


def _garbage(random: np.random.Generator, shape: tuple[int, int]) -> np.ndarray:
    return random.integers(-(2**63), 2**63, shape, dtype=np.int64)


def _after(step: Step, read: np.ndarray, kept: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """The targets of all members; row `i` is that of member `i`."""
    size, total = len(read), read.sum(axis=0)
    spoiled = _garbage(random, kept.shape)
    match step.operation:
        case Collective.ALL_REDUCE:
            found = np.tile(total, (size, 1))
        case Collective.BROADCAST:
            found = np.tile(read[step.root], (size, 1))
        case Collective.REDUCE:
            found = spoiled
            found[step.root] = total
        case Exchange.SEND:
            receives = (np.arange(size) != step.root)[:, None]
            found = np.where(receives, read[step.root], kept)
        case Exchange.ALL_TO_ALL:
            found = read.reshape(size, size, -1).swapaxes(0, 1).reshape(size, -1)
        case Collective.REDUCE_SCATTER if step.in_place:
            own = np.repeat(np.eye(size, dtype=bool), read.shape[1] // size, axis=1)
            found = np.where(own, total, spoiled)
        case Collective.REDUCE_SCATTER:
            found = total.reshape(size, -1)
        case Collective.ALL_GATHER if step.in_place:
            places = np.arange(size)
            found = np.tile(read.reshape(size, size, -1)[places, places].reshape(-1), (size, 1))
        case Collective.ALL_GATHER:
            found = np.tile(read.reshape(-1), (size, 1))
        case _:
            raise AssertionError(step)
    return found
