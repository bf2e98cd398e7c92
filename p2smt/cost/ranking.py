"""Programs ranked by predicted time; the ranking sorts programs and never drops one."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from p2smt.argument_types import require
from p2smt.cost.above_wire import placement_wire
from p2smt.cost.any_length import Cheaper, Reach, cheaper_program
from p2smt.cost.network.cost import Cost
from p2smt.cost.price_key import PriceKey, price_key
from p2smt.cost.program_table import Measure, ProgramTable, ProgramTables
from p2smt.cost.ten_digits import each_to_ten_digits
from p2smt.display import MOST_ROWS, html_table, one_line
from p2smt.problem.model import Problem
from p2smt.problem.quantity import format_seconds
from p2smt.reduction.language.hierarchy import program_text
from p2smt.reduction.language.instruction import Program
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import Plan
from p2smt.reduction.synth.session import PlacedPrograms, Synthesis
from p2smt.smt.answer import Stop
from p2smt.wording import counted

_SECONDS: Measure = attrgetter("seconds")
_LATENCY: Measure = attrgetter("fixed_s")

_TABLES = ProgramTables(most_programs=1 << 16)
"""Program tables shared by all problems whose programs come from one synthesizer."""

NOT_LOOKED_FOR = Cheaper(None, Reach.UNASKED)
"""The value if no program beyond the limit was searched for."""


@dataclass(frozen=True, slots=True)
class RankedProgram:
    """A program and its predicted seconds, of which `latency_s` do not depend on the payload.

    Programs of one placement with equal times share a `rank`: 1, 2, 2, 4.
    """

    program: Program
    rank: int
    seconds: float
    latency_s: float
    lowering: Lowering = field(repr=False, compare=False)

    @property
    def plan(self) -> Plan:
        """The plan that the program is lowered to."""
        return self.lowering.plan(self.program)

    @property
    def beyond_limit(self) -> bool:
        """True if the program is longer than the search's limit."""
        return len(self.program) > self.lowering.problem.search.limit

    @property
    def text(self) -> str:
        """The program as text."""
        return program_text(self.lowering.hierarchy, self.program)

    def __repr__(self) -> str:
        return one_line(self, f"{self.rank}, {format_seconds(self.seconds)}: {self.text}")


@dataclass(frozen=True, slots=True)
class RankedPlacement:
    """The programs of one placement, cheapest first, and the time of one plain collective for the goal.

    If the cheapest program of any length is not in `placed.programs`, because it is longer than the limit or the search
    was stopped, it comes first. `cheaper` is the result of the search for it. `wire_seconds` is the link lower bound on
    every program.
    """

    placed: PlacedPrograms
    programs: tuple[RankedProgram, ...]
    allreduce_seconds: float
    wire_seconds: float
    cheaper: Cheaper = NOT_LOOKED_FOR

    @property
    def reach(self) -> Reach:
        """The extent of the search for the cheapest program of any length."""
        return self.cheaper.reach

    @property
    def any_length(self) -> bool:
        """True if the first program is the cheapest of any length."""
        return self.reach.any_length

    def __repr__(self) -> str:
        best = f"best {format_seconds(self.programs[0].seconds)}" if self.programs else "none"
        plain = f"AllReduce {format_seconds(self.allreduce_seconds)}"
        return one_line(self, f"{self.placed.matrix}: {counted(len(self.programs), 'program')}, {best}, {plain}")

    def _repr_html_(self) -> str:
        """Return an HTML table of the cheapest programs."""
        rows = [(str(one.rank), format_seconds(one.seconds), one.text) for one in self.programs[:MOST_ROWS]]
        more = max(0, len(self.programs) - MOST_ROWS)
        return html_table(repr(self)[1:-1], ("rank", "time", "program"), rows, more)


_Row = tuple[Program, int, float, float]
"""A program, its rank, its seconds, and those of them that do not depend on the payload."""


@dataclass(frozen=True, slots=True)
class _RankTable:
    """The ranking of the programs `of` on all placements with one price key: its rows, and what else is known of it."""

    of: PlacedPrograms
    rows: tuple[_Row, ...]
    plain_seconds: float
    wire_seconds: float
    cheaper: Cheaper

    def placed(self, placed: PlacedPrograms, lowering: Lowering) -> RankedPlacement:
        """Return the ranking for one of these placements."""
        ranked = tuple(RankedProgram(*row, lowering) for row in self.rows)
        return RankedPlacement(placed, ranked, self.plain_seconds, self.wire_seconds, self.cheaper)


class Ranker:
    """Ranks the programs of placements one after the other; results that placements share are cached.

    Placements of a problem with equal `price_key` share their ranking; those of the last problem are kept.
    """

    def __init__(self, cost: Cost, any_length: bool = True) -> None:
        """Create a ranker; with `any_length`, it also searches for cheaper programs beyond the limit."""
        self._cost = cost
        self._any_length = any_length
        self._tables = _TABLES
        self._problem: Problem | None = None
        self._known: dict[tuple[PriceKey, int | None], _RankTable] = {}

    def placement(
        self,
        problem: Problem,
        placed: PlacedPrograms,
        top: int | None = None,
        deadline: float | None = None,
        known: Cheaper | None = None,
    ) -> RankedPlacement:
        """Rank all programs of one placement, or the first `top`; of equally fast programs the shorter comes first.

        `deadline`: a time of `time.monotonic`; `GRACE_S` after it, the search for longer programs stops. `known`: the
        result of an earlier search for longer programs, for the same problem and placement.
        """
        lowering = Lowering(problem, placed.matrix, placed.hierarchy)
        if known is not None:
            return self._rank_table(placed, lowering, top, deadline, known).placed(placed, lowering)
        if problem is not self._problem:
            self._problem, self._known = problem, {}
        key = price_key(lowering), top
        ranking = self._known.get(key)
        # Programs are compared by identity: placements with the same ones share them, and there may be thousands.
        if ranking is None or ranking.of.programs is not placed.programs or ranking.of.stop is not placed.stop:
            ranking = self._rank_table(placed, lowering, top, deadline)
            if ranking.cheaper.reach is not Reach.LATE:
                self._known[key] = ranking
        return ranking.placed(placed, lowering)

    def _rank_table(
        self,
        placed: PlacedPrograms,
        lowering: Lowering,
        top: int | None,
        deadline: float | None,
        known: Cheaper | None = None,
    ) -> _RankTable:
        found = _ordered(self._tables.of(placed.programs, lowering), lowering, self._cost)
        cheaper = known or NOT_LOOKED_FOR
        if self._any_length and known is None:
            than, found_all = found.least_seconds, placed.stop is Stop.EXHAUSTED
            cheaper = cheaper_program(lowering, self._cost, than, found_all, deadline)
        first: tuple[_Row, ...] = ()
        if cheaper.program is not None:
            first = _ordered(ProgramTable((cheaper.program,), lowering), lowering, self._cost).rows(None)
        rows = (*first, *found.rows(top, behind=len(first)))[:top]
        plain_seconds, wire = self._cost.plan_seconds(lowering.direct), placement_wire(lowering)
        return _RankTable(placed, rows, plain_seconds, wire.seconds, cheaper)


def rank(
    synthesis: Synthesis, cost: Cost, top: int | None = None, any_length: bool = True, deadline: float | None = None
) -> tuple[RankedPlacement, ...]:
    """Rank the programs of every placement, or the first `top` of each, in the order of the placements."""
    require(synthesis, Synthesis, "synthesis", "synthesize makes one")
    require(cost, Cost, "cost", "cost_of makes one")
    ranker = Ranker(cost, any_length)
    return tuple(ranker.placement(synthesis.problem, placed, top, deadline) for placed in synthesis.placements)


def searched_in_time(ranked: Sequence[RankedPlacement]) -> bool:
    """True if no deadline ended the search for longer programs."""
    return all(placement.reach is not Reach.LATE for placement in ranked)


@dataclass(frozen=True, slots=True)
class _PriceTable:
    """The programs of a table with their prices: `order` has their indices, cheapest first, `numbers` their ranks."""

    programs: tuple[Program, ...]
    seconds: NDArray[np.float64]
    latencies: NDArray[np.float64]
    order: list[int]
    numbers: list[int]

    @property
    def least_seconds(self) -> float | None:
        """The time of the cheapest program; None if there is no program."""
        return float(self.seconds[self.order[0]]) if self.order else None

    def rows(self, top: int | None, behind: int = 0) -> tuple[_Row, ...]:
        """Return all programs, or the first `top`, in order; `behind` is added to every rank."""
        seconds, latencies = self.seconds.tolist(), self.latencies.tolist()
        return tuple(
            (self.programs[place], behind + number, seconds[place], latencies[place])
            for place, number in zip(self.order[:top], self.numbers[:top], strict=True)
        )


def _ordered(table: ProgramTable, lowering: Lowering, cost: Cost) -> _PriceTable:
    seconds, latencies = table.price(cost, lowering, (_SECONDS, _LATENCY))
    return _PriceTable(table.programs, seconds, latencies, *competition_ranks(seconds))


def best_placement(ranked: Sequence[RankedPlacement]) -> RankedPlacement | None:
    """Return the placement with the cheapest program; the first one of several; None if there is no program."""
    found = [placement for placement in ranked if placement.programs]
    return min(found, key=lambda placement: placement.programs[0].seconds, default=None)


def competition_ranks(seconds: Sequence[float] | NDArray[np.float64]) -> tuple[list[int], list[int]]:
    """Return the indices in ascending order, and the rank of each: 1, 2, 2, 4 if the second and third are equal.

    Times are compared to ten digits, because sums of the same steps in another order differ in the last bits.

    >>> competition_ranks([3.0, 1.0, 3.0])
    ([1, 0, 2], [1, 2, 2])
    """
    rounded = each_to_ten_digits(np.asarray(seconds, dtype=np.float64))
    order = np.argsort(rounded, kind="stable")
    # The position of the first equal value plus 1 is the competition rank.
    return order.tolist(), (1 + np.searchsorted(rounded[order], rounded[order])).tolist()
