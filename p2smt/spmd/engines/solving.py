"""The solver of joint problems: the requested engine, or HiGHS if elimination would need too much memory."""

from dataclasses import dataclass, field, replace

from p2smt.errors import EngineError, ProblemError
from p2smt.spmd.engines.brute import brute
from p2smt.spmd.engines.certificate import Certificate
from p2smt.spmd.engines.certificate_check import check_certificate
from p2smt.spmd.engines.elimination import TooLargeError, eliminate
from p2smt.spmd.engines.engine import EngineOptions, ShardingEngine
from p2smt.spmd.engines.ilp import solve
from p2smt.spmd.engines.problem import Answer, Best, JointProblem

NOTHING_LEFT = "no program keeps all conditions and restrictions; drop one of them"

_MOST_MEMORY = 10**12


@dataclass(frozen=True, slots=True)
class Solution:
    """An answer and a lower bound on all assignments; only elimination provides a certificate of both."""

    answer: Answer
    bound: int
    certificate: Certificate | None = None


@dataclass(frozen=True, slots=True)
class JointSolver:
    """Solves joint problems with the requested engine, ignoring limits; `notes` reports deviations from the request."""

    search: EngineOptions = field(default_factory=EngineOptions)
    notes: list[str] = field(default_factory=list)

    @classmethod
    def aside(cls, search: EngineOptions) -> "JointSolver":
        """Return a solver for auxiliary problems: HiGHS if it was requested, else elimination; without certificates."""
        return cls(replace(_by_elimination(search), certify=False))

    def solve(self, problem: JointProblem) -> Solution:
        """Return the cheapest assignment, found by HiGHS if elimination would exceed its memory."""
        try:
            return self.solve_within_memory(problem)
        except TooLargeError as cause:
            if self.search.certify:
                raise EngineError(f"{cause}; leave certify out{_more_memory(cause, ', or give {}')}") from cause
            note = f"{cause}: HiGHS searched instead{_more_memory(cause, '; with {} elimination does')}"
            if note not in self.notes:
                self.notes.append(note)
            return _by_highs(problem)

    def solve_within_memory(self, problem: JointProblem) -> Solution:
        """Return the cheapest assignment. Raises TooLargeError if elimination would exceed its memory."""
        match self.search.engine:
            case ShardingEngine.ILP:
                return _by_highs(problem)
            case ShardingEngine.BRUTE:
                answer = brute(problem)
                return Solution(answer, answer.cost if isinstance(answer, Best) else 0)
            case ShardingEngine.ASTAR:
                raise EngineError("engine astar searches one axis; use --engine elimination with --mesh")
            case ShardingEngine.ELIMINATION:
                eliminated = eliminate(problem, self.search.memory, proof=self.search.certify)
                return Solution(eliminated.answer, eliminated.bound, eliminated.certificate)

    def proved(self, problem: JointProblem) -> tuple[Best, int]:
        """Return the cheapest assignment and a lower bound; checks the certificate if requested.

        Raises ProblemError if the problem is infeasible, and EngineError if the checker rejects the certificate.
        """
        solution = self.solve(problem)
        if not isinstance(solution.answer, Best):
            raise ProblemError(NOTHING_LEFT)
        if self.search.certify:
            check(self.search.engine, problem, solution.answer, solution.certificate)
        return solution.answer, solution.bound


def for_bounds(search: EngineOptions) -> JointSolver:
    """Return a solver for auxiliary problems, with certificates if they are requested."""
    return JointSolver(_by_elimination(search))


def _by_elimination(search: EngineOptions) -> EngineOptions:
    return search if search.engine is ShardingEngine.ILP else replace(search, engine=ShardingEngine.ELIMINATION)


def check(engine: ShardingEngine, problem: JointProblem, best: Best, certificate: Certificate | None) -> None:
    """Raise EngineError for a certificate that is missing or that the checker rejects."""
    if certificate is None:
        raise EngineError(f"engine {engine} gives no certificate; use --engine {ShardingEngine.ELIMINATION}")
    fault = check_certificate(problem, certificate, best.assignment)
    if fault is not None:
        raise EngineError(
            f"the checker rejects the certificate of the optimum: {fault}; leave certify out, and "
            "please report this defect of p2smt"
        )


def _by_highs(problem: JointProblem) -> Solution:
    solved = solve(problem)
    cost = solved.answer.cost if isinstance(solved.answer, Best) else 0
    return Solution(solved.answer, min(solved.bound, cost))


def _more_memory(cause: TooLargeError, said: str) -> str:
    """Return `said` with the memory option that elimination needs filled in; "" if no machine has that much."""
    return said.format(f"--search memory={-(-cause.bytes // 10**9)}GB") if cause.bytes < _MOST_MEMORY else ""
