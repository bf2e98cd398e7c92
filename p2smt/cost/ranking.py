"""Programs in the order of their cost; cost sorts, it never drops a program."""

from dataclasses import dataclass

from p2smt.cost.model import CostModel, plan_seconds
from p2smt.plan.lower import Lowering
from p2smt.plan.model import Plan, PlanStep
from p2smt.problem.model import Problem
from p2smt.program.instruction import Program
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

    placed: PlacedPrograms
    programs: tuple[RankedProgram, ...]
    allreduce_seconds: float


class _Remembering:
    """A cost model that asks another one once per step; for plans on one placement of one problem."""

    def __init__(self, model: CostModel) -> None:
        self._model = model
        self._known: dict[PlanStep, float] = {}

    def step_seconds(self, plan: Plan, step: PlanStep) -> float:
        if step not in self._known:
            self._known[step] = self._model.step_seconds(plan, step)
        return self._known[step]


def rank(synthesis: Synthesis, model: CostModel) -> tuple[RankedPlacement, ...]:
    """Every placement with its programs priced, in the order of the placements."""
    return tuple(rank_placement(synthesis.problem, placed, model) for placed in synthesis.placements)


def rank_placement(problem: Problem, placed: PlacedPrograms, model: CostModel) -> RankedPlacement:
    """The programs of one placement, cheapest first; ties go to the shorter program, then to its text."""
    lowering = Lowering(problem, placed.matrix)
    remembering = _Remembering(model)
    ranked = []
    for program in placed.programs:
        plan = lowering.plan(program)
        ranked.append(RankedProgram(program, plan, plan_seconds(remembering, plan)))
    plain = plan_seconds(remembering, lowering.allreduce())
    return RankedPlacement(placed, tuple(sorted(ranked, key=_order)), plain)


def best_placement(ranked: tuple[RankedPlacement, ...]) -> RankedPlacement | None:
    """The placement with the cheapest program of all; the first of several."""
    found = [placement for placement in ranked if placement.programs]
    return min(found, key=lambda placement: _order(placement.programs[0])) if found else None


def _order(ranked: RankedProgram) -> tuple[float, int, str]:
    # Sums of the same steps in another order differ in the last bits; ties must stay ties.
    return float(f"{ranked.seconds:.10g}"), len(ranked.program), ranked.plan.program
