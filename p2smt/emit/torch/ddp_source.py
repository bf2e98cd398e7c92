"""A plan as one Python file that averages gradients, with or without a hook of DistributedDataParallel."""

from p2smt.argument_types import require
from p2smt.collective import Collective
from p2smt.emit.template import filled
from p2smt.emit.torch.module import module_text
from p2smt.errors import PlanError
from p2smt.reduction.plan.model import Plan

_LANE = "self.lane = Lane()\n"


def emit_ddp(plan: Plan) -> str:
    """Return the text of a module with the class `Reduction` of the torch target, `ddp_hook` and `average_gradients`.

    Raises PlanError for a plan with another goal than AllReduce, because gradients are averaged on all ranks.
    """
    require(plan, Plan, "plan", "read_plan reads a file, cheapest_plan finds one")
    if plan.goal is not Collective.ALL_REDUCE:  # only: all others are refused
        raise PlanError(
            f"target ddp averages gradients on all ranks, but the goal of this plan is {plan.goal}; "
            "emit it for torch or jax, or plan an AllReduce"
        )
    main = filled(
        "torch/templates/main.py.in",
        subject="gradients",
        reference="plain DDP",
        verb="equal those of",
        results="gradients",
    )
    return module_text(
        plan, "torch/templates/ddp.py.in", fields=_LANE, main=main, scope=_scope(plan), divided=_divided(plan)
    )


def _divided(plan: Plan) -> str:
    """Return the statement that divides a buffer by the number of ranks that average together."""
    size = (
        "prod(SIZES[place] for place in REDUCTION[0])" if plan.tree is None else str(plan.groups(plan.reduction).size)
    )
    return f"buffer.div_({size})\n"


def _scope(plan: Plan) -> str:
    """Return docstring lines about the ranks that average together."""
    size = plan.groups(plan.reduction).size
    groups = plan.devices // size
    if groups == 1:
        return "All ranks average together, so process_group may also be left out.\n"
    return (
        f"Ranks average together in {groups} groups of {size}. Of a model that is spread over other axes each rank "
        "wraps its\nown part, and process_group is needed: every rank must ask for it.\n"
    )
