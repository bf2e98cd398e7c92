"""Bounds on the counts in a plan's sums, derived only from group sizes and divisors.

Abstract interpretation with one number per device and buffer instead of its contents. With c the counts before a step
of a group G, the target's bound becomes
    copies, moves            max over the members read of c
    sums (AllReduce, ...)    sum over m in G of c[m]
    adding to the target     c[source] + c[target]
and never falls. Denominators are tracked alike, with the least common multiple instead of the sum. The width of a field
in `execution.py` follows from the bound, so no count can overflow into its neighbour.
Complexity: O(steps x members); by cells, if that bound is at least `FEW`, O(steps x members x chunks).
Reference: Cousot and Cousot, "Abstract interpretation", 1977.

Example: two AllReduces among 4 ranks: counts of at most 4, then 16.
"""

from functools import lru_cache
from math import lcm

from p2smt.collective import Collective, Exchange
from p2smt.verify.goal import averaged
from p2smt.verify.operation import LocalOperation, Operation, adds_members, changes_sign
from p2smt.verify.plan import BufferRange, VerificationPlan, VerificationStep

FEW = 2**16
"""Count for which fields are wide enough in any case."""
MOST_BITS = 4096
"""Largest number of bits of a count that is computed.

Every AllReduce of sums among n ranks multiplies counts by n, so that 2,000 steps among four ranks reach this
limit. Without it, execution would take quadratic time.
"""


def unit(plan: VerificationPlan) -> int:
    """Return the number of parts into which a contribution is divided so that all divisions and averages are exact.

    A common denominator of all contents is tracked per device and buffer.
    """
    whole = lcm(*map(len, averaged(plan.goal)))
    if all(step.divisor == 1 for step in plan.steps):
        return whole
    held = [dict.fromkeys((name for name, _ in plan.buffers), 1) for _ in range(plan.devices)]
    for step in plan.steps:
        for group in step.groups:
            brought = [lcm(*(held[device][part.buffer] for part in step.reads)) for device in group]
            got = brought if isinstance(step.operation, LocalOperation) else [lcm(*brought)] * len(group)
            for device, new in zip(group, got, strict=True):
                held[device][step.target.buffer] = lcm(held[device][step.target.buffer], new * step.divisor)
    denominators = {number for of_device in held for number in of_device.values()}
    return lcm(*denominators) * whole


def negates(plan: VerificationPlan) -> bool:
    """True if counts can be negative."""
    return any(changes_sign(step.operation) for step in plan.steps)


def divides(plan: VerificationPlan) -> bool:
    """True if the plan or its goal divides."""
    return plan.goal.average or any(step.divisor != 1 for step in plan.steps)


@lru_cache(maxsize=1)
def greatest_count(plan: VerificationPlan) -> int:
    """Return a bound on how often a contribution occurs in a cell, at any time and with either sign.

    Divisions are ignored. The greatest count is tracked per device and buffer, where a sum has at most the sum
    of its members' counts. If that bound is large, as in long rings, counts are tracked per cell.
    """
    return _by_buffer(plan) or _by_cell(plan)


def _by_buffer(plan: VerificationPlan) -> int | None:
    """Return the bound tracked per buffer; None if it is not below `FEW`, where tracking per cell may be better."""
    held = [{name: int(name == plan.goal.source.buffer) for name, _ in plan.buffers} for _ in range(plan.devices)]
    for step in plan.steps:
        names = [part.buffer for part in step.reads]
        for group in step.groups:
            brought = [sum([held[device][name] for name in names]) for device in group]
            got = _got(step.operation, brought)
            if max(got) >= FEW:
                # The coarse bound is no better from here on than the exact one by cells.
                return None
            for device, new in zip(group, got, strict=True):
                held[device][step.target.buffer] = max(new, held[device][step.target.buffer])
    return max(max(of_device.values()) for of_device in held)


def _got(operation: Operation, brought: list[int]) -> list[int]:
    """Return bounds on the counts that members receive, given bounds on the counts that they contribute."""
    match operation:
        case LocalOperation.COPY | LocalOperation.ADD | LocalOperation.SCALE | LocalOperation.NEGATE:
            return brought
        case Collective() | Exchange():
            return [sum(brought) if adds_members(operation) else max(brought)] * len(brought)


def _by_cell(plan: VerificationPlan) -> int:
    held = [{name: [0] * length for name, length in plan.buffers} for _ in range(plan.devices)]
    given, greatest = plan.goal.source, 1
    for device in range(plan.devices):
        held[device][given.buffer][given.start : given.end] = [1] * given.length
    for step in plan.steps:
        target, reads = slice(step.target.start, step.target.end), step.reads
        for group in step.groups:
            brought = [_brought(held[device], reads) for device in group]
            for device, counts in zip(group, _cells(step, brought), strict=True):
                if counts is not None:
                    held[device][step.target.buffer][target] = counts
                    greatest = max(greatest, *counts)
        if greatest.bit_length() > MOST_BITS:
            break
    return greatest


def grows_too_long(plan: VerificationPlan) -> bool:
    """True if a contribution may count more than 2^`MOST_BITS` times, at which `greatest_count` stops."""
    return greatest_count(plan).bit_length() > MOST_BITS


def _brought(held: dict[str, list[int]], reads: tuple[BufferRange, ...]) -> list[int]:
    first, *others = (held[part.buffer][part.start : part.end] for part in reads)
    return [a + b for a, b in zip(first, *others, strict=True)] if others else first


def _cells(step: VerificationStep, brought: list[list[int]]) -> list[list[int] | None]:
    """Return bounds on the counts in every cell that a member receives; None for a member that keeps its cells."""
    match step.operation:
        case LocalOperation.COPY | LocalOperation.ADD | LocalOperation.SCALE | LocalOperation.NEGATE:
            return [*brought]
        case Exchange.SEND:
            return [None if place == step.root else brought[step.root] for place in range(len(brought))]
        case Collective.BROADCAST:
            return [brought[step.root]] * len(brought)
        case Collective.ALL_REDUCE | Collective.REDUCE:
            return [[sum(counts) for counts in zip(*brought, strict=True)]] * len(brought)
        case Collective.REDUCE_SCATTER:
            return [[sum(map(max, brought))] * step.target.length] * len(brought)
        case Collective.ALL_GATHER | Exchange.ALL_TO_ALL:
            return [[max(map(max, brought))] * step.target.length] * len(brought)
