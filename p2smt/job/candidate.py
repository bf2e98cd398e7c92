"""Candidate programs for one reduction of a job on one placement, with their costs.

Candidate i has the vector (own seconds, busy seconds of every link and of memory). All of them come from one table
(`ProgramTable`) as columns, so thousands of programs are ranked without building a plan; plans are made for those that
are shown. Reductions that overlap need the Pareto front of these vectors,
    front = { i : no j other than i with vector[j] <= vector[i] in every component },  of equal ones the first.
Method: sorted lexicographically, nothing dominates what stands before it; so the first is kept, all that it dominates
go, and so on (Kung, Luccio and Preparata, "On finding the maxima of a set of vectors", 1975, sort alike). Times are
compared to ten digits, because sums in another order differ in the last bits.
Complexity: O(n log n) comparisons, and O(n x front) of vectors.

Example: vectors (1, 5), (2, 3), (2, 4), (3, 3). (1, 5) is kept and dominates none; (2, 3) is kept and removes the rest.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

import numpy as np
from numpy.typing import NDArray

from p2smt.collective import NeighbourSend
from p2smt.cost.any_length import Reach, cheaper_program
from p2smt.cost.network.all_to_all import all_to_all_cost
from p2smt.cost.network.cost import Cost, LocalWork, StepCost
from p2smt.cost.network.neighbour_send import neighbour_send_cost
from p2smt.cost.network.pattern import pattern_of
from p2smt.cost.program_table import PricedPrograms, ProgramTable
from p2smt.cost.ranking import competition_ranks
from p2smt.cost.ten_digits import each_to_ten_digits
from p2smt.job.busy import busy_seconds
from p2smt.problem.system.network import Network
from p2smt.reduction.language.hierarchy import all_to_all_text, program_text, send_text
from p2smt.reduction.language.instruction import Program
from p2smt.reduction.plan.exchange import ExchangeStep, all_to_all_steps
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep, PermuteStep
from p2smt.reduction.synth.all_to_all import AllToAllProgram
from p2smt.smt.answer import Enumeration, Stop

Communicators = frozenset[tuple[int, ...]]
"""The communicators of the first device, each given by the digits in which its members differ.

No device is in more of them: the first device belongs to a group of every grouping, including the Master form.
"""


@dataclass(frozen=True, slots=True)
class ReductionCandidate:
    """A program for one reduction.

    `seconds` is the time of one execution without other traffic. `busy` is the time for which each link of the
    system is busy at its busiest instance, followed by the time of the device memory.
    """

    program: Program | AllToAllProgram | NeighbourSend
    text: str
    seconds: float
    busy: tuple[float, ...]
    communicators: Communicators


@dataclass(frozen=True)
class PricedRows:
    """The seconds of all candidates, cheapest first, and their busy times (one row for each), which are lazy."""

    seconds: NDArray[np.float64]
    busy: Callable[[], NDArray[np.float64]]

    @cached_property
    def front(self) -> list[int]:
        """The indices of the Pareto front in seconds and busy times, keeping the first of equal candidates."""
        rows = np.column_stack([self.seconds, self.busy()])
        # lexsort takes the last key as the first one, hence reversed.
        left, kept = np.lexsort(rows.T[::-1]), list[int]()
        while len(left):  # the first of what is left is not dominated, for nothing behind it can do that
            kept.append(int(left[0]))
            left = left[~(rows[left[0]] <= rows[left]).all(axis=1)]
        return kept


@dataclass(frozen=True, slots=True)
class Candidates:
    """The candidate programs of one reduction on one placement, cheapest first; on a tie the shorter first.

    Row `i` of `rows` belongs to candidate `i`, which `made(i)` constructs. The list is complete only if `stop` is
    EXHAUSTED; `reason` is the solver's if it gave up. `cheaper` is the cheapest program of any length, if it beats all
    listed ones; `reach` tells how far longer programs were searched.
    """

    rows: PricedRows
    made: Callable[[int], ReductionCandidate]
    stop: Stop = Stop.EXHAUSTED
    reason: str = ""
    cheaper: ReductionCandidate | None = None
    reach: Reach = Reach.ALL

    def __len__(self) -> int:
        return len(self.rows.seconds)

    def cheapest(self) -> list[ReductionCandidate]:
        """Return a list with the cheapest candidate of any length; empty if there are no candidates."""
        if self.cheaper is not None:
            return [self.cheaper]
        return [self.made(0)] if len(self) else []

    def least(self) -> tuple[float, NDArray[np.float64]]:
        """Return lower bounds over all candidates: of the seconds, and of each link's and the memory's busy time."""
        busy = self.rows.busy()
        if self.cheaper is None:
            # Minima per column: no single candidate need reach all of them, so this is a lower
            # bound.
            return float(self.rows.seconds[0]), busy.min(axis=0)
        return self.cheaper.seconds, np.vstack([busy, self.cheaper.busy]).min(axis=0)

    def undominated(self) -> list[ReductionCandidate]:
        """Return the Pareto front in seconds and busy times, keeping the first of equal candidates."""
        kept = self.rows.front
        if self.cheaper is None:
            return [self.made(place) for place in kept]
        own, busy = np.array([self.cheaper.seconds, *self.cheaper.busy]), self.rows.busy()
        rows = {place: np.array([self.rows.seconds[place], *busy[place]]) for place in kept}
        return [self.cheaper, *(self.made(place) for place in kept if not (own <= rows[place]).all())]

    def on(self, lowering: Lowering) -> "Candidates":
        """Return the candidates on a placement with the same `price_key`: texts and communicators are its own."""
        cheaper = None if self.cheaper is None else _on(self.cheaper, lowering)
        return replace(self, made=lambda number: _on(self.made(number), lowering), cheaper=cheaper)


def _on(candidate: ReductionCandidate, lowering: Lowering) -> ReductionCandidate:
    program = candidate.program
    assert isinstance(program, tuple), "exchanges are priced for each placement"
    # Digits of the device number differ between placements that cost the same, and so do names of levels.
    groups = frozenset(lowering.groups(lowering.language.grouping(one)).varying for one in program)
    return replace(candidate, text=program_text(lowering.hierarchy, program), communicators=groups)


def program_candidates(
    table: ProgramTable, lowering: Lowering, cost: Cost, found: Enumeration[Program], deadline: float | None = None
) -> Candidates:
    """Price the programs found on one placement, and find the cheapest program of any length.

    If the deadline passes before the latter is known, `stop` is DEADLINE.
    """
    stop, reason = found.stop, found.reason
    listed = _priced(table, lowering, cost, stop, reason)
    than = float(listed.rows.seconds[0]) if len(listed) else None
    longer = cheaper_program(lowering, cost, than, found.complete, deadline)
    # All programs up to the limit were found, but not the cheapest longer one: the search counts as
    # late.
    if longer.reach is Reach.LATE and found.complete:
        return replace(listed, stop=Stop.DEADLINE, reach=Reach.LATE)
    if longer.program is None:
        return replace(listed, reach=longer.reach)
    (cheaper,) = priced_candidates((longer.program,), lowering, cost)
    return replace(listed, cheaper=cheaper, reach=longer.reach)


def priced_candidates(programs: Sequence[Program], lowering: Lowering, cost: Cost) -> list[ReductionCandidate]:
    """Return the given programs, priced on one placement, cheapest first."""
    if not programs:
        return []
    listed = _priced(ProgramTable(tuple(programs), lowering), lowering, cost)
    return [listed.made(number) for number in range(len(listed))]


def _priced(
    table: ProgramTable, lowering: Lowering, cost: Cost, stop: Stop = Stop.EXHAUSTED, reason: str = ""
) -> Candidates:
    prices, network = table.prices(cost, lowering), cost.system.network
    seconds = each_to_ten_digits(prices.of_all(_seconds))
    order, _ = competition_ranks(seconds)

    @cache
    def busy() -> NDArray[np.float64]:  # asked for where reductions overlap alone
        return _busy(prices, network)[order]

    @cache
    def made(number: int) -> ReductionCandidate:
        place = order[number]
        steps = [step for step in table.steps(lowering, place) if isinstance(step, CollectiveStep)]
        groups = frozenset(step.groups.varying for step in steps)
        program = table.programs[place]
        text = program_text(lowering.hierarchy, program)
        # The same bits either way: of all programs at once if those are known, because reductions overlap.
        own = busy()[number] if busy.cache_info().currsize else _busy(prices.one(place), network)[0]
        return ReductionCandidate(program, text, float(seconds[place]), tuple(own.tolist()), groups)

    return Candidates(PricedRows(seconds[order], busy), made, stop, reason)


def all_to_all_candidates(programs: Sequence[AllToAllProgram], lowering: Lowering, cost: Cost) -> Candidates:
    """Return all-to-all programs, priced including the block permutations in their plans."""
    costs = [_all_to_all_costs(program, lowering, cost) for program in programs]
    rows = each_to_ten_digits(np.array([_sums(steps, cost.system.network) for steps in costs]))
    order, _ = competition_ranks(rows[:, 0])

    def made(number: int) -> ReductionCandidate:
        program, row = programs[order[number]], rows[order[number]]
        groups = frozenset(lowering.groups(grouping).varying for grouping in program.groupings)
        text = all_to_all_text(lowering.hierarchy, program.groupings)
        return ReductionCandidate(program, text, float(row[0]), tuple(row[1:].tolist()), groups)

    return Candidates(PricedRows(rows[order, 0], lambda: rows[order, 1:]), made)


def send_candidates(send: NeighbourSend, lowering: Lowering, cost: Cost) -> Candidates:
    """Return the only candidate for a send."""
    rule = lowering.all_groups
    step = neighbour_send_cost(send, pattern_of(lowering.direct, rule), lowering.problem.payload.bytes, cost.system)
    row = each_to_ten_digits(_sums([step], cost.system.network))
    text, groups = send_text(lowering.hierarchy, send), frozenset({rule.varying} if rule.varying else ())

    def made(_: int) -> ReductionCandidate:
        return ReductionCandidate(send, text, float(row[0]), tuple(row[1:].tolist()), groups)

    return Candidates(PricedRows(row[:1], lambda: row[None, 1:]), made)


def _all_to_all_costs(program: AllToAllProgram, lowering: Lowering, cost: Cost) -> list[StepCost]:
    """Return the cost of every step of an all-to-all's plan."""
    held, direct = lowering.problem.payload.bytes, lowering.direct
    costs = []
    for step in all_to_all_steps(direct.sizes, [lowering.groups(grouping) for grouping in program.groupings]):
        match step:
            case ExchangeStep(_, rule):
                costs.append(all_to_all_cost(pattern_of(direct, rule), held, cost.system))
            case PermuteStep():
                costs.append(cost.work_cost(LocalWork(held)))
    return costs


def _seconds(step: StepCost) -> float:
    return step.seconds


def _busy(prices: PricedPrograms, network: Network) -> NDArray[np.float64]:
    """Return the busy times of every program, shape (programs, links + 1), rounded to ten digits."""
    columns = busy_seconds(prices.costs, network).T
    return each_to_ten_digits(np.array([prices.sums(column) for column in columns])).T


def _sums(costs: Sequence[StepCost], network: Network) -> NDArray[np.float64]:
    """Return the total seconds of steps, followed by the busy times of every link and of the memory."""
    seconds = np.array([cost.seconds for cost in costs])
    sums: NDArray[np.float64] = np.column_stack([seconds, busy_seconds(costs, network)]).sum(axis=0)
    return sums
