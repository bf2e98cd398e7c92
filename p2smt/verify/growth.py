"""How large the numbers in a plan's sums can get, from the lengths of its groups and its divisors alone."""

from math import lcm, prod

from p2smt.verify.plan import Operation, Step, VerificationPlan

_ADDING = (Operation.ALL_REDUCE, Operation.REDUCE_SCATTER, Operation.REDUCE)


def unit(plan: VerificationPlan) -> int:
    """So many parts of a contribution that every division, and an average, leaves whole numbers of them."""
    return prod(step.divisor for step in plan.steps) * (lcm(*map(len, plan.goal)) if plan.average else 1)


def greatest_count(plan: VerificationPlan) -> int:
    """A bound on how often one contribution is in one cell, at any time; divisions are not made.

    Per device and buffer the greatest count in any of its cells is followed: a sum is at most the sum of its members'.
    """
    held = [{name: int(name == plan.result) for name, _ in plan.buffers} for _ in range(plan.devices)]
    for step in plan.steps:
        for group in step.groups:
            brought = [held[device][step.source.buffer] for device in group]
            together = sum(brought) if step.operation in _ADDING else max(brought)
            for device in group:
                new = _alone(held[device], step) if step.operation is Operation.ADD else together
                held[device][step.target.buffer] = max(new, held[device][step.target.buffer])
    return max(max(of_device.values()) for of_device in held)


def _alone(held: dict[str, int], step: Step) -> int:
    return held[step.source.buffer] + held[step.target.buffer]
