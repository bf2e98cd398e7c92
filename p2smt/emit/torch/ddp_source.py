"""A plan as one Python file that averages gradients, as a hook of DistributedDataParallel or without it."""

from p2smt.emit.torch.ddp_parts import CHECK, DOCSTRING, FIELDS, HOOK, IMPORTS, LANE
from p2smt.emit.torch.module import module_text
from p2smt.emit.torch.parts import MAIN
from p2smt.reduction.plan.model import Plan

_ALL = """\
All ranks average together, so process_group may also be left out.
"""
_SOME = """\
Ranks average together in {groups} groups of {size}. Of a model that is spread over other axes each rank wraps its
own part, and process_group is needed: every rank must ask for it.
"""


def emit_ddp(plan: Plan) -> str:
    """The text of a module with the class `Reduction` of the torch target, `ddp_hook` and `average_gradients`."""
    size = plan.group_size(plan.reduction)
    groups = plan.devices // size
    scope = _ALL if groups == 1 else _SOME.format(groups=groups, size=size)
    main = MAIN.substitute(subject="gradients", reference="plain DDP", verb="equal those of", results="gradients")
    tail = HOOK + CHECK + main
    return module_text(plan, DOCSTRING, IMPORTS, tail, before=LANE, fields=FIELDS, scope=scope)
