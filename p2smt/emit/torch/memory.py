"""The memory that an emitted `Reduction` needs besides its tensor."""

from p2smt.emit.torch.steps import in_place
from p2smt.errors import PlanError
from p2smt.problem.quantity import format_bytes
from p2smt.reduction.plan.holdings import device_classes, holdings
from p2smt.reduction.plan.model import CollectiveStep, Plan
from p2smt.wording import counted


def memory_words(plan: Plan) -> str:
    """Return a sentence about the buffers of a call, if their size is known, and the process groups of a rank."""
    groups = len({step.groups for step in plan.steps if isinstance(step, CollectiveStep)})
    joined = f"a rank is in {counted(groups, 'process group')}, each with a communicator and buffers of NCCL's own"
    share = buffers_share(plan)
    if share is None:
        return joined
    call = "a call" if plan.goal.scatters or plan.goal.gathers else "a call in place"
    if not share:
        return f"{call} allocates nothing; {joined}"
    bytes = format_bytes(share * plan.payload.bytes)
    whole = "whole tensor" if plan.goal.gathers else "tensor"
    return f"{call} allocates {share:.4g} times the {whole} at its peak ({bytes}); {joined}"


def buffers_share(plan: Plan) -> float | None:
    """Return the largest allocation of an in-place call, as a fraction of the payload; None if that is unknown.

    It is unknown with chunks, and if the amounts that ranks hold cannot be derived.

    A step that changes the amount that a rank holds allocates a new buffer while the previous one still exists, unless
    it works in place (`in_place`); the first one is the tensor itself. Reordered buffers are also new. If MULTIPLE does
    not divide the length, a padded copy comes on top.
    """
    if plan.chunks > 1:
        return None
    where = in_place(plan)
    try:
        held = [amounts[0] or 0 for amounts in holdings(plan, device_classes(plan))]
    except PlanError:
        return None
    own = most = 0
    for number, (step, before, after) in enumerate(zip(plan.steps, held, held[1:], strict=False), start=1):
        if isinstance(step, CollectiveStep) and before == after:
            continue
        if number in where.scatters or number in where.gathers:
            continue
        most, own = max(most, own + after), after
    return most / plan.multiple
