"""reorder: y = s(AllGather(x)) -> y = AllGather(s'(x)), where s' computes each rank's part.

Also for Broadcast and Send. Guard: the moved statements depend on the conversion. Statements on paths in between
move as well; the conversion stays for its other readers. Obligations: every moved operation has a rule by which
parts of operands give parts of the result, with random bits by global index; a gather of parts is the whole. A
reduction over a sliced label is reduced at once, and reported. Rebuild: local statements, and one conversion for
each result with other readers; states are updated after it.

    s(AllGather(x)) = AllGather(s'(x))   if s computes part r of its result from part r of x.
Complexity: O(operands of the moved statements).

Reference: Jangda et al., "Breaking the computation and communication abstraction barrier in distributed machine
learning workloads", ASPLOS 2022, section 3 (reorder).
"""

from collections.abc import Mapping
from dataclasses import replace

from p2smt.schedule.layouts_of import typed
from p2smt.schedule.moved_statements import StatementMove, with_naive
from p2smt.schedule.naming import statement
from p2smt.schedule.outcome import Rewriting, StepRefusedError
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.step import Reorder
from p2smt.schedule.summing import adding
from p2smt.schedule.why import Why
from p2smt.tensor.conversion import AllGather, Broadcast, Conversion, Send
from p2smt.tensor.expression import Convert
from p2smt.tensor.layout import Layout, Local, OnRank, Partial, Replicated, Sliced

_LEMMAS: Mapping[type[Conversion], str] = {
    AllGather: "a gather of parts",
    Broadcast: "a broadcast of what the root has",
    Send: "what is sent is what is received",
}


def reorder(scheduled: ScheduledProgram, step: Reorder, results: tuple[str, ...]) -> Rewriting:
    """Move statements before a conversion. `results` names the moved statements, then the new conversions."""
    expression = statement(scheduled, step.value)
    if not isinstance(expression, Convert) or type(expression.conversion) not in _LEMMAS:
        raise StepRefusedError(Why.NOT_MOVABLE, step.value)
    conversion = expression.conversion

    def back(layout: Layout) -> Conversion:
        match layout:
            case Sliced(dimension):
                return AllGather(dimension)
            case Replicated() | Partial() | Local() | OnRank():
                return conversion

    move = StatementMove(scheduled, typed(scheduled.program), step.value, step.past, results, back)
    try:
        made = move.run()
    except StepRefusedError as refused:
        raise with_naive(refused, replace(move, naive=True)) from refused
    lemmas = dict.fromkeys([_LEMMAS[type(conversion)], *made.lemmas])
    sums = adding(made.scheduled.program, made.inserted)
    summing = f"{', '.join(sums)}: each rank sums its part first" if sums else ""
    return Rewriting(
        scheduled=made.scheduled,
        lemmas=tuple(lemmas),
        instances=made.instances,
        inserted=made.inserted,
        notes=made.notes,
        summing=summing,
    )
