"""From a program on one placement to a plan."""

from collections.abc import Iterable
from functools import cache
from math import prod

from p2smt.collective import Collective
from p2smt.errors import ProgramError
from p2smt.placement.hierarchy import synthesis_hierarchy
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.model import Grammar, Problem
from p2smt.reduction.language.hierarchy import language_of, program_text
from p2smt.reduction.language.instruction import Program
from p2smt.reduction.plan.model import (
    CollectiveStep,
    GroupRule,
    PermuteStep,
    Plan,
    PlanLevel,
    PlanStep,
    Portion,
    plan_of,
)
from p2smt.reduction.plan.schedule import Layout, Move, Reorder, Schedule, Together, schedule


class Lowering:
    """Programs to plans on one placement of a problem; what programs have in common is made once."""

    def __init__(self, problem: Problem, matrix: ParallelismMatrix) -> None:
        self.problem = problem
        self.matrix = matrix
        self.hierarchy = synthesis_hierarchy(problem, matrix)
        self.language = language_of(self.hierarchy, Grammar.FULL)
        self._levels = self.hierarchy.carrying
        numbers = range(1, len(self._levels) + 1)
        self.significance = tuple(sorted(numbers, key=lambda number: self._levels[number - 1].digits))
        self.step = cache(self._step_of)

    def schedule(self, program: Program) -> Schedule:
        """What a program does, in level numbers; raises ProgramError when it does not do the reduction."""
        steps = tuple((self.language.grouping(instruction), instruction.collective) for instruction in program)
        found = schedule(steps, self.significance)
        if found is None:
            raise ProgramError(
                f"program {program_text(self.hierarchy, program)} does not reduce over "
                f"{', '.join(self.problem.axes[axis].name for axis in self.problem.reduce)}; "
                "some step breaks the rule of its collective or the goal is not reached"
            )
        return found

    def plan(self, program: Program) -> Plan:
        """The plan of a program; raises ProgramError when the program does not do the reduction."""
        found = self.schedule(program)
        multiple = prod(self._levels[level - 1].size for level in found.cut)
        lowered = tuple(self.step(move, found.cut) for move in found.moves)
        return self._plan(program_text(self.hierarchy, program), multiple, lowered)

    def allreduce(self) -> Plan:
        """The plan of one AllReduce over each reduction group, which every program competes with."""
        rule = GroupRule(self._places(range(1, len(self._levels) + 1)))
        step = CollectiveStep(Collective.ALL_REDUCE, rule, (Portion(1),))
        return self._plan("(root, InsideGroup, AllReduce)", 1, (step,) if self._levels else ())

    def _plan(self, text: str, multiple: int, steps: tuple[PlanStep, ...]) -> Plan:
        carrying = tuple(PlanLevel(level.name, level.digits) for level in self._levels)
        return plan_of(self.problem, self.matrix, carrying, text, multiple, steps)

    def _step_of(self, move: Move, cut: Layout) -> PlanStep:
        match move:
            case Together(grouping, collective, held):
                below = range(grouping.inner + 1, len(self._levels) + 1) if grouping.masters else ()
                rule = GroupRule(self._places(grouping.levels), self._places(below))
                return CollectiveStep(collective, rule, self._portions(held))
            case Reorder(classes, before, after):
                parts = prod(self._levels[level - 1].size for level in cut if level not in before)
                everywhere = len(classes) == 1 << len(self._levels)
                return PermuteStep(
                    tuple(self._levels[level - 1].size for level in before),
                    tuple(before.index(level) for level in after),
                    Portion(parts, () if everywhere else classes),
                )

    def _portions(self, held: Iterable[tuple[int, int]]) -> tuple[Portion, ...]:
        classes: dict[int, list[int]] = {}
        for root, scattered in held:
            classes.setdefault(self._parts(scattered), []).append(root)
        if len(classes) == 1:
            return (Portion(next(iter(classes))),)
        return tuple(Portion(parts, tuple(roots)) for parts, roots in sorted(classes.items()))

    def _parts(self, scattered: int) -> int:
        return prod(level.size for place, level in enumerate(self._levels) if scattered >> place & 1)

    def _places(self, levels: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted(place for level in levels for place in self._levels[level - 1].digits))
