"""Programs in the order of their cost; cost sorts, it never drops a program."""

from dataclasses import dataclass

from p2smt.cost.model import CostModel
from p2smt.placement.hierarchy import SynthesisHierarchy
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.plan.lower import Lowering
from p2smt.plan.model import Plan, PlanStep
from p2smt.problem.model import Problem
from p2smt.program.instruction import Program
from p2smt.smt.answer import Stop
from p2smt.synth.session import PlacedPrograms, Synthesis


@dataclass(frozen=True, slots=True)
class RankedProgram:
    """A program, its plan and its predicted seconds."""

    program: Program
    plan: Plan
    seconds: float


@dataclass(frozen=True, slots=True)
class RankedPlacement:
    """The programs of one placement, cheapest first, beside the cost of one plain AllReduce."""

    matrix: ParallelismMatrix
    hierarchy: SynthesisHierarchy
    programs: tuple[RankedProgram, ...]
    allreduce_seconds: float
    stop: Stop


def rank(synthesis: Synthesis, model: CostModel) -> tuple[RankedPlacement, ...]:
    """Every placement with its programs priced, in the order of the placements."""
    return tuple(rank_placement(synthesis.problem, placed, model) for placed in synthesis.placements)


def rank_placement(problem: Problem, placed: PlacedPrograms, model: CostModel) -> RankedPlacement:
    """The programs of one placement, cheapest first; ties go to the shorter program, then to its text."""
    lowering = Lowering(problem, placed.matrix)
    prices: dict[PlanStep, float] = {}

    def price(plan: Plan, step: PlanStep) -> float:
        if step not in prices:
            prices[step] = model.step_seconds(plan, step)
        return prices[step]

    ranked = []
    for program in placed.programs:
        plan = lowering.plan(program)
        ranked.append(RankedProgram(program, plan, sum(price(plan, step) for step in plan.steps)))
    plain = lowering.allreduce()
    seconds = sum(price(plain, step) for step in plain.steps)
    return RankedPlacement(placed.matrix, placed.hierarchy, tuple(sorted(ranked, key=_order)), seconds, placed.stop)


def best_placement(ranked: tuple[RankedPlacement, ...]) -> RankedPlacement | None:
    """The placement with the cheapest program of all; the first of several."""
    found = [placement for placement in ranked if placement.programs]
    return min(found, key=lambda placement: _order(placement.programs[0])) if found else None


def _order(ranked: RankedProgram) -> tuple[float, int, str]:
    # Sums of the same steps in another order differ in the last bits; ties must stay ties.
    return float(f"{ranked.seconds:.10g}"), len(ranked.program), ranked.plan.program
