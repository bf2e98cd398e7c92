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
    """A placement in the comparison, the reason to show it, and its time."""

    what: str
    matrix: ParallelismMatrix
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The fastest placement first of `contenders`; what to type, by framework; code that does its best program.

    `order` gives the placement in Megatron's words, as `p2smt mesh` reads it, empty where no order does or Megatron has
    no such axes. `code` is the text of a Python file, empty where there is no program to write down; `program` is what
    it does.
    """

    contenders: tuple[Contender, ...]
    order: str
    calls: tuple[tuple[str, str], ...]
    program: str = ""
    code: str = ""

    @property
    def best(self) -> Contender:
        """The fastest."""
        return self.contenders[0]


def reduction_answer(report: Report) -> Answer | None:
    """The answer of a report of one reduction; None where there is no program."""
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
    """The answer of a report of a job, beside it the placement that frameworks take where nothing is said."""
    timed = [(one.matrix, one.seconds) for one in report.optimum.placements]
    best = timed[0]
    usual = _usual(report)
    contenders = [Contender("fastest", *best)]
    contenders += [Contender("frameworks' usual order", *one) for one in timed[1:] if one[0] == usual]
    contenders += _others(timed[1:], cut=False)
    order, calls = _calls(written_order(Notation.MEGATRON, best[0], report.axes), report.axes)
    return Answer(contenders=tuple(contenders), order=order, calls=calls)


def _others(others: Sequence[tuple[ParallelismMatrix, float]], *, cut: bool) -> list[Contender]:
    """The next best and the slowest; `cut`: even slower ones are not shown."""
    found = [Contender("next best", *others[0])] if others else []
    return [*found, *([Contender("slowest shown" if cut else "slowest", *others[-1])] if len(others) > 1 else [])]


def _usual(report: JobReport) -> ParallelismMatrix | None:
    """The placement of Megatron's default order."""
    order = own_order(Notation.MEGATRON, report.axes)
    sizes = [level.size for level in report.system.levels]
    laid = None if order is None else matrix_of_order(order, [axis.size for axis in report.axes], sizes)
    return laid if isinstance(laid, ParallelismMatrix) else None


def _answer_calls(report: Report, matrix: ParallelismMatrix) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The answer of `_calls`; calls alone on irregular units, which no order string of `p2smt mesh` stands for."""
    tree = report.system.tree
    if tree is None:
        return _calls(written_order(Notation.MEGATRON, matrix, report.axes), report.axes)
    return "", _calls(rank_order(tree, matrix, [axis.size for axis in report.axes]), report.axes)[1]


def _calls(order: Order | None, axes: Sequence[Axis]) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Megatron's words for an order, and the calls of all frameworks that can lay ranks so."""
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
    """The time of a placement relative to the best, in words.

    >>> from p2smt.placement.matrix import parse_matrix
    >>> fast = Contender("", parse_matrix("2x2"), 1.0)
    >>> ratio_text(Contender("", parse_matrix("2x2"), 2.5), fast), ratio_text(fast, fast)
    ('2.50×', '1.00×')
    """
    if not best.seconds:
        return "–"
    ratio = one.seconds / best.seconds
    return f"{ratio:.0f}×" if ratio >= 100 else f"{ratio:.1f}×" if ratio >= 10 else f"{ratio:.2f}×"
