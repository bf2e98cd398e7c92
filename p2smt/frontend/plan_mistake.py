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
    """The mistake of a plan; None for a correct one, Unknown for one that is too large to verify.

    A plan is right when it is what p2smt lowers its program to, because programs are proved on every size of cluster;
    otherwise it is executed, as `p2smt verify` does. Raises PlanError for a plan that would
    be right if ranks held what its portions say, where they do not.
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
    """True if the plan is p2smt's own lowering of the plan's program, over any kind of levels."""
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
