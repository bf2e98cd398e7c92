"""Lower bounds on every program in chunks, of any length: distances under weighted prices, by cutting planes.

Problem: in chunks, every resource (a link, memory, the launching thread, one communicator) is busy for as long as
all steps use it. The whole takes at least as long as the busiest resource, so at least any weighted mean of them:
    seconds >= d(w) = min over programs p of  sum over steps v of p of  w . use[v],   w >= 0, the weights add up to 1.
For fixed weights d(w) is a distance in the graph of states, so one shortest path covers programs of any length.

Method: d is concave, and is maximised by Kelley's cutting planes ("The cutting-plane method for solving convex
programs", 1960). A small linear program gives the best weights for the programs seen so far, and an upper bound on max
d; the shortest path under these weights is the next program. The method ends when the two bounds meet, or after
`MOST_TURNS` rounds: every d(w) is a valid bound. Permutations, and the idle resources while the pipeline fills and
empties, are ignored; the result is still a bound.

Complexity: one pass over the edges and one linear program per round.

Chunk counts are grouped in bands from one power of two to the next; in a band, fixed costs per chunk count for the
fewest chunks.

Example: two resources and two programs that keep them busy for (6, 2) and (2, 8) seconds. Weights (1, 0) give the bound
min(6, 2) = 2, weights (0.6, 0.4) give min(4.4, 4.4) = 4.4, the best one; the programs take 6 and 8 seconds.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from p2smt.cost.any_length import graph_of
from p2smt.cost.network.cost import Cost
from p2smt.cost.resource_use import ResourceUse, Uses
from p2smt.reduction.language.instruction import Program
from p2smt.reduction.language.language import Step
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.semantics.state_graph import StateGraph
from p2smt.smt.deadlines import EVER, Until

MOST_TURNS = 60
"""The most rounds of improving the weights; stopping early still gives a valid bound."""

_CLOSE = 1e-6
_UNITS = 2**48
_ROUNDED = 1 - 1e-9


@dataclass(frozen=True, slots=True)
class Band:
    """A range of chunk counts, from `fewest` to `most`."""

    fewest: int
    most: int


@dataclass(frozen=True, eq=False, slots=True)
class BandBound:
    """A lower bound for the chunk counts of a band, and the whole-number prices of charges that prove it.

    `prices` are in units of `unit_s` seconds; the distance from the start under them is `units`.
    """

    band: Band
    prices: NDArray[np.int64]
    units: int
    unit_s: float

    @property
    def seconds(self) -> float:
        """The bound in seconds, less a slack for rounding errors."""
        return self.units * self.unit_s * _ROUNDED


@dataclass(frozen=True, slots=True)
class ChunksBound:
    """The bounds of all bands of one placement, and the programs found on the way, which are fast in chunks."""

    bands: tuple[BandBound, ...]
    programs: tuple[Program, ...]

    @property
    def seconds(self) -> float:
        """A lower bound on every program of any length in any of these chunk counts."""
        return min(band.seconds for band in self.bands)


def bands(most: int) -> tuple[Band, ...]:
    """Return the bands from 2 chunks to `most`.

    >>> bands(9)
    (Band(fewest=2, most=3), Band(fewest=4, most=7), Band(fewest=8, most=9))
    """
    powers = (1 << exponent for exponent in range(1, most.bit_length()))
    return tuple(Band(fewest, min(2 * fewest - 1, most)) for fewest in powers)


def chunks_bound(lowering: Lowering, cost: Cost, most: int, until: Until = EVER) -> ChunksBound | None:
    """Return the bound on all programs of a placement in 2 to `most` chunks.

    None for too many levels, or without a reduction. Raises TimeUpError.
    """
    graph = graph_of(lowering, found_all=False, until=until)
    if not isinstance(graph, StateGraph) or most < 2:
        return None
    table = ResourceUse(lowering, graph, cost)
    found, programs = [], dict[tuple[Step, ...], None]()
    for band in bands(most):
        bound, steps = _bound(graph, table.of_band(band.fewest, band.most), band, until)
        found.append(bound)
        programs.update(dict.fromkeys(steps))
    return ChunksBound(tuple(found), tuple(map(graph.language.program, programs)))


def _bound(graph: StateGraph, uses: Uses, band: Band, until: Until) -> tuple[BandBound, list[tuple[Step, ...]]]:
    """Return the largest bound found for a band, and the cheapest program of each round."""
    weights = np.full(uses.shape[1], 1 / uses.shape[1])
    best: BandBound | None = None
    columns: list[NDArray[np.float64]] = []
    programs: list[tuple[Step, ...]] = []
    for _ in range(MOST_TURNS):
        until.check()
        # A shortest path under blended prices bounds all programs; its own uses become the next
        # column.
        bound, charges = _shortest(graph, uses @ weights, band)
        if best is None or bound.seconds > best.seconds:
            best = bound
        columns.append(uses[charges].sum(axis=0))
        programs.append(tuple(graph.charges[charge].step for charge in charges))
        weights, reachable = best_weights(columns)
        if best.seconds >= reachable * (1 - _CLOSE):
            break
    assert best is not None
    return best, programs


def _shortest(graph: StateGraph, prices_s: NDArray[np.float64], band: Band) -> tuple[BandBound, list[int]]:
    """Return the distance under some prices, and the charges on a path of that length."""
    largest = float(prices_s.max(initial=0.0))
    # The dearest step is 2^48 units: prices rounded down to them are still exact to 14 digits, and sums stay below
    # 2^63.
    unit = largest / _UNITS if largest else 1.0
    prices = np.floor(prices_s / unit).astype(np.int64)
    left = graph.distances(prices)
    state, charges = 0, []
    while not graph.goals[state]:
        charge, state = next(
            (charge, target) for charge, target in graph.edges(state) if prices[charge] + left[target] == left[state]
        )
        charges.append(charge)
    return BandBound(band, prices, int(left[0]), unit), charges


def best_weights(columns: Sequence[NDArray[np.float64]]) -> tuple[NDArray[np.float64], float]:
    """Return the weights that maximise the least weighted mean of these programs, and that mean."""
    from scipy.optimize import linprog

    table = np.array(columns)
    # Linear programming codes have absolute tolerances; entries near 1 keep seconds far below them from being lost.
    scale = float(table.max()) or 1.0
    programs, resources = table.shape
    answer = linprog(
        np.append(np.zeros(resources), -1.0),
        A_ub=np.hstack([-table / scale, np.ones((programs, 1))]),
        b_ub=np.zeros(programs),
        A_eq=np.append(np.ones(resources), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * resources + [(None, None)],
    )
    assert answer.x is not None, answer.message
    # Solutions may be negative in the last digits; a bound needs weights that are none, and add up to exactly 1.
    weights = np.clip(answer.x[:-1], 0.0, None)
    return weights / weights.sum(), float(answer.x[-1] * scale)
