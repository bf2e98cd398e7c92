"""Programs in the order of their cost; cost sorts, it never drops a program."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, partial

import numpy as np
from numpy.typing import NDArray

from p2smt.cost.backend import Cost
from p2smt.cost.network_cost import step_work
from p2smt.cost.pattern import pattern_of
from p2smt.plan.lower import Lowering
from p2smt.plan.model import Plan
from p2smt.plan.schedule import Layout, Move
from p2smt.problem.model import Problem
from p2smt.program.hierarchy import program_text
from p2smt.program.instruction import Program
from p2smt.synth.session import PlacedPrograms, Synthesis


@dataclass(frozen=True, slots=True)
class RankedProgram:
    """A program and its predicted seconds, of which `latency_s` do not depend on the payload.

    Programs of one placement that take equally long have the same `rank`: 1, 2, 2, 4.
    """

    program: Program
    rank: int
    seconds: float
    latency_s: float
    lowering: Lowering = field(repr=False, compare=False)

    @property
    def plan(self) -> Plan:
        """The program, lowered."""
        return self.lowering.plan(self.program)

    @property
    def text(self) -> str:
        """The program as text."""
        return program_text(self.lowering.hierarchy, self.program)


@dataclass(frozen=True, slots=True)
class RankedPlacement:
    """The programs of one placement, cheapest first, beside the cost of one plain AllReduce."""

    placed: PlacedPrograms
    programs: tuple[RankedProgram, ...]
    allreduce_seconds: float


class Ranker:
    """Ranks placement after placement; what their programs have in common is worked out once."""

    def __init__(self, cost: Cost) -> None:
        self._cost = cost
        self._books: dict[tuple[int, Layout], _Book] = {}

    def placement(self, problem: Problem, placed: PlacedPrograms, top: int | None = None) -> RankedPlacement:
        """All programs of one placement, or the first `top`; of equal ones the shorter comes first."""
        lowering = Lowering(problem, placed.matrix)
        key = (id(placed.programs), lowering.significance)
        if key not in self._books:
            self._books[key] = _Book(placed.programs, lowering)
        plain = lowering.allreduce()
        seconds, latencies = self._books[key].price(self._cost, plain, lowering)
        order, numbers = competition_ranks(seconds)
        chosen = zip(order[:top], numbers[:top], strict=True)
        ranked = tuple(
            RankedProgram(placed.programs[place], number, float(seconds[place]), float(latencies[place]), lowering)
            for place, number in chosen
        )
        return RankedPlacement(placed, ranked, self._cost.plan_seconds(plain))


class _Book:
    """All programs of a placement as rows of numbers of the different steps that they are made of."""

    def __init__(self, programs: Sequence[Program], lowering: Lowering) -> None:
        self._programs = programs  # kept, so that no other object gets its id
        numbers: dict[tuple[Move, Layout], int] = {}
        rows = []
        for program in programs:
            schedule = lowering.schedule(program)
            rows.append([numbers.setdefault((move, schedule.cut), len(numbers)) for move in schedule.moves])
        self._steps = tuple(numbers)
        self._rows = np.full((len(rows), max(map(len, rows), default=0)), len(numbers))
        for place, row in enumerate(rows):
            self._rows[place, : len(row)] = row

    def price(self, cost: Cost, plain: Plan, lowering: Lowering) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Seconds and seconds of latency of every program; `plain` is any plan of the placement."""
        patterns = cache(partial(pattern_of, plain))
        steps = (lowering.step(move, cut) for move, cut in self._steps)
        costs = [cost.work_cost(step_work(plain.payload, step, patterns)) for step in steps]
        seconds = np.array([*(step.seconds for step in costs), 0.0])
        latencies = np.array([*(step.latency_s for step in costs), 0.0])
        return seconds[self._rows].sum(axis=1), latencies[self._rows].sum(axis=1)


def rank(synthesis: Synthesis, cost: Cost, top: int | None = None) -> tuple[RankedPlacement, ...]:
    """Every placement with its programs priced, or the first `top` of each, in the order of the placements."""
    ranker = Ranker(cost)
    return tuple(ranker.placement(synthesis.problem, placed, top) for placed in synthesis.placements)


def best_placement(ranked: Sequence[RankedPlacement]) -> RankedPlacement | None:
    """The placement with the cheapest program of all; the first of several."""
    found = [placement for placement in ranked if placement.programs]
    return min(found, key=lambda placement: placement.programs[0].seconds, default=None)


def competition_ranks(seconds: Sequence[float] | NDArray[np.float64]) -> tuple[list[int], list[int]]:
    """The places in ascending order, and the rank of each: 1, 2, 2, 4 where the second and third are equal.

    Times are compared to ten digits, because sums of the same steps in another order differ in the last bits.

    >>> competition_ranks([3.0, 1.0, 3.0])
    ([1, 0, 2], [1, 2, 2])
    """
    rounded = np.array([float(f"{time:.9e}") for time in seconds])
    order = np.argsort(rounded, kind="stable")
    return order.tolist(), (1 + np.searchsorted(rounded[order], rounded[order])).tolist()
