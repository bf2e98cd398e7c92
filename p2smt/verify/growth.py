"""How large the numbers in a plan's sums can get, from the lengths of its groups and its divisors alone."""

from math import lcm

from p2smt.collective import Collective, Exchange
from p2smt.verify.goal import averaged
from p2smt.verify.operation import Local, Operation, adds_members
from p2smt.verify.plan import VerificationPlan


def unit(plan: VerificationPlan) -> int:
    """So many parts of a contribution that every division, and an average, leaves whole numbers of them.

    Per device and buffer a common denominator of all that its cells ever hold is followed.
    """
    held = [dict.fromkeys((name for name, _ in plan.buffers), 1) for _ in range(plan.devices)]
    for step in plan.steps:
        for group in step.groups:
            brought = [lcm(*(held[device][part.buffer] for part in step.reads)) for device in group]
            got = brought if isinstance(step.operation, Local) else [lcm(*brought)] * len(group)
            for device, new in zip(group, got, strict=True):
                held[device][step.target.buffer] = lcm(held[device][step.target.buffer], new * step.divisor)
    denominators = {number for of_device in held for number in of_device.values()}
    return lcm(*denominators) * lcm(*map(len, averaged(plan.goal)))


def greatest_count(plan: VerificationPlan) -> int:
    """A bound on how often one contribution is in one cell, at any time; divisions are not made.

    Per device and buffer the greatest count in any of its cells is followed: a sum is at most the sum of its members'.
    """
    held = [{name: int(name == plan.goal.source.buffer) for name, _ in plan.buffers} for _ in range(plan.devices)]
    for step in plan.steps:
        for group in step.groups:
            brought = [sum(held[device][part.buffer] for part in step.reads) for device in group]
            got = _got(step.operation, brought)
            for device, new in zip(group, got, strict=True):
                held[device][step.target.buffer] = max(new, held[device][step.target.buffer])
    return max(max(of_device.values()) for of_device in held)


def _got(operation: Operation, brought: list[int]) -> list[int]:
    """At most so often in what every member gets, from how often in what it brings."""
    match operation:
        case Local():
            return brought
        case Collective() | Exchange():
            return [sum(brought) if adds_members(operation) else max(brought)] * len(brought)
