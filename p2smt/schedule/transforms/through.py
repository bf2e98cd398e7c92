"""through: y = s(AllReduce(x)) -> y = AllReduce(s(x)), if s is linear or monotone in the reduced value.

Also y = s(AllGather(x)), where s contracts the gathered dimension -> y = AllReduce(s(x, slices of the other
operands)). Guard: the ranks' results are partial values of one reduction. Obligations: the declared property, or
the exchange of sums, for every moved operation. Rebuild: local statements with partial results, and an AllReduce
for each result with other readers.

    s(x0 + x1 + ...) = s(x0) + s(x1) + ... for a linear s,   s(max(x0, x1, ...)) = max(s(x0), s(x1), ...) if monotone.
Complexity: O(operands of the moved statements).

Reference: Pope et al., "Efficiently scaling transformer inference", 2022, section 3, moves reductions like this.

Example: y = 2 * AllReduce(x) becomes y = AllReduce(2 * x), since doubling is linear.
"""

from dataclasses import replace

from p2smt.schedule.graph import statements
from p2smt.schedule.layouts_of import typed
from p2smt.schedule.moved_statements import StatementMove, with_naive
from p2smt.schedule.naming import statement
from p2smt.schedule.outcome import Rewriting, StepRefusedError
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.step import Through
from p2smt.schedule.summing import adding
from p2smt.schedule.why import Why
from p2smt.tensor.conversion import AllGather, AllReduce, Conversion
from p2smt.tensor.expression import Convert
from p2smt.tensor.layout import Layout, Local, OnRank, Partial, Replicated, Sliced, layout_text


def through(scheduled: ScheduledProgram, step: Through, results: tuple[str, ...]) -> Rewriting:
    """Reduce after statements instead of before them.

    `results` names the moved statements, then the reductions.
    """
    expression = statement(scheduled, step.value)
    if not isinstance(expression, Convert) or not isinstance(expression.conversion, AllReduce | AllGather):
        raise StepRefusedError(Why.NOT_A_REDUCTION, step.value)
    move = StatementMove(
        scheduled, typed(scheduled.program), step.value, step.past, results, _reduction, reduce_at_once=False
    )
    try:
        made = move.run()
    except StepRefusedError as refused:
        raise with_naive(refused, replace(move, naive=True, back=_anyhow)) from refused
    before = statements(scheduled.program)
    sums = adding(made.scheduled.program, (name for name in statements(made.scheduled.program) if name not in before))
    summing = f"what {step.value} has summed is summed behind {', '.join(step.past)}" if sums else ""
    return Rewriting(
        scheduled=made.scheduled, lemmas=made.lemmas, instances=made.instances, notes=made.notes, summing=summing
    )


def _anyhow(layout: Layout) -> Conversion:
    """Return a conversion that makes any result whole, for results that should have been partial."""
    match layout:
        case Sliced(dimension):
            return AllGather(dimension)
        case Replicated() | Partial() | Local() | OnRank():
            return AllReduce()


def _reduction(layout: Layout) -> Conversion:
    if not isinstance(layout, Partial):  # only Partial: others are refused, or match no rule and no conversion
        raise StepRefusedError(Why.NO_SUMMAND, f"they are {layout_text(layout)}")
    return AllReduce(layout.reduction)
