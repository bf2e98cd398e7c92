"""All programs of a placement priced together: steps that they share are priced once."""

from collections.abc import Callable, Sequence
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from p2smt.cost.network.backend import Cost
from p2smt.cost.network.cost import StepCost, step_work
from p2smt.cost.network.pattern import pattern_of
from p2smt.reduction.language.instruction import Program
from p2smt.reduction.language.language import Language
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import PlanStep
from p2smt.reduction.plan.schedule import BufferLayout, Move

Measure = Callable[[StepCost], float]
"""What of a step's cost adds up over the steps of a program: seconds, seconds of latency, bytes of one link."""


class ProgramTable:
    """Programs as rows of numbers of the different steps that they are made of.

    It serves every placement with the same programs over levels in the same order: a placement gives the groups.
    """

    def __init__(self, programs: tuple[Program, ...], lowering: Lowering) -> None:
        self.programs = programs
        numbers: dict[tuple[Move, BufferLayout], int] = {}
        every = [lowering.schedules(program) for program in programs]
        rows = [
            [numbers.setdefault((move, schedule.cut), len(numbers)) for move in schedule.moves]
            for schedules in every
            for schedule in schedules
        ]
        self._steps = tuple(numbers)
        self._rows = np.full((len(rows), max(map(len, rows), default=0)), len(numbers))
        for place, row in enumerate(rows):
            self._rows[place, : len(row)] = row
        counts = np.array([len(schedules) for schedules in every], dtype=np.intp)
        self._first = np.cumsum(counts) - counts
        self._open = [(place, schedules) for place, schedules in enumerate(every) if len(schedules) > 1]

    def price(self, cost: Cost, lowering: Lowering, measures: Sequence[Measure]) -> list[NDArray[np.float64]]:
        """Every measure of every program on one placement."""
        patterns = cache(partial(pattern_of, lowering.direct))
        planned = (lowering.step(move, cut) for move, cut in self._steps)
        costs = [cost.work_cost(step_work(lowering.problem.payload, step, patterns)) for step in planned]
        rows = self._rows[self._chosen(lowering)]
        return [np.array([*(measure(step) for step in costs), 0.0])[rows].sum(axis=1) for measure in measures]

    def steps(self, lowering: Lowering, place: int) -> tuple[PlanStep, ...]:
        """The steps of one program on one placement."""
        row = self._rows[self._chosen(lowering)[place]]
        return tuple(lowering.step(*self._steps[number]) for number in row if number < len(self._steps))

    def _chosen(self, lowering: Lowering) -> NDArray[np.intp]:
        """The row of every program: where sizes decide between schedules, that of the cheapest on this placement."""
        chosen = self._first.copy()
        for place, schedules in self._open:
            chosen[place] += schedules.index(lowering.cheapest(schedules))
        return chosen


class ProgramTables:
    """One table for all placements with the same programs over levels in the same order."""

    def __init__(self) -> None:
        self._tables: dict[tuple[Language, BufferLayout], ProgramTable] = {}

    def of(self, programs: tuple[Program, ...], lowering: Lowering) -> ProgramTable:
        """The table of these programs; made anew where others of the same language were asked for last."""
        key = (lowering.language, lowering.significance)
        table = self._tables.get(key)
        if table is None or table.programs is not programs:
            table = self._tables[key] = ProgramTable(programs, lowering)
        return table
