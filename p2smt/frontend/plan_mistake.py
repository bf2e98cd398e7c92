"""Check of a plan file against its goal: directly for p2smt's own lowering, by the verifier otherwise."""

from dataclasses import replace
from itertools import product

from p2smt.errors import PlanError, ProblemError, ProgramError, VerifyError
from p2smt.frontend.own_plan import verification_plan
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, HierarchyKind, Search
from p2smt.problem.system.build import default_system
from p2smt.problem.system.network import Level
from p2smt.reduction.plan.model import Plan
from p2smt.reduction.plan.program_plan import program_plan
from p2smt.reduction.plan.rank_holdings import check_portions
from p2smt.verify.judge import judge
from p2smt.verify.plan_verdict import PlanMistake
from p2smt.verify.verdict import Proved, Refuted, Unknown


def plan_mistake(plan: Plan) -> PlanMistake | Unknown | None:
    """Return the mistake of a plan: None if it is correct, Unknown if it is too large to verify.

    A plan that equals p2smt's own lowering of its program is correct, because programs are proved for every
    cluster size. Any other plan is executed symbolically, as `p2smt verify` does. Raises PlanError for a plan
    whose correctness depends on portions of data that the ranks do not hold.
    """
    if is_own_lowering(plan):
        return None
    try:
        verdict = judge(verification_plan(plan))
    except VerifyError as cause:
        return Unknown(str(cause))
    match verdict:
        case Unknown():
            return verdict
        case Refuted(PlanMistake() as mistake):
            return mistake
        case Proved() | Refuted():  # what is left to refute a plan is that it has nothing to do
            check_portions(plan)
            return None


def is_own_lowering(plan: Plan) -> bool:
    """Return True if the plan equals p2smt's own lowering of its program, on any kind of system levels."""
    system = plan.system or replace(default_system([Level(*level) for level in plan.levels]), tree=plan.tree)
    axes = [Axis(name, size) for name, size in plan.axes]
    kinds = tuple(HierarchyKind) if plan.tree is None else (HierarchyKind.REDUCTION,)
    for hierarchy, collapse in product(kinds, (True, False)):
        search = Search(hierarchy=hierarchy, collapse=collapse)
        problem = build_problem(system, axes, plan.reduce, plan.payload, search, plan.goal)
        try:
            lowered = program_plan(problem, plan.program, plan.matrix)
        except (ProgramError, PlanError, ProblemError):
            continue
        if (lowered.reduction_levels, lowered.multiple, lowered.steps) == (
            plan.reduction_levels,
            plan.multiple,
            plan.steps,
        ):
            return True
    return False
