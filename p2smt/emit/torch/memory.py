"""The memory that an emitted `Reduction` needs besides its tensor."""

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
    if not share:
        return f"a call in place allocates nothing; {joined}"
    bytes = format_bytes(share * plan.payload.bytes)
    return f"a call in place allocates {share:.4g} times the tensor at its peak ({bytes}); {joined}"


def buffers_share(plan: Plan) -> float | None:
    """Return the largest allocation of an in-place call, as a fraction of its tensor; None if that is unknown.

    It is unknown with chunks, for goals that gather, and if the amounts that ranks hold cannot be derived.

    A step that changes the amount that a rank holds allocates a new buffer while the previous one still exists; the
    first one is the tensor itself. Reordered buffers are also new. If MULTIPLE does not divide the length, a padded
    copy comes on top.
    """
    if plan.chunks > 1 or plan.goal.gathers:
        return None
    try:
        held = [amounts[0] or 0 for amounts in holdings(plan, device_classes(plan))]
    except PlanError:
        return None
    own = most = 0
    for step, before, after in zip(plan.steps, held, held[1:], strict=False):
        if isinstance(step, CollectiveStep) and before == after:
            continue
        most, own = max(most, own + after), after
    return most / plan.multiple
