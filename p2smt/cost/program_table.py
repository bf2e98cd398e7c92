"""Prices of all programs of a placement at once; steps that programs share are priced once.

    seconds[p] = sum over i of  price[kind[rows[p][i]]],
a gather and a sum by numpy over one matrix of step numbers. The steps of many thousands of programs have few kinds
(step and sets of levels lacking before it), and few prices: kinds with equal amounts share one.
Complexity: O(kinds) prices and O(programs x steps) additions for each placement.
Reference: Filliatre and Conchon, "Type-safe modular hash-consing", 2006, for numbering equal values.

Example: 7,636 programs over four levels have at most five steps each, some 38,000 entries of far fewer kinds.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from p2smt.cost.network.cost import Cost, LocalWork, StepCost, Work
from p2smt.cost.network.pattern import Pattern, pattern_of
from p2smt.reduction.language.instruction import Grouping, Program
from p2smt.reduction.language.language import Language, Step
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import PlanStep
from p2smt.reduction.plan.schedule import BufferLayout, Move, Permutation
from p2smt.reduction.plan.traces import CollectiveMove

Measure = Callable[[StepCost], float]
"""A part of a step's cost that adds up over steps, such as its seconds, its latency, or the bytes on one link."""

_Kind = tuple[Step | None, tuple[int, ...]]
"""The grouping and collective of a step (None for a permutation), and the sets of levels that buffers lack before it.

These decide the price. Sets of levels are bit masks.
"""


class ProgramTable:
    """Programs as rows of step numbers; equal steps have one number.

    One table serves all placements with the same programs and the same order of levels: a placement only supplies the
    groups.
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
        kinds: dict[_Kind, int] = {}
        self._kind_of = np.array([kinds.setdefault(_kind(*step), len(kinds)) for step in self._steps], dtype=np.intp)
        self._kinds = tuple(kinds)
        # Short rows are filled up with a number behind the last step, whose price is the 0.0 appended in `sums`.
        self._rows = np.full((len(rows), max(map(len, rows), default=0)), len(numbers))
        for place, row in enumerate(rows):
            self._rows[place, : len(row)] = row
        counts = np.array([len(schedules) for schedules in every], dtype=np.intp)
        self._first = np.cumsum(counts) - counts
        self._open = [(place, schedules) for place, schedules in enumerate(every) if len(schedules) > 1]

    def price(self, cost: Cost, lowering: Lowering, measures: Sequence[Measure]) -> list[NDArray[np.float64]]:
        """Return each measure of every program on one placement."""
        prices = self.prices(cost, lowering)
        return [prices.of_all(measure) for measure in measures]

    def prices(self, cost: Cost, lowering: Lowering) -> "PricedPrograms":
        """Price the steps of all programs on one placement."""
        direct, payload = lowering.direct, lowering.problem.payload.bytes
        parts = cache(lowering.parts)
        patterns = cache(lambda grouping: pattern_of(direct, lowering.groups(grouping)))
        works: dict[tuple[Step | None, int], int] = {}
        numbers = [
            works.setdefault((step, min(map(parts, lacking))), len(works)) for step, lacking in self._kinds
        ]  # many steps are the same work where sizes are alike
        of_step = np.array(numbers, dtype=np.intp)[self._kind_of]
        costs = [cost.work_cost(_work(step, payload / part, patterns)) for step, part in works]
        return PricedPrograms(tuple(costs), of_step, self._rows[self._chosen(lowering)])

    def steps(self, lowering: Lowering, place: int) -> tuple[PlanStep, ...]:
        """Return the steps of one program on one placement."""
        row = self._rows[self._chosen(lowering)[place]]
        return tuple(lowering.step(*self._steps[number]) for number in row if number < len(self._steps))

    def _chosen(self, lowering: Lowering) -> NDArray[np.intp]:
        """Return the row of every program; of several schedules, the row of the cheapest on this placement."""
        chosen = self._first.copy()
        for place, schedules in self._open:
            chosen[place] += schedules.index(lowering.cheapest(schedules))
        return chosen


@dataclass(frozen=True, eq=False, slots=True)
class PricedPrograms:
    """Programs as rows of steps: step `i` costs `costs[of_step[i]]`, and the padding of short rows costs nothing."""

    costs: tuple[StepCost, ...]
    of_step: NDArray[np.intp]
    rows: NDArray[np.intp]

    def of_all(self, measure: Measure) -> NDArray[np.float64]:
        """Return one measure, such as the seconds, of every program."""
        return self.sums(np.array([measure(cost) for cost in self.costs]))

    def sums(self, measured: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sum per program of values that were measured for each of `costs`."""
        # Short programs are padded with the index of an additional step of cost 0.
        sums: NDArray[np.float64] = np.append(measured[self.of_step], 0.0)[self.rows].sum(axis=1)
        return sums

    def one(self, place: int) -> "PricedPrograms":
        """Return the table of one program, whose sums have exactly the same bits as here."""
        row = self.rows[place]
        used = np.unique(row[row < len(self.of_step)])
        costs = tuple(self.costs[number] for number in self.of_step[used].tolist())
        # The same steps in the same order: sums keep their exact bits.
        return PricedPrograms(costs, np.arange(len(used)), np.searchsorted(used, row)[None])


class ProgramTables:
    """A cache of tables, one for all placements with the same programs and the same order of levels.

    The most recently used tables are kept, up to `most_programs` programs in total; the last one is always kept.
    """

    def __init__(self, most_programs: int = 1 << 18) -> None:
        self._most_programs = most_programs
        self._tables: dict[tuple[Language, BufferLayout], ProgramTable] = {}

    def of(self, programs: tuple[Program, ...], lowering: Lowering) -> ProgramTable:
        """Return the table of these programs; it is rebuilt if the cached one for the language has other programs."""
        key = (lowering.language, lowering.significance)
        # Taken out and put back at the end: the dictionary's order is that of the last use.
        known = self._tables.pop(key, None)
        table = known if known is not None and known.programs is programs else ProgramTable(programs, lowering)
        self._tables[key] = table  # the last to be dropped
        if table is not known:
            self._make_room()
        return table

    def _make_room(self) -> None:
        *others, last = self._tables.items()
        kept = len(last[1].programs) + sum(len(table.programs) for _, table in others)
        for key, table in others:
            if kept <= self._most_programs:
                break
            self._tables.pop(key, None)
            kept -= len(table.programs)


def _kind(move: Move, cut: BufferLayout) -> _Kind:
    """Return the kind of a step; for a permutation, the levels that split the payload and that its buffers lack."""
    match move:
        case CollectiveMove(grouping, collective, held):
            return (grouping, collective), tuple(sorted({scattered for _, scattered in held}))
        case Permutation(_, before, _):
            return None, (sum(1 << (level - 1) for level in cut if level not in before),)


def _work(step: Step | None, held: float, patterns: Callable[[Grouping], Pattern]) -> Work | LocalWork:
    return LocalWork(held) if step is None else Work(step[1], patterns(step[0]), held)
