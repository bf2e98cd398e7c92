"""Lowering of a program on a placement to a plan.

A program in level numbers becomes steps in positions of digits, in three stages: `schedule.py` decides the layouts and
the permutations, `Lowering.cheapest` chooses one schedule, and `_step_of` numbers the digits. Of several schedules the
one with the least
    sum over permutations of  1 / parts,   parts = product of the sizes of the levels that their buffers lack,
is chosen: the sum is the fraction of the payload that is copied. Groups are rules on digits and are not listed, so a
plan for 4,096 devices is as short as one for 8.
Complexity: O(steps) for each schedule.
Reference: Xie et al., "Synthesizing optimal parallelism placement and reduction strategies on hierarchical systems for
deep learning", 2022, section 3.4.

Example: ReduceScatter and AllGather over the inner of two levels copy nothing; digits 0 and 1 of the device number are
the levels, so the groups vary in digit 1.
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache, cached_property, partial
from math import prod

from p2smt.errors import ProgramError
from p2smt.placement.hierarchy import SynthesisHierarchy, synthesis_hierarchy
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.model import Grammar, Problem
from p2smt.reduction.language.hierarchy import language_of, program_text
from p2smt.reduction.language.instruction import Grouping, Program
from p2smt.reduction.plan.mistake import mistake_of
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
from p2smt.reduction.plan.schedule import (
    BufferLayout,
    BufferSchedule,
    Move,
    Permutation,
    every_schedule,
    schedules,
)
from p2smt.reduction.plan.traces import CollectiveMove
from p2smt.reduction.plan.tree_schedule import block_sizes, tree_schedules


class Lowering:
    """Lowers programs to plans on one placement of a problem; data that all programs share is computed once."""

    def __init__(
        self, problem: Problem, matrix: ParallelismMatrix, hierarchy: SynthesisHierarchy | None = None
    ) -> None:
        """Create a lowering; `hierarchy` is the placement's own if it is known, and is worked out if not."""
        self.problem = problem
        self.matrix = matrix
        self.hierarchy = hierarchy or synthesis_hierarchy(problem, matrix)
        self.language = language_of(self.hierarchy, Grammar.FULL, problem.goal)
        self._levels = self.hierarchy.reduction_levels
        numbers = range(1, len(self._levels) + 1)
        # Members of a group are numbered by their device numbers, so the level with the most significant digit comes
        # first.
        self.significance = tuple(sorted(numbers, key=lambda number: self._levels[number - 1].digits))
        self.step = cache(self._step_of)
        self.tree = self.hierarchy.tree
        if self.tree is None:
            self.sizes = {number: level.size for number, level in enumerate(self._levels, start=1)}
            self._scheduled = partial(schedules, significance=self.significance, goal=problem.goal)
        else:
            self.sizes = block_sizes(self.tree)
            self._scheduled = partial(tree_schedules, tree=self.tree, goal=problem.goal)

    def schedule(self, program: Program) -> BufferSchedule:
        """Return the schedule of a program in level numbers; raises ProgramError if it does not reach the goal."""
        return self.cheapest(self.schedules(program))

    def schedules(self, program: Program) -> tuple[BufferSchedule, ...]:
        """Return all schedules that are cheapest for some sizes of levels. Raises ProgramError like `schedule`."""
        steps = tuple((self.language.grouping(instruction), instruction.collective) for instruction in program)
        every = self._scheduled(steps)
        if not every:
            raise ProgramError(
                f"program {program_text(self.hierarchy, program)} does not implement "
                f"{self.problem.goal.hyphenated} over "
                f"{', '.join(self.problem.axes[axis].name for axis in self.problem.reduce)}; "
                f"{mistake_of(steps, len(self._levels), self.problem.goal, self.tree)}"
            )
        return every

    def cheapest(self, every: tuple[BufferSchedule, ...]) -> BufferSchedule:
        """Return the schedule whose permutations move the fewest bytes; ties go to the fewest permutations."""
        # Comparing costs needs exact fractions of large products, so a single schedule skips it:
        # the usual case.
        return every[0] if len(every) == 1 else min(every, key=self._permuted)

    def plan(self, program: Program) -> Plan:
        """Return the plan of a program; raises ProgramError if the program does not reach the goal."""
        return self._plan(program_text(self.hierarchy, program), *self._lowered(self.schedule(program)))

    def every_plan(self, program: Program) -> tuple[Plan, ...]:
        """Return a valid program's plans for all choices of permutations; none on a tree, or if there are too many."""
        if self.tree is not None:
            return ()
        steps = tuple((self.language.grouping(instruction), instruction.collective) for instruction in program)
        text = program_text(self.hierarchy, program)
        every = every_schedule(steps, self.significance, self.problem.goal)
        return tuple(self._plan(text, *self._lowered(one)) for one in every)

    @cached_property
    def direct(self) -> Plan:
        """Return the baseline plan, which performs the goal as one collective in each reduction group."""
        if not self._levels:
            return self._plan(program_text(self.hierarchy, ()), 1, ())
        (single,) = self._scheduled(((Grouping(0, len(self._levels)), self.problem.goal),))
        return self._plan(f"(root, InsideGroup, {self.problem.goal})", *self._lowered(single))

    @property
    def all_groups(self) -> GroupRule:
        """Return the rule for the groups of devices that reduce together."""
        return self.groups(Grouping(0, len(self._levels)))

    def groups(self, grouping: Grouping) -> GroupRule:
        """Return the rule for the device groups of a grouping."""
        below = range(grouping.inner + 1, len(self._levels) + 1) if grouping.masters else ()
        return GroupRule(self._places(grouping.levels), self._places(below))

    def _permuted(self, scheduled: BufferSchedule) -> tuple[Fraction, int]:
        """Return the fraction of the payload moved by permutations, and the number of permutations."""
        # Fractions: equal amounts must be equal, whatever order they are added in.
        parts = (Fraction(1, self.parts(lacking)) for lacking in scheduled.permuted)
        return sum(parts, Fraction(0)), len(scheduled.permuted)

    def _lowered(self, scheduled: BufferSchedule) -> tuple[int, tuple[PlanStep, ...]]:
        """Return the padding multiple and the plan's steps."""
        multiple = prod(self.sizes[level] for level in scheduled.cut)
        return multiple, tuple(self.step(move, scheduled.cut) for move in scheduled.moves)

    def _plan(self, text: str, multiple: int, steps: tuple[PlanStep, ...]) -> Plan:
        reduction_levels = tuple(PlanLevel(level.name, level.digits) for level in self._levels)
        return plan_of(self.problem, self.matrix, reduction_levels, text, multiple, steps)

    def _step_of(self, move: Move, cut: BufferLayout) -> PlanStep:
        match move:
            case CollectiveMove(grouping, collective, held):
                return CollectiveStep(collective, self.groups(grouping), self._portions(held))
            case Permutation(classes, before, after):
                parts = prod(self.sizes[level] for level in cut if level not in before)
                # All classes of devices are written as no classes: shorter plan files, and no test
                # of the class in emitted code.
                everywhere = len(classes) == 1 << len(self._levels)
                return PermuteStep(
                    tuple(self.sizes[level] for level in before),
                    tuple(before.index(level) for level in after),
                    Portion(parts, () if everywhere else classes),
                )

    def _portions(self, held: Iterable[tuple[int, int]]) -> tuple[Portion, ...]:
        classes: dict[int, list[int]] = {}
        for root, scattered in held:
            classes.setdefault(self.parts(scattered), []).append(root)
        # The usual case, all roots hold equally much, needs no classes at all.
        if len(classes) == 1:
            return (Portion(next(iter(classes))),)
        return tuple(Portion(parts, tuple(roots)) for parts, roots in sorted(classes.items()))

    def parts(self, scattered: int) -> int:
        """Return the factor by which a buffer sharded along these levels (a bit mask) is smaller than the payload."""
        return prod(size for level, size in self.sizes.items() if scattered >> (level - 1) & 1)

    def _places(self, levels: Iterable[int]) -> tuple[int, ...]:
        return tuple(sorted(place for level in levels for place in self._levels[level - 1].digits))
