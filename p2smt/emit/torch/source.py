"""A plan as one Python file of torch.distributed collectives, which needs only torch."""

from p2smt.argument_types import require
from p2smt.emit.description import title_of
from p2smt.emit.template import filled
from p2smt.emit.torch.goals import words_of
from p2smt.emit.torch.module import module_text
from p2smt.reduction.plan.model import Plan


def emit_torch(plan: Plan) -> str:
    """Return the text of a module with a class `Reduction`, which runs the plan on torch.distributed.

    Raises PlanError if a step depends on the amounts that ranks hold, and the steps before it cannot run.
    """
    require(plan, Plan, "plan", "read_plan reads a file, cheapest_plan finds one")
    words = words_of(plan.goal)
    main = filled(
        "torch/templates/main.py.in",
        subject=title_of(plan.goal),
        reference=words.reference,
        verb="equals",
        results="results",
    )
    return module_text(
        plan,
        "torch/templates/torch.py.in",
        title=title_of(plan.goal),
        use=words.use,
        reference=words.reference,
        compare=filled(f"torch/templates/compare/{plan.goal.underscored}.py.in"),
        main=main,
    )
