"""Checker of claims that no program of any length takes less in chunks than a bound.

The checker shares no code with the search. It takes from the search only the claim: the ways to split the payload, and
the lower bound on the remaining time in every state (`Potential`). It applies steps to one state at a time by the level
algebra's own rules, and prices them as steps of plans. First it checks every potential against every step. Then it
extends prefixes of programs step by step, until the time spent plus the remaining bound reaches the claimed bound, or
until the program is complete. A complete program is priced slot by slot; if its collectives alone take less than the
bound, it is priced again with its buffers permuted in every possible way.

Method: a potential is dual feasible (`distance_check.py` explains the principle) if for every edge from state s to t
    potential[s] <= part * max(v) + (1 - part) * chunks * (weights . v) + potential[t],   potential[goal] = 0,
with v the edge's seconds per resource (`chunk_potentials.py` has the whole formula). Then the time of the slots that no
later step changes, the weighted work that is left in later ones, and potential[state] together bound every extension of
a prefix; branch and bound with the claimed value as its bound must end without a better program.
Complexity: O(edges) for each potential, and as many prefixes as have a bound below the claim.
Reference: McConnell et al., "Certifying algorithms", 2011.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from p2smt.cost.chunk_potentials import Floats, Potential
from p2smt.cost.distance_check import Edge, Edges, edges_between
from p2smt.cost.network.cost import Cost, LocalWork
from p2smt.cost.network.pipelining import Pipelines, joining_seconds
from p2smt.cost.resource_use import CALLS, CORES, MEMORY
from p2smt.problem.dtype import DTYPE_BYTES
from p2smt.reduction.language.language import Language, Step
from p2smt.reduction.plan.buffers import BufferRules
from p2smt.reduction.plan.chunking import payload_chunks, slots
from p2smt.reduction.plan.layouts import Orders
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep, GroupRule
from p2smt.reduction.plan.traces import CollectiveMove
from p2smt.reduction.semantics.goal import level_goal
from p2smt.reduction.semantics.level_algebra import LevelState, level_mask
from p2smt.smt.deadlines import EVER, Until

_SLACK = 2e-9
"""Relative slack for sums in another order; the search ignores smaller gains, too."""

_LAST_DIGITS = 1e-12


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class CutClaim:
    """A claim about programs in `chunks` chunks of `elements` elements: a table of potentials over `states`.

    `levels` are the sets of levels (bit masks) that the programs with this chunk size split. `resources` names the
    columns of the weights: links, memory, the launching thread, shared cores, and the groups whose calls run one
    after the other.
    """

    chunks: int
    elements: int
    levels: frozenset[int]
    resources: tuple[str | GroupRule, ...]
    states: tuple[LevelState, ...]
    potentials: tuple[Potential, ...]


@dataclass(frozen=True, eq=False, slots=True)
class ChunksClaim:
    """The claim that no program of any length takes less than `seconds`, for any of these ways to split the payload."""

    seconds: float
    cuts: tuple[CutClaim, ...]


@cache
def _known_edges(language: Language, states: tuple[LevelState, ...]) -> Edges:
    edges = edges_between(language, states)
    assert edges is not None, "there was no deadline"
    assert not isinstance(edges, str), edges
    return edges


def claim_fault(
    claim: ChunksClaim, lowering: Lowering, language: Language, cost: Cost, until: Until = EVER
) -> str | None:
    """Return the first statement of the claim that does not hold; None if the claim is proved. Raises TimeUpError."""
    wanted = _wanted(lowering, cost)
    for levels, cut in wanted.items():
        if not any(levels[0] in one.levels and cut == (one.chunks, one.elements) for one in claim.cuts):
            return f"nothing is said of {levels[1]} chunks of programs that cut the levels {levels[0]}"
    for cut_claim in claim.cuts:
        fault = _Check(claim.seconds, cut_claim, lowering, language, cost, until).fault()
        if fault is not None:
            return f"in {cut_claim.chunks} chunks: {fault}"
    return None


@cache
def _windows(chunks: int, stages: int) -> tuple[tuple[tuple[int, int], int], ...]:
    """Return the ranges of stages that are at work together, each with its number of slots."""
    every = (sorted(stage for _, stage in slot) for slot in slots(chunks, stages))
    return tuple(Counter((at_work[0], at_work[-1] + 1) for at_work in every).items())


def _wanted(lowering: Lowering, cost: Cost) -> dict[tuple[int, int], tuple[int, int]]:
    """Map (levels to split, requested chunk count) to the actual chunk count and the elements of the longest chunk."""
    payload, every = lowering.problem.payload, (1 << len(lowering.hierarchy.reduction_levels)) - 1
    found = {}
    for levels in range(every + 1):
        plan = replace(lowering.direct, multiple=lowering.parts(levels))
        for asked in (2, 4, 8, 16, 32, 64, 128, 256):
            if asked * plan.multiple <= payload.elements and (levels == every or not lowering.problem.goal.gathers):
                lengths = payload_chunks(replace(plan, chunks=asked))
                found[levels, asked] = len(lengths), max(lengths)
    return found


class _Check:
    """A checker for programs with one chunk size."""

    def __init__(
        self, seconds: float, claim: CutClaim, lowering: Lowering, language: Language, cost: Cost, until: Until
    ) -> None:
        # A little lower than claimed: the search's sums and these are added in another order.
        self._bound = (seconds - joining_seconds(lowering.direct, cost.system.network)) * (1 - _SLACK)
        self._claim = claim
        self._lowering = lowering
        self._language = language
        self._cost = cost
        self._until = until
        self._goal = level_goal(language.goal, language.levels)
        self._pipelines = Pipelines(cost)
        self._edges = _known_edges(language, claim.states)
        self._uses = cache(self._uses_of)
        self._coefficients = np.array([(1 - each.part) * each.weights for each in claim.potentials]).T
        left = np.array([each.left for each in claim.potentials]).T
        self._left: dict[LevelState, Floats] = dict(zip(claim.states, left, strict=True))
        self._from: dict[LevelState, tuple[Floats, Floats]] = {}
        for state, edges in self._edges.items():
            uses = np.array([self._uses(edge.step, edge.scattered) for edge in edges])
            self._from[state] = uses, np.array([self._left[edge.target] for edge in edges])

    def fault(self) -> str | None:
        """The first statement that does not hold; None if all hold."""
        return next(self._faults_of_potentials(), None) or next(self._faults_of_programs(), None)

    def _uses_of(self, step: Step, scattered: frozenset[int]) -> Floats:
        """Return the seconds for which a step on one chunk keeps every resource busy."""
        held = tuple(enumerate(sorted(scattered)))
        planned = self._lowering.step(CollectiveMove(*step, held), ())
        assert isinstance(planned, CollectiveStep)
        payload = replace(self._lowering.problem.payload, bytes=self._bytes)
        (stage,) = self._pipelines.stages(replace(self._lowering.direct, steps=(planned,), payload=payload))
        busy: dict[str | GroupRule, float] = dict.fromkeys(self._claim.resources, 0.0)
        # The busiest link hides the others in part only: beside its own seconds each has this share of the others'.
        shown = 1 - self._cost.system.network.overlap
        for link, seconds in stage.busy:
            busy[link] += seconds
        every = sum(busy.values())
        for name in [link.name for link in self._cost.system.network.links]:
            busy[name] += shown * (every - busy[name])
        busy[MEMORY], busy[CALLS], busy[CORES] = stage.memory_s, stage.in_turn_s, stage.processors_s
        busy[planned.groups] = stage.seconds
        return np.array(list(busy.values()))

    @property
    def _bytes(self) -> int:
        return self._claim.elements * DTYPE_BYTES[self._lowering.problem.payload.dtype]

    def _faults_of_potentials(self) -> Iterator[str]:
        """Check that weights are nonnegative and add up to at most 1, and that no step violates the potentials."""
        parts = np.array([each.part for each in self._claim.potentials])
        weights = np.array([each.weights for each in self._claim.potentials])
        if parts.min() < 0 or parts.max() > 1 or weights.min() < 0 or weights.sum(axis=1).max() > 1 + _LAST_DIGITS:
            yield "weights are not a mean"
        for state, (uses, left) in self._from.items():
            is_last = np.array([self._goal.is_reached(edge.target) for edge in self._edges[state]])
            if left[is_last].any():
                yield "something is left at the goal"
            longest, chunks = uses.max(axis=1)[:, None], self._claim.chunks
            own = parts * longest + (1 - parts) * chunks * (uses @ weights.T)
            after = left + (chunks - 1) * parts * longest * is_last[:, None]
            if (self._left[state] > (own + after) * (1 + _LAST_DIGITS)).any():
                yield f"a step leaves less than is said in {state}"

    def _faults_of_programs(self) -> Iterator[str]:
        """Yield programs that take less than the bound; prefixes whose lower bound reaches it are cut off."""
        chunks, none = self._claim.chunks, np.zeros(len(self._claim.resources))
        every = (1 << self._language.levels) - 1
        cut = every if self._language.goal.gathers else 0
        waiting = [_FirstTerms(state=self._goal.start, steps=(), uses=(), spent=0.0, to_do=none, cut=cut)]
        while waiting:
            self._until.check()
            # Depth first with an explicit stack; beginnings whose bound exceeds the claim are cut
            # off.
            begun = waiting.pop()
            if begun.state not in self._from:
                continue
            uses, left = self._from[begun.state]
            # The stages at work in the slot in which this step's first chunk runs: the last
            # `chunks` ones.
            at_work = uses + sum(begun.uses[max(0, len(begun.uses) - chunks + 1) :], none)
            spent = begun.spent + at_work.max(axis=1)
            to_do = begun.to_do + chunks * uses - at_work
            least = spent + (to_do @ self._coefficients + left).max(axis=1)
            for row in np.flatnonzero(least < self._bound).tolist():
                edge = self._edges[begun.state][row]
                longer = begun.longer(edge, uses[row], float(spent[row]), to_do[row])
                if self._goal.is_reached(edge.target):
                    yield from self._faults_of_whole(longer)
                elif any(not longer.cut & ~levels for levels in self._claim.levels):
                    waiting.append(longer)

    def _faults_of_whole(self, whole: "_FirstTerms") -> Iterator[str]:
        if whole.cut not in self._claim.levels or self._seconds(whole.uses) >= self._bound:
            return
        for permuted in self._permuted(whole):
            seconds = self._seconds(self._with_permutations(whole, permuted))
            if seconds < self._bound:
                yield f"{' '.join(str(step) for step in whole.steps)} takes {seconds} s, below {self._bound} s"

    def _seconds(self, uses: Sequence[Floats]) -> float:
        """Return the time of a sequence of stages, slot by slot."""
        windows = _windows(self._claim.chunks, len(uses))
        return sum(count * float(np.sum(uses[first:last], axis=0).max()) for (first, last), count in windows)

    def _permuted(self, whole: "_FirstTerms") -> Iterator[tuple[tuple[int, ...], ...]]:
        """Yield the levels that permuted buffers lack before every step and at the end, for every allowed choice."""
        significance = self._lowering.significance
        cut = [level for level in significance if whole.cut >> (level - 1) & 1]
        rules = BufferRules(self._language.goal, self._goal, cut)
        ways: dict[tuple[Orders, tuple[tuple[int, ...], ...]], None] = {(rules.start, ()): None}
        for step in whole.steps:
            further: dict[tuple[Orders, tuple[tuple[int, ...], ...]], None] = {}
            for orders, permuted in ways:
                for choice in rules.choices(orders, step):
                    after = rules.after(rules.changed(orders, choice)[: len(orders)], step)
                    if after is not None:
                        further[after, (*permuted, rules.lacking(choice))] = None
            ways = further
        for orders, permuted in ways:
            for choice in rules.last_choices(orders):
                if rules.ended(rules.changed(orders, choice)) is not None:
                    yield (*permuted, rules.lacking(choice))

    def _with_permutations(self, whole: "_FirstTerms", permuted: Sequence[Sequence[int]]) -> list[Floats]:
        """Return the stages including their permutations, which use memory and the time of their groups."""
        found = []
        for step, uses, before in zip((*whole.steps, None), (*whole.uses, None), permuted, strict=True):
            moved = [LocalWork(self._bytes / self._lowering.parts(lacking)) for lacking in before]
            seconds = sum(self._cost.work_cost(work).seconds for work in moved)
            longer = np.zeros(len(self._claim.resources)) if uses is None else uses.copy()
            longer[self._claim.resources.index(MEMORY)] += seconds
            if step is not None:
                longer[self._claim.resources.index(self._lowering.groups(step[0]))] += seconds
            if step is not None or seconds:
                found.append(longer)
        return found


@dataclass(frozen=True, eq=False, slots=True, kw_only=True)
class _FirstTerms:
    """A prefix of a program: its steps and their uses, and the levels (`cut`, a bit mask) that they split.

    `spent`: the time of the slots up to the one in which the last step starts. `to_do`: the work left for later slots.
    """

    state: LevelState
    steps: tuple[Step, ...]
    uses: tuple[Floats, ...]
    spent: float
    to_do: Floats
    cut: int

    def longer(self, edge: Edge, uses: Floats, spent: float, to_do: Floats) -> "_FirstTerms":
        """Return this prefix with one more step."""
        grouping, kind = edge.step
        cut = self.cut | (level_mask(grouping.levels) if kind.scatters else 0)
        steps = (*self.steps, edge.step)
        return _FirstTerms(state=edge.target, steps=steps, uses=(*self.uses, uses), spent=spent, to_do=to_do, cut=cut)
