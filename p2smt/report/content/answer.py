"""The answer at the top of a report: the placement of each axis, its alternatives, and text to copy."""

from collections.abc import Sequence
from dataclasses import dataclass

from p2smt.errors import ProblemError
from p2smt.placement.framework_call import FRAMEWORKS, framework_call, jax_call, torch_call
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.notation import Notation, order_text, own_order, written_order
from p2smt.placement.order import Order, matrix_of_order
from p2smt.placement.reduction_tree import rank_order
from p2smt.problem.model import Axis
from p2smt.report.content.content import JobReport, Report


@dataclass(frozen=True, slots=True)
class Contender:
    """A placement in the comparison: its label (the reason to list it), its matrix, and its time in seconds."""

    what: str
    matrix: ParallelismMatrix
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer section's data: placements to compare, framework calls that reproduce the best one, and its code.

    `contenders` lists the fastest placement first. `order` is the best placement as an order string in
    Megatron's notation, as `p2smt mesh` reads it; empty if no order expresses the placement or Megatron lacks
    one of the axes. `calls` are pairs of a framework's name and the call that creates the mesh. `program` is
    the fastest reduction program as text, and `code` is a Python file that runs it; `code` is empty if there is
    no program.
    """

    contenders: tuple[Contender, ...]
    order: str
    calls: tuple[tuple[str, str], ...]
    program: str = ""
    code: str = ""

    @property
    def best(self) -> Contender:
        """The fastest placement."""
        return self.contenders[0]


def reduction_answer(report: Report) -> Answer | None:
    """Return the answer for the report of one reduction, or None if no placement has a program."""
    timed = [(result.matrix, result.programs[0].seconds) for result in report.results if result.programs]
    if not timed:
        return None
    best = min(timed, key=lambda one: one[1])
    others = [one for one in timed if one is not best]
    contenders = [Contender("fastest", *best), *_others(others, cut=report.others is not None)]
    order, calls = _answer_calls(report, best[0])
    program = next(result.programs[0].text for result in report.results if result.matrix == best[0])
    return Answer(contenders=tuple(contenders), order=order, calls=calls, program=program, code=report.code)


def job_answer(report: JobReport) -> Answer:
    """Return the answer for the report of a job, with the frameworks' default placement among the contenders."""
    timed = [(one.matrix, one.seconds) for one in report.optimum.placements]
    best = timed[0]
    usual = _usual(report)
    contenders = [Contender("fastest", *best)]
    contenders += [Contender("frameworks' usual order", *one) for one in timed[1:] if one[0] == usual]
    contenders += _others(timed[1:], cut=False)
    order, calls = _calls(written_order(Notation.MEGATRON, best[0], report.axes), report.axes)
    return Answer(contenders=tuple(contenders), order=order, calls=calls)


def _others(others: Sequence[tuple[ParallelismMatrix, float]], *, cut: bool) -> list[Contender]:
    """Return the second-fastest and the slowest contender.

    `cut` means that even slower placements exist but are not shown.
    """
    found = [Contender("next best", *others[0])] if others else []
    return [*found, *([Contender("slowest shown" if cut else "slowest", *others[-1])] if len(others) > 1 else [])]


def _usual(report: JobReport) -> ParallelismMatrix | None:
    """Return the placement of Megatron's default rank order; None if that order does not fit the levels."""
    order = own_order(Notation.MEGATRON, report.axes)
    sizes = [level.size for level in report.system.levels]
    laid = None if order is None else matrix_of_order(order, [axis.size for axis in report.axes], sizes)
    return laid if isinstance(laid, ParallelismMatrix) else None


def _answer_calls(report: Report, matrix: ParallelismMatrix) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return `_calls` for a placement; on irregular units the order string is empty, as no order describes them."""
    tree = report.system.tree
    if tree is None:
        return _calls(written_order(Notation.MEGATRON, matrix, report.axes), report.axes)
    return "", _calls(rank_order(tree, matrix, [axis.size for axis in report.axes]), report.axes)[1]


def _calls(order: Order | None, axes: Sequence[Axis]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return Megatron's order string and the calls of all frameworks that support the order.

    The order string is empty if Megatron lacks an axis.
    """
    if order is None or all(axis.size == 1 for axis in axes):
        return "", ()
    calls = [("torch", torch_call(order, axes)), ("JAX", jax_call(order, axes))]
    words = ""
    for notation, name in FRAMEWORKS:
        try:
            call = framework_call(notation, order, axes)
            words = f"{notation}:{order_text(notation, order, axes)}" if notation is Notation.MEGATRON else words
        except ProblemError:  # it has other axes
            continue
        calls += [(name, call)] if call else []
    return words, tuple(calls)


def ratio_text(one: Contender, best: Contender) -> str:
    """Return the time of a placement as a multiple of the best time.

    >>> from p2smt.placement.matrix import parse_matrix
    >>> fast = Contender("", parse_matrix("2x2"), 1.0)
    >>> ratio_text(Contender("", parse_matrix("2x2"), 2.5), fast), ratio_text(fast, fast)
    ('2.50×', '1.00×')
    """
    if not best.seconds:
        return "–"
    ratio = one.seconds / best.seconds
    return f"{ratio:.0f}×" if ratio >= 100 else f"{ratio:.1f}×" if ratio >= 10 else f"{ratio:.2f}×"
