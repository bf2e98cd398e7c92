"""A plan as one Python file of torch.distributed collectives that needs torch alone."""

from p2smt.emit.template import filled
from p2smt.emit.torch.module import module_text
from p2smt.reduction.plan.model import Plan


def emit_torch(plan: Plan) -> str:
    """The text of a module with a class `Reduction` that runs the plan on torch.distributed."""
    main = filled(
        "torch/templates/main.py.in",
        subject="reduction",
        reference="dist.all_reduce",
        verb="equals",
        results="results",
    )
    return module_text(plan, "torch/templates/torch.py.in", main=main)
