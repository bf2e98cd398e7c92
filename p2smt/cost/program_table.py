"""All programs of a placement priced together: steps that they share are priced once."""

from collections.abc import Callable, Sequence
from enum import Enum
from functools import cache, partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from p2smt.cost.network.backend import Cost
from p2smt.cost.network.cost import StepCost, step_work
from p2smt.cost.network.pattern import pattern_of
from p2smt.reduction.language.instruction import Program
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import PlanStep
from p2smt.reduction.plan.schedule import Layout, Move, Reorder

Item = TypeVar("Item")

Measure = Callable[[StepCost], float]
"""What of a step's cost adds up over the steps of a program: seconds, seconds of latency, bytes of one link."""


class Part(Enum):
    """What of a program counts: all of it, or what follows its first or precedes its last collective."""

    WHOLE = "whole"
    AFTER_FIRST = "after first"
    BEFORE_LAST = "before last"

    def of(self, steps: Sequence[Item]) -> tuple[Item, ...]:
        """The steps that count, whether of a program or of its schedule."""
        places = [place for place, step in enumerate(steps) if not isinstance(step, Reorder)]
        left_out = {Part.WHOLE: [], Part.AFTER_FIRST: places[:1], Part.BEFORE_LAST: places[-1:]}[self]
        return tuple(step for place, step in enumerate(steps) if place not in left_out)


class ProgramTable:
    """Programs, or parts of them, as rows of numbers of the different steps that they are made of.

    It serves every placement with the same programs over levels in the same order: a placement gives the groups.
    """

    def __init__(self, programs: Sequence[Program], lowering: Lowering, part: Part = Part.WHOLE) -> None:
        self.programs = programs
        self.part = part
        numbers: dict[tuple[Move, Layout], int] = {}
        rows = []
        for program in programs:
            schedule = lowering.schedule(program)
            moves = part.of(schedule.moves)
            rows.append([numbers.setdefault((move, schedule.cut), len(numbers)) for move in moves])
        self._steps = tuple(numbers)
        self._rows = np.full((len(rows), max(map(len, rows), default=0)), len(numbers))
        for place, row in enumerate(rows):
            self._rows[place, : len(row)] = row

    def price(self, cost: Cost, lowering: Lowering, measures: Sequence[Measure]) -> list[NDArray[np.float64]]:
        """Every measure of every program on one placement."""
        plain = lowering.allreduce()
        patterns = cache(partial(pattern_of, plain))
        planned = (lowering.step(move, cut) for move, cut in self._steps)
        costs = [cost.work_cost(step_work(plain.payload, step, patterns)) for step in planned]
        return [np.array([*(measure(step) for step in costs), 0.0])[self._rows].sum(axis=1) for measure in measures]

    def steps(self, lowering: Lowering, place: int) -> tuple[PlanStep, ...]:
        """The steps of one program on one placement."""
        numbers = (number for number in self._rows[place] if number < len(self._steps))
        return tuple(lowering.step(*self._steps[number]) for number in numbers)
