"""A plan as one Python file of torch.distributed collectives that needs torch alone."""

from p2smt.emit.torch.module import module_text
from p2smt.emit.torch.parts import CHECK, DOCSTRING, IMPORTS, MAIN
from p2smt.reduction.plan.model import Plan


def emit_torch(plan: Plan) -> str:
    """The text of a module with a class `Reduction` that runs the plan on torch.distributed."""
    main = MAIN.substitute(subject="reduction", reference="dist.all_reduce", verb="equals", results="results")
    return module_text(plan, DOCSTRING, IMPORTS, CHECK + main)
