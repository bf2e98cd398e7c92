"""Selection of the reason why no rule of an operation fits its operands' layouts along one axis."""

from p2smt.tensor.layout import Layout, Local, OnRank, Partial, ReductionOp, Replicated, Sliced, layout_text
from p2smt.tensor.reason import Reason, Refusal
from p2smt.tensor.signature import Blocked, Signature


def refusal(signature: Signature, layouts: tuple[Layout, ...]) -> Refusal:
    """Return the rule that the operands violate. Call only if no rule applies."""
    reason = (  # only Partial, Replicated, Sliced: others are printed as they are
        _one_of_a_kind(layouts)
        or _blocked(signature, layouts)
        or (_partial(signature, layouts) if any(isinstance(layout, Partial) for layout in layouts) else None)
        or _cut(signature, layouts)
    )
    return Refusal(reason, "operands are " + ", ".join(map(layout_text, layouts)))


def _one_of_a_kind(layouts: tuple[Layout, ...]) -> Reason | None:
    kinds = {type(layout) for layout in layouts} - {Replicated}
    if OnRank in kinds:
        return Reason.ON_RANK
    return Reason.LOCAL if Local in kinds else None


def _blocked(signature: Signature, layouts: tuple[Layout, ...]) -> Reason | None:
    for dimensions, layout in zip(signature.operands, layouts, strict=True):
        if isinstance(layout, Sliced):
            kind = signature.label(dimensions[layout.dimension].label).kind
            if isinstance(kind, Blocked):  # only Blocked: others need no reason
                return kind.reason
    return None


def _partial(signature: Signature, layouts: tuple[Layout, ...]) -> Reason:
    summands = {number: layout for number, layout in enumerate(layouts) if isinstance(layout, Partial)}
    reductions = {layout.reduction for layout in summands.values()}
    if any(isinstance(layout, Sliced) for layout in layouts):
        return Reason.PARTIAL_AND_SLICED
    if len(reductions) > 1:
        return Reason.PARTIAL_KINDS
    fitting = [each.operands for each in signature.distributes if each.before in reductions]
    if any(operands > summands.keys() for operands in fitting):
        return Reason.PARTIAL_AND_WHOLE
    if len(summands) > 1 and all({number} in fitting for number in summands):
        return Reason.PARTIAL_TIMES_PARTIAL
    # only: it chooses the words of a refusal
    return Reason.NOT_DISTRIBUTIVE if reductions == {ReductionOp.SUM} or not fitting else Reason.PARTIAL_KINDS


def _cut(signature: Signature, layouts: tuple[Layout, ...]) -> Reason:
    labels = set()
    for dimensions, layout in zip(signature.operands, layouts, strict=True):
        if isinstance(layout, Sliced):
            dimension = dimensions[layout.dimension]
            labels.add(dimension.label)
            if any(size % dimension.granule for size in layout.sizes or ()):
                return Reason.INSIDE_BLOCK
    if len(labels) > 1:
        return Reason.UNLIKE_CUTS
    (label,) = labels
    for dimensions, layout in zip(signature.operands, layouts, strict=True):
        if isinstance(layout, Replicated) and any(dimension.label == label for dimension in dimensions):
            return Reason.WHOLE_BESIDE_CUT
    return Reason.CUT_DIFFERENTLY
