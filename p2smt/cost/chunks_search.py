"""The program of any length that takes least in chunks: depth-first branch and bound over live states.

With a payload in k chunks, steps of different chunks overlap. A program takes the sum over slots of the busiest
resource in each (`network/pipelining.py`), which is not a sum over steps, so shortest paths do not apply. A prefix that
ends in state s has the
    lower bound = time of the slots that no later step changes + potential[s]   (`chunk_potentials.py`);
it is dropped if this is not below the best complete program. Local permutations only add time, so the bound holds. A
complete program is lowered and priced like any plan, if necessary with its buffers permuted in every allowed way.
Exponential in the length in the worst case, a few hundred prefixes in practice (Land and Doig, 1960).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray

from p2smt.cost.chunk_potentials import Floats, Potentials, potentials
from p2smt.cost.chunks_check import ChunksClaim, CutClaim
from p2smt.cost.network.cost import Cost
from p2smt.cost.network.pipelining import MOST_CHUNKS, Pipelines, joining_seconds
from p2smt.cost.resource_use import ResourceUse, Uses
from p2smt.problem.dtype import DTYPE_BYTES
from p2smt.reduction.language.instruction import Program
from p2smt.reduction.plan.chunking import payload_chunks
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import Plan
from p2smt.reduction.semantics.level_algebra import level_mask
from p2smt.reduction.semantics.state_graph import StateGraph
from p2smt.smt.deadlines import EVER, Until, is_over

MOST_BEGINNINGS = 2_000_000
"""The most prefixes of programs explored on one placement; no placement of three levels has as many."""

SLACK = 1e-9
"""Relative slack: smaller gains are ignored, because sums in another order differ by as much."""

_AT_ONCE = 512

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ChunkCut:
    """A payload split into `chunks` chunks of `elements` elements each; the last one may be shorter.

    `asked` pairs each set of levels (bit mask) with the chunk count to request for programs that split these levels.
    """

    chunks: int
    elements: int
    asked: tuple[tuple[int, int], ...]


def cuttings(lowering: Lowering) -> tuple[ChunkCut, ...]:
    """Return the splits into 2, 4, 8 ... 256 chunks in which every chunk has an element for each device's part."""
    goal, payload = lowering.problem.goal, lowering.problem.payload
    every = (1 << len(lowering.hierarchy.reduction_levels)) - 1
    found: dict[tuple[int, int], dict[int, int]] = {}
    asked = 2
    while asked <= MOST_CHUNKS:
        for levels in (every,) if goal.gathers else range(every + 1):
            multiple = lowering.parts(levels)
            if asked <= payload.elements // multiple:
                lengths = payload_chunks(replace(lowering.direct, multiple=multiple, chunks=asked))
                found.setdefault((len(lengths), lengths[0]), {}).setdefault(levels, asked)
        asked *= 2
    return tuple(ChunkCut(*cut, tuple(levels.items())) for cut, levels in found.items())


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class _Beginnings:
    """Prefixes of programs with the same number of stages, one per row.

    `charges`: the stages. `spent`: the time of the slots up to the one in which the last stage starts. `to_do`: the
    busy time of each resource in later slots. `cut`: the levels split so far (bit mask). `least`: a lower bound.
    """

    states: Ints
    charges: Ints
    spent: Floats
    to_do: Floats
    cut: Ints
    least: Floats

    def rows(self, chosen: slice | Ints) -> "_Beginnings":
        """Return a selection of the rows."""
        return _Beginnings(
            states=self.states[chosen],
            charges=self.charges[chosen],
            spent=self.spent[chosen],
            to_do=self.to_do[chosen],
            cut=self.cut[chosen],
            least=self.least[chosen],
        )


@dataclass(frozen=True, eq=False)
class CuttingSearch:
    """The search among programs that split the payload in one way."""

    graph: StateGraph
    cutting: ChunkCut
    uses: Uses
    known: Potentials
    joining_s: float

    @property
    def least_s(self) -> float:
        """A lower bound on every program that splits the payload in this way."""
        return self.known.least + self.joining_s

    @cached_property
    def _cut_by(self) -> Ints:
        """The levels (bit mask) that each charge splits."""
        steps = (charge.step for charge in self.graph.charges)
        return np.array([level_mask(grouping.levels) if kind.scatters else 0 for grouping, kind in steps])

    @cached_property
    def _allowed(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Masks of the sets of levels that programs may have split at their end, and before."""
        levels = 1 << self.graph.language.levels
        ends = np.zeros(levels, dtype=bool)
        ends[[cut for cut, _ in self.cutting.asked]] = True
        on_way = np.array([any(ends[more] for more in range(levels) if not cut & ~more) for cut in range(levels)])
        return ends, on_way

    def cut_by_all(self, charges: Sequence[int]) -> int:
        """Return the levels (bit mask) that a complete program splits."""
        return int(np.bitwise_or.reduce([int(self.start.cut[0]), *self._cut_by[list(charges)].tolist()]))

    @property
    def start(self) -> _Beginnings:
        """The empty prefix; if the goal gathers, all levels are split from the start."""
        none, every = np.zeros(1, dtype=np.int64), (1 << self.graph.language.levels) - 1
        cut = none + (every if self.graph.language.goal.gathers else 0)
        to_do = np.zeros((1, self.uses.shape[1]))
        return _Beginnings(
            states=none,
            charges=none[:, None][:, :0],
            spent=np.zeros(1),
            to_do=to_do,
            cut=cut,
            least=np.array([self.known.least]),
        )

    def longer(self, some: _Beginnings) -> _Beginnings:
        """Return all prefixes that extend the given ones by one stage."""
        first, last = np.searchsorted(self.graph.source, [some.states, some.states + 1])
        row = np.repeat(np.arange(len(first)), last - first)
        # For every beginning, every edge of its state: offsets into runs of unequal length.
        edges = np.arange(len(row)) - np.repeat(np.cumsum(last - first) - (last - first), last - first) + first[row]
        charge, states = self.graph.charge[edges], self.graph.target[edges]
        charges = np.concatenate([some.charges[row], charge[:, None]], axis=1)
        at_work = self.uses[charges[:, -self.cutting.chunks :]].sum(axis=1)
        to_do = some.to_do[row] + self.cutting.chunks * self.uses[charge] - at_work
        spent = some.spent[row] + at_work.max(axis=1)
        cut = some.cut[row] | self._cut_by[charge]
        left = [to_do @ ((1 - one.part) * one.weights) + one.left[states] for one in self.known.every]
        least = spent + np.maximum.reduce(left)
        found = _Beginnings(states=states, charges=charges, spent=spent, to_do=to_do, cut=cut, least=least)
        return found.rows(np.flatnonzero(self._allowed[1][cut]))

    def whole(self, some: _Beginnings) -> tuple[Floats, _Beginnings]:
        """Return the complete programs among some prefixes, and their times without permutations."""
        ends = some.rows(np.flatnonzero(self.graph.goals[some.states] & self._allowed[0][some.cut]))
        at_work = np.cumsum(self.uses[ends.charges[:, ::-1]], axis=1).max(axis=2)
        stages, later = at_work.shape[1], self.cutting.chunks - 1
        emptying = at_work[:, : min(later, stages)].sum(axis=1) + max(0, later - stages) * at_work[:, -1]
        return ends.spent + emptying + self.joining_s, ends

    def unfinished(self, some: _Beginnings, below: float) -> _Beginnings:
        """Return the prefixes that may end in less than `below` seconds, the most promising first."""
        faster = some.least + self.joining_s < below * (1 - SLACK)
        rows = np.flatnonzero(~self.graph.goals[some.states] & faster)
        return some.rows(rows[np.argsort(some.least[rows], kind="stable")])


@dataclass(frozen=True, slots=True)
class BestInChunks:
    """A plan faster than the known one (None if there is none), and a lower bound `least_s` for the placement.

    If `seconds` equals `least_s`, `claim` says so, for `claim_fault` to check.
    """

    plan: Plan | None
    seconds: float
    least_s: float
    claim: ChunksClaim


class ChunksSearch:
    """The search on one placement."""

    def __init__(self, lowering: Lowering, graph: StateGraph, cost: Cost, until: Until = EVER) -> None:
        self._lowering = lowering
        self._graph = graph
        self._until = until
        self._pipelines = Pipelines(cost)
        self._plan: Plan | None = None
        self._seconds = inf
        self._open = inf
        self._permuted: list[tuple[float, CuttingSearch, tuple[int, ...]]] = []
        self._looked_at = 0
        joining = joining_seconds(lowering.direct, cost.system.network)
        use, size = ResourceUse(lowering, graph, cost), DTYPE_BYTES[lowering.problem.payload.dtype]
        self._resources = use.resources
        self._searches = []
        for cutting in cuttings(lowering):
            uses = use.of_chunk(cutting.elements * size)
            known = potentials(graph, uses, cutting.chunks, until)
            self._searches.append(CuttingSearch(graph, cutting, uses, known, joining))
        self._searches.sort(key=lambda search: search.least_s)

    def below(self, seconds: float, most: int = MOST_BEGINNINGS) -> BestInChunks:
        """Search for a plan that takes less than `seconds`, exploring at most `most` prefixes."""
        self._seconds = seconds
        # Good programs come with the bounds: an upper bound before the search.
        for search in self._searches:
            for program in search.known.programs:
                self._try(search, program)
        for search in self._searches:
            if search.least_s < self._seconds * (1 - SLACK):
                self._follow(search, most)
        for least_s, search, charges in sorted(self._permuted, key=lambda one: one[0]):
            if least_s < self._seconds * (1 - SLACK) and not self._try_every(search, charges):
                self._open = min(self._open, least_s)
        least = min(self._open, self._seconds)
        return BestInChunks(self._plan, self._seconds, least, self._claim())

    def _claim(self) -> ChunksClaim:
        states = tuple(map(self._graph.state, range(len(self._graph))))
        cuts = [
            CutClaim(
                chunks=search.cutting.chunks,
                elements=search.cutting.elements,
                levels=frozenset(levels for levels, _ in search.cutting.asked),
                resources=self._resources,
                states=states,
                potentials=search.known.every,
            )
            for search in self._searches
        ]
        return ChunksClaim(self._seconds, tuple(cuts))

    def _follow(self, search: CuttingSearch, most: int) -> None:
        waiting = [search.start]
        while waiting:
            some = search.unfinished(waiting.pop(), self._seconds)
            if not len(some.states):
                continue
            # Depth first, but in batches: numpy works on up to `_AT_ONCE` rows at a time, the most promising first.
            if len(some.states) > _AT_ONCE:
                waiting.append(some.rows(slice(_AT_ONCE, None)))
                some = some.rows(slice(_AT_ONCE))
            if self._looked_at >= most or is_over(self._until.deadline):
                least = min(float(each.least.min()) for each in (some, *waiting) if len(each.least))
                self._open = min(self._open, least + search.joining_s)
                return
            longer = search.longer(some)
            self._looked_at += len(longer.states)
            self._price(search, *search.whole(longer))
            waiting.append(longer)

    def _price(self, search: CuttingSearch, seconds: Floats, ends: _Beginnings) -> None:
        """Lower complete programs in ascending order of their bound, until no remaining one can be faster."""
        for row in np.argsort(seconds, kind="stable").tolist():
            if seconds[row] >= self._seconds * (1 - SLACK):
                return
            charges = tuple(ends.charges[row].tolist())
            if self._try(search, charges) > seconds[row] * (1 + SLACK):
                self._permuted.append((float(seconds[row]), search, charges))

    def _try(self, search: CuttingSearch, charges: tuple[int, ...]) -> float:
        """Return the time of a program in chunks in its default lowering; the fastest plan is kept."""
        return self._keep(search, charges, [self._lowering.plan(self._program(charges))])

    def _try_every(self, search: CuttingSearch, charges: tuple[int, ...]) -> bool:
        """Price a program with its buffers permuted in every way and keep the fastest; False if no such plan exists."""
        plans = self._lowering.every_plan(self._program(charges))
        self._keep(search, charges, plans)
        return bool(plans)

    def _keep(self, search: CuttingSearch, charges: tuple[int, ...], plans: Sequence[Plan]) -> float:
        """Return the time of the fastest plan of one program."""
        asked, least = dict(search.cutting.asked).get(search.cut_by_all(charges)), inf
        if asked is None:
            return least
        for plan in plans:
            cut = replace(plan, chunks=asked)
            seconds = self._pipelines.pipeline(cut).seconds
            least = min(least, seconds)
            if seconds < self._seconds:
                self._plan, self._seconds = cut, seconds
        return least

    def _program(self, charges: tuple[int, ...]) -> Program:
        return self._graph.language.program(tuple(self._graph.charges[charge].step for charge in charges))
