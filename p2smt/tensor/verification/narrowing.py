"""Assumptions about sums over ranks that pass through a cast to a smaller floating-point type."""

from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call
from p2smt.tensor.judgement import Inferred
from p2smt.tensor.layout import Partial


def narrowed_sums(inferred: Inferred) -> tuple[str, ...]:
    """Return one assumption per type to which partial values are cast with a loss of range."""
    found = set()
    for step in inferred.steps:
        match step.expression:
            # only Partial: nothing else is summed
            case Call("cast", _, (target,)) if any(isinstance(each, Partial) for each in step.layouts):
                before = inferred.operands(step)[0].whole.dtype
                if before is not None and not before.fits(DType(str(target))):
                    found.add(str(target))
            case _:
                pass
    return tuple(f"no summand, and no sum, that is cast to {target} is beyond its range" for target in sorted(found))
