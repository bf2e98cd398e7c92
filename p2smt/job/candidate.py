"""The ways to do one reduction of a job on one placement, and what each of them takes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from p2smt.collective import Collective
from p2smt.cost.network.all_to_all import all_to_all_cost
from p2smt.cost.network.backend import Cost
from p2smt.cost.network.cost import LocalWork, StepCost
from p2smt.cost.network.pattern import pattern_of
from p2smt.cost.program_table import Measure, Part, ProgramTable
from p2smt.cost.ranking import competition_ranks, ten_digits
from p2smt.problem.system.network import Link, Network
from p2smt.reduction.language.hierarchy import exchange_text, program_text
from p2smt.reduction.language.instruction import Grouping, Program
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep, GroupRule
from p2smt.reduction.plan.schedule import Together
from p2smt.reduction.synth.exchanges import Exchange
from p2smt.smt.answer import Stop

Communicators = frozenset[tuple[int, ...]]
"""Which communicators the first device is in: of each the places of the digits in which its members differ.

No device is in more: the first one is in a group of every grouping, Master forms too.
"""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One program for one reduction.

    `seconds`: once, alone on the network. `busy`: of these, how long each link of the system is busy at its busiest
    place, and at last the device's memory. `program`: None for what is no all-reduce.
    """

    text: str
    seconds: float
    busy: tuple[float, ...]
    communicators: Communicators
    program: Program | None = None


@dataclass(frozen=True)
class Candidates:
    """The candidates of one reduction on one placement, cheapest first, of equal ones the shorter first.

    `seconds[i]` and `busy[i]` are those of candidate `i`, which `made(i)` makes; only
    with `stop` EXHAUSTED are these all, `reason` is the solver's where it gave up.
    """

    seconds: NDArray[np.float64]
    busy: NDArray[np.float64]
    made: Callable[[int], Candidate]
    stop: Stop = Stop.EXHAUSTED
    reason: str = ""

    def __len__(self) -> int:
        return len(self.seconds)

    def undominated(self) -> list[Candidate]:
        """The candidates of which no other one is smaller in seconds and on every link; of equal ones the first."""
        rows = np.column_stack([self.seconds, self.busy])
        kept: list[int] = []
        for place in np.lexsort(rows.T[::-1]):
            if not (rows[kept] <= rows[place]).all(axis=1).any():
                kept.append(int(place))
        return [self.made(place) for place in kept]


def program_candidates(table: ProgramTable, lowering: Lowering, cost: Cost, stop: Stop, reason: str) -> Candidates:
    """The programs of an all-reduce, or the parts of them that a reduce-scatter or an all-gather is."""
    seconds, *busy = map(ten_digits, table.price(cost, lowering, [_seconds, *_busy_measures(cost.system.network)]))
    order, _ = competition_ranks(seconds)
    columns = np.array(busy).T

    def made(number: int) -> Candidate:
        place = order[number]
        steps = [step for step in table.steps(lowering, place) if isinstance(step, CollectiveStep)]
        groups = frozenset(step.groups.varying for step in steps)
        program = table.part.of(table.programs[place])
        text = program_text(lowering.hierarchy, program)
        whole = program if table.part is Part.WHOLE else None
        return Candidate(text, float(seconds[place]), tuple(columns[place].tolist()), groups, whole)

    return Candidates(seconds[order], columns[order], made, stop, reason)


def exchange_candidates(found: Sequence[Exchange], lowering: Lowering, cost: Cost) -> Candidates:
    """The programs of an all-to-all; between two of its steps every device puts its blocks in order once."""
    measures = [_seconds, *_busy_measures(cost.system.network)]
    costs = [_exchange_costs(exchange, lowering, cost) for exchange in found]
    rows = ten_digits(np.array([[sum(map(measure, steps)) for measure in measures] for steps in costs]))
    order, _ = competition_ranks(rows[:, 0])

    def made(number: int) -> Candidate:
        exchange, row = found[order[number]], rows[order[number]]
        groups = frozenset(_groups(lowering, grouping).varying for grouping in exchange)
        text = exchange_text(lowering.hierarchy, exchange, "AllToAll")
        return Candidate(text, float(row[0]), tuple(row[1:].tolist()), groups)

    return Candidates(rows[order, 0], rows[order, 1:], made)


def _exchange_costs(exchange: Exchange, lowering: Lowering, cost: Cost) -> list[StepCost]:
    """The cost of every step of an exchange."""
    plain = lowering.allreduce()
    held = plain.payload.bytes
    patterns = [pattern_of(plain, _groups(lowering, grouping)) for grouping in exchange]
    sent = [all_to_all_cost(pattern, held, cost.system) for pattern in patterns]
    return [*sent, *[cost.work_cost(LocalWork(held))] * (len(exchange) - 1)]


def _groups(lowering: Lowering, grouping: Grouping) -> GroupRule:
    """The groups of devices that a grouping stands for."""
    step = lowering.step(Together(grouping, Collective.ALL_REDUCE, ((0, 0),)), ())
    assert isinstance(step, CollectiveStep)
    return step.groups


def _seconds(step: StepCost) -> float:
    return step.seconds


def _busy_measures(network: Network) -> list[Measure]:
    return [*(partial(_busy, link) for link in network.links), _memory]


def _busy(link: Link, step: StepCost) -> float:
    return sum(load.bandwidth_bytes / link.bandwidth for load in step.loads if load.link == link)


def _memory(step: StepCost) -> float:
    return step.memory_s
