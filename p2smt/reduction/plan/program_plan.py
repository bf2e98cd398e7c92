"""The plan of a program given as text."""

from p2smt.argument_types import require
from p2smt.errors import ProblemError
from p2smt.placement.enumeration import all_placements
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.matrix_check import check_matrix
from p2smt.problem.model import Problem
from p2smt.reduction.language.hierarchy import read_program
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import Plan
from p2smt.smt.answer import Stop


def program_plan(problem: Problem, program: str, matrix: ParallelismMatrix | None = None) -> Plan:
    """Lower a program, in the syntax in which p2smt prints it, on a placement of the problem.

    `matrix` is optional if there is only one placement. Raises ProblemError if it is missing or not a placement;
    ProgramError if the text does not parse or does not reach the problem's goal.
    """
    require(problem, Problem, "problem", "build_problem makes one, read_problem reads a file")
    if matrix is None:
        matrix = _only_placement(problem)
    check_matrix(matrix, problem)
    lowering = Lowering(problem, matrix)
    return lowering.plan(read_program(lowering.hierarchy, program))


def _only_placement(problem: Problem) -> ParallelismMatrix:
    placements = all_placements(problem)
    if placements.stop is Stop.INTERRUPTED:
        raise KeyboardInterrupt
    if not placements.complete:
        raise ProblemError(
            f"--program needs --matrix, because the search for placements stopped early ({placements.reason})"
        )
    if len(placements.items) > 1:
        some = ", ".join(map(str, placements.items[:5]))
        raise ProblemError(f"--program needs --matrix to choose among {len(placements.items)} placements: {some}")
    return placements.items[0]
