"""Busy times of every resource for every charge of a graph of states.

A resource is a link, the device memory, the thread that launches calls, the cores that devices share, or the
communicator of a grouping. In a slot of a plan in chunks, all active steps together take as long as their busiest
resource (`network/pipelining.py`), not counting local permutations.

Row (charge), column (resource): the seconds that the step keeps the resource busy. The column of a link is
    overlap * t[link] + (1 - overlap) * (sum of t over links),
which makes the formula of `network/load.py` a maximum of linear prices, one for each link.
Complexity: one price for each charge and chunk count.
Reference: Hockney, "The communication challenge for MPP", 1994, for the price of one resource.
"""

from collections import defaultdict
from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

from p2smt.cost.any_length import parts_by_lacking
from p2smt.cost.network.cost import Cost, StepCost, Work
from p2smt.cost.network.pattern import Pattern, pattern_of
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import GroupRule
from p2smt.reduction.semantics.state_graph import Charge, StateGraph

Uses = NDArray[np.float64]
"""Seconds for which charges (rows) keep resources (columns) busy."""


MEMORY = "memory"
CALLS = "calls in turn"
CORES = "shared cores"


class ResourceUse:
    """Tables of resource use on one placement."""

    def __init__(self, lowering: Lowering, graph: StateGraph, cost: Cost) -> None:
        self._payload = lowering.problem.payload.bytes
        self._parts = parts_by_lacking(lowering)
        self._graph = graph
        self._cost = cost
        self._lowering = lowering
        self._pattern = cache(self._pattern_of)
        self._links = [link.name for link in cost.system.network.links]
        self._groupings = list(dict.fromkeys(charge.step[0] for charge in graph.charges))

    @property
    def resources(self) -> tuple[str | GroupRule, ...]:
        """The resources, as columns of the tables."""
        return (*self._links, MEMORY, CALLS, CORES, *map(self._lowering.groups, self._groupings))

    def of_chunk(self, held: int) -> Uses:
        """Return the busy times for a chunk of `held` bytes."""
        return np.array([self._row(charge, held, 1, 1) for charge in self._graph.charges])

    def of_band(self, fewest: int, most: int) -> Uses:
        """Return lower bounds on the busy times of all chunks together, for any chunk count from `fewest` to `most`.

        Fixed costs are counted for the fewest chunks. Costs per byte are the minimum of two algorithms: the one for the
        longest call and the one for the shortest, because NCCL's choice changes at most once in between.
        """
        charges = self._graph.charges
        # The whole payload and the smallest chunk: between them the algorithm of a call changes once at most.
        each = [[self._row(one, self._payload / chunks, chunks, fewest) for one in charges] for chunks in (1, most)]
        least: Uses = np.minimum(*map(np.array, each))
        return least

    def _row(self, charge: Charge, held: float, chunks: int, paid: int) -> list[float]:
        """Price a charge for chunks of `held` bytes: costs per byte count `chunks` times, fixed costs `paid` times."""
        grouping, collective = charge.step
        part = held / min(self._parts[levels] for levels in charge.scattered)
        one = self._cost.work_cost(Work(collective, self._pattern(grouping), part))
        calls = [0.0] * len(self._groupings)
        calls[self._groupings.index(grouping)] = chunks * one.bytes_s + paid * one.fixed_s
        begun = paid * self._cost.in_turn(one), paid * one.processors_s
        return [*self._busy(one, chunks), chunks * one.memory_s, *begun, *calls]

    def _busy(self, one: StepCost, chunks: int) -> Iterator[float]:
        """Yield, for each link, the total link time if that link is the busiest and hides the others in part."""
        loads: defaultdict[str, float] = defaultdict(float)
        for load in one.loads:
            loads[load.link.name] += chunks * load.seconds
        shown, every = 1 - self._cost.system.network.overlap, sum(loads.values())
        for link in self._links:
            # max + (1 - overlap)(sum - max) is the largest, over links, of this sum: a linear price for each.
            yield loads[link] * (1 - shown) + shown * every

    def _pattern_of(self, grouping: Grouping) -> Pattern:
        return pattern_of(self._lowering.direct, self._lowering.groups(grouping))
