"""Programs in the order of their cost; cost sorts, it never drops a program."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from p2smt.cost.network.backend import Cost
from p2smt.cost.program_table import Measure, ProgramTables
from p2smt.cost.ten_digits import each_to_ten_digits
from p2smt.problem.model import Problem
from p2smt.reduction.language.hierarchy import program_text
from p2smt.reduction.language.instruction import Program
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import Plan
from p2smt.reduction.synth.session import PlacedPrograms, Synthesis

_SECONDS: Measure = attrgetter("seconds")
_LATENCY: Measure = attrgetter("latency_s")


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
        self._tables = ProgramTables()

    def placement(self, problem: Problem, placed: PlacedPrograms, top: int | None = None) -> RankedPlacement:
        """All programs of one placement, or the first `top`; of equal ones the shorter comes first."""
        lowering = Lowering(problem, placed.matrix)
        seconds, latencies = self._tables.of(placed.programs, lowering).price(
            self._cost, lowering, (_SECONDS, _LATENCY)
        )
        order, numbers = competition_ranks(seconds)
        chosen = zip(order[:top], numbers[:top], strict=True)
        ranked = tuple(
            RankedProgram(placed.programs[place], number, float(seconds[place]), float(latencies[place]), lowering)
            for place, number in chosen
        )
        return RankedPlacement(placed, ranked, self._cost.plan_seconds(lowering.direct))


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
    rounded = each_to_ten_digits(np.asarray(seconds, dtype=np.float64))
    order = np.argsort(rounded, kind="stable")
    return order.tolist(), (1 + np.searchsorted(rounded[order], rounded[order])).tolist()
