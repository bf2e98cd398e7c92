"""merge: r = ReduceScatter(y); g = AllGather(r) -> g = AllReduce(y), and other pairs that equal one conversion.

Guard: the second reads the first, along the same axis with the same slicing. Nobody else reads the first, unless it
is a slice, which then stays for its other readers. Obligations: those of `split`, from right to left; a slice of
the sum is the scattered sum. Rebuild: one statement under a new name. A slice and its gather cancel, and their
readers read the original value: under two names it would count as two operands.

    AllGather(ReduceScatter(y)) = AllReduce(y),    AllGather(Slice(y)) = y,    Slice(AllReduce(y)) = ReduceScatter(y).
Complexity: O(statements).

Reference: the converse of split in Jangda et al., "Breaking the computation and communication abstraction barrier in
distributed machine learning workloads", ASPLOS 2022, section 3.
"""

from p2smt.schedule.graph import observed, readers, replaced
from p2smt.schedule.layouts_of import typed
from p2smt.schedule.naming import new_names, statement
from p2smt.schedule.outcome import Rewriting, StepRefusedError
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.step import Merge
from p2smt.schedule.summing import adds
from p2smt.schedule.why import Why
from p2smt.tensor.conversion import AllGather, AllReduce, Broadcast, Conversion, Reduce, ReduceScatter, Slice
from p2smt.tensor.expression import Convert, Expression, Read, Statement


def merge(scheduled: ScheduledProgram, step: Merge, results: tuple[str, ...]) -> Rewriting:
    """Merge two conversions into one."""
    first, second = statement(scheduled, step.first), statement(scheduled, step.second)
    if not isinstance(first, Convert) or not isinstance(second, Convert) or second.operand != Read(step.first):
        raise StepRefusedError(Why.NOT_A_PAIR, f"{step.second} does not convert {step.first}")
    program = scheduled.program
    lemma, one = _one(first, second)
    others = set(readers(program)[step.first]) - {step.second}
    stays = one is None and bool(others)
    if (others and not stays) or step.first in observed(program):
        raise StepRefusedError(Why.OTHER_READER, f"{step.first} is read by {min(others, default='the caller')}")
    new_names(scheduled, results, ("the conversion",))
    value: Expression = first.operand if one is None else Convert(one, first.operand, first.axis)
    alias = (Statement(step.second, Read(results[0])),) if step.second in observed(program) else ()
    put = {step.second: (Statement(results[0], value), *alias)}
    put |= {} if stays else {step.first: ()}
    read = value.name if isinstance(value, Read) else results[0]
    made = scheduled.with_program(replaced(program, put, {step.second: read}))
    typed(made.program)
    sums = one is not None and adds(one)
    return Rewriting(scheduled=made, lemmas=(lemma,), summing=f"{results[0]} sums in its own order" if sums else "")


def _one(first: Convert, second: Convert) -> tuple[str, Conversion | None]:
    """Return the lemma used, and the conversion that replaces both; None if they cancel."""
    if first.axis != second.axis:
        raise StepRefusedError(Why.NOT_A_PAIR, f"axes {first.axis} and {second.axis}")
    match first.conversion, second.conversion:
        case ReduceScatter(cut, _, reduction), AllGather(gathered) if cut == gathered:
            return "a gather of the scattered sum", AllReduce(reduction)
        case Reduce(root, reduction), Broadcast(sender) if root == sender:
            return "a broadcast of the root's sum", AllReduce(reduction)
        case Slice(cut), AllGather(gathered) if cut == gathered:
            return "a gather of slices", None
        case AllReduce(reduction), Slice(cut, sizes):
            return "a slice of the sum", ReduceScatter(cut, sizes, reduction)
        case _:
            pass
    names = f"{type(first.conversion).__name__} and {type(second.conversion).__name__}"
    raise StepRefusedError(Why.NOT_A_PAIR, names)
