"""Recompute values in the backward pass instead of keeping them, if memory is short.

Values are recomputed by kind of operation: all results of equal forward operations are computed again just before the
backward pass first reads them, from values that exist then; the originals are freed after the forward pass. Time and
memory are those of the resulting program. If there are few kinds, all sets of them are tried; otherwise kinds are added
greedily, each time the one with the fastest program that fits, or with the least excess.

This is activation checkpointing (Chen et al., "Training deep nets with sublinear memory cost", 2016) with one decision
for each kind of operation in place of each value, so repeated layers are treated alike. A set of kinds is ranked by
    (excess of the worst device over its memory, time of the fastest program),   least first,
and a set may be tried together with the kinds that it is computed from, up to contractions, which are dear to repeat.
Complexity: one search of layouts for each set tried, at most `MOST_SEARCHES` sets, or kinds x `most` greedily. The
result is the best of the sets tried; greedy ones need not be the best of all.

Example: x @ w and relu(x @ w) are kept, 2 GB each, and 1 GB is missing. Recomputing relu frees 2 GB and costs a
pointwise operation per layer; recomputing the product as well would cost the contractions again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from p2smt.spmd.engines.engine import EngineOptions
from p2smt.spmd.model.build import Sharding, build
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.graph import Graph, Node, forward
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import Pricing
from p2smt.spmd.model.restriction import Restriction
from p2smt.spmd.search.memory import excess
from p2smt.spmd.search.searching import SearchResult, searched
from p2smt.tensor.operation import Kind
from p2smt.tensor.operations import OPERATIONS

MOST_SEARCHES = 32
MOST_KINDS = 6
"""The number of kinds that are tried, largest first, if there are more sets than `MOST_SEARCHES`."""


@dataclass(frozen=True, slots=True)
class RecomputationResult:
    """The fastest program, and the operations that it recomputes."""

    found: SearchResult
    operations: tuple[str, ...] = ()


def recomputed(graph: Graph, results: frozenset[int]) -> Graph:
    """Return the graph whose backward pass reads copies of some forward values, computed just before they are read."""
    return _CopyBuilder(graph, results).run()


class _CopyBuilder:
    def __init__(self, graph: Graph, results: frozenset[int]) -> None:
        self._graph = graph
        self._results = results
        self._makes = {node.result: node for node in graph.nodes}
        self._tensors = list(graph.tensors)
        self._nodes: list[Node] = []
        self._copies: dict[int, int] = {}

    def run(self) -> Graph:
        ahead = {node.result for node in forward(self._graph)}
        for node in self._graph.nodes:
            self._nodes.append(node if node.result in ahead else self._reading_copies(node))
        news = [replace(each, new=self._copies.get(each.new, each.new)) for each in self._graph.versions]
        return replace(self._graph, tensors=tuple(self._tensors), nodes=tuple(self._nodes), versions=tuple(news))

    def _reading_copies(self, node: Node) -> Node:
        operands = tuple(
            self._copy(each) if isinstance(each, int) and each in self._results else each for each in node.operands
        )
        return replace(node, operands=operands)

    def _copy(self, tensor: int) -> int:
        if tensor not in self._copies:
            again = self._reading_copies(self._makes[tensor])
            self._copies[tensor] = len(self._tensors)
            self._tensors.append(replace(self._graph.tensors[tensor], name=""))
            self._nodes.append(replace(again, result=self._copies[tensor]))
        return self._copies[tensor]


def kinds_of(graph: Graph) -> tuple[frozenset[int], ...]:
    """Return the forward values that can be recomputed, by kind of operation, the most bytes first.

    These are the values that the backward pass reads, and the values that they are computed from, except outputs.
    """
    ahead = forward(graph)
    mine = {node.result for node in ahead}
    wanted = {tensor for node in graph.nodes if node.result not in mine for tensor in node.reads}
    wanted |= {version.new for version in graph.versions}
    found: dict[int, set[int]] = {}
    # Backwards: operands of a value that is computed again are needed then as well.
    for node in reversed(ahead):
        if node.result in wanted and node.result not in graph.outputs and graph.tensors[node.result].shape:
            found.setdefault(node.kind, set()).add(node.result)
            wanted |= set(node.reads)
    sizes = {kind: sum(graph.tensors[each].bytes for each in some) for kind, some in found.items()}
    return tuple(frozenset(found[kind]) for kind in sorted(found, key=lambda kind: (-sizes[kind], kind)))


def _made_of(graph: Graph, kinds: Sequence[frozenset[int]], kind: frozenset[int]) -> frozenset[int]:
    """Return a kind with the kinds that it is computed from, up to contractions; these need not be kept either."""
    makes = {node.result: node for node in graph.nodes}
    of_kind = {result: some for some in kinds for result in some}
    found, waiting = set(kind), list(kind)
    while waiting:
        for each in makes[waiting.pop()].reads:
            more = of_kind.get(each, frozenset[int]()) - found
            # only: contractions are expensive to recompute
            if more and OPERATIONS[makes[each].operation].kind is not Kind.CONTRACT:
                found |= more
                waiting += sorted(more)
    return frozenset(found)


def with_recomputation(
    sharding: Sharding, restriction: Restriction, search: EngineOptions, most: int
) -> RecomputationResult:
    """Return the fastest program that fits, with results of at most `most` kinds of operations recomputed.

    Nothing is recomputed if the fastest program fits. If none fits, the one with the least excess on its worst device
    is returned. Raises ProblemError as `searched` does.
    """
    best = _Attempt(frozenset(), searched(sharding, search))
    kinds = kinds_of(sharding.pricing.graph)
    again = _Again(sharding, restriction, search)
    if best.found.tight:
        # Few kinds: every set is tried. Many: greedily, one kind at a time.
        few = sum(1 for _ in _sets(len(kinds), most)) <= MOST_SEARCHES
        if few:
            unions = (frozenset[int]().union(*(kinds[each] for each in some)) for some in _sets(len(kinds), most))
            best = min((best, *map(again.tried, unions)), key=_rank)
        else:
            best = _one_by_one(again, best, kinds, most)
    nodes = sharding.pricing.graph.nodes
    return RecomputationResult(
        best.found, tuple(dict.fromkeys(each.operation for each in nodes if each.result in best.results))
    )


@dataclass(frozen=True, slots=True)
class _Attempt:
    results: frozenset[int]
    found: SearchResult


@dataclass(frozen=True, slots=True)
class _Again:
    sharding: Sharding
    restriction: Restriction
    search: EngineOptions

    def tried(self, results: frozenset[int]) -> _Attempt:
        """Return the fastest program that recomputes some values."""
        pricing = self.sharding.pricing
        graph = recomputed(pricing.graph, results)
        other = OptionCache(Pricing(graph, classes_of(graph), pricing.mesh, pricing.shares))
        return _Attempt(results, searched(build(other, self.restriction, self.search.published), self.search))


def _one_by_one(again: _Again, best: _Attempt, kinds: Sequence[frozenset[int]], most: int) -> _Attempt:
    """Add kinds greedily, each alone or with the kinds that it is computed from."""
    graph = again.sharding.pricing.graph
    options = [option for kind in kinds[:MOST_KINDS] for option in (kind, _made_of(graph, kinds, kind))]
    while True:
        left = [best.results | each for each in dict.fromkeys(options) if not each <= best.results]
        left = [each for each in left if sum(1 for kind in kinds if kind <= each) <= most]
        better = min(map(again.tried, left), key=_rank, default=best)
        if _rank(better) >= _rank(best):
            return best
        best = better


def _sets(count: int, most: int) -> Iterator[tuple[int, ...]]:
    """Yield the sets of 1 to `most` numbers below `count`, small ones first."""
    for size in range(1, min(most, count) + 1):
        yield from combinations(range(count), size)


def _lacking(tried: _Attempt) -> int:
    """Return the bytes by which the worst device exceeds its memory."""
    made = tried.found.fastest
    return max(excess(made.sharding, made.candidate.account.memory))


def _rank(tried: _Attempt) -> tuple[int, int]:
    return _lacking(tried), tried.found.fastest.candidate.account.time
