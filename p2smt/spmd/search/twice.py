"""Compute values twice if that is faster than communicating them, or than computing them on all devices.

Method: greedy local search. A copy c computes a value once more, alone or with up to `DEEPEST` - 1 generations of
operations that it is computed from, for the readers that need it in another layout. With best(G) the least cost of a
graph,
    G[i + 1] = G[i] + c   for the c with the least best(G[i] + c),   as long as that is less than best(G[i]).
It ends after `most` copies, or after `MOST_SEARCHES` searches without the copy that was being chosen. More copies could
be better, so the answer is not proved to be the best one. The bound holds all the same: every program computes each
value at least once, so
    time >= sum over operations of  their least computing time over all rules  (`least_computing`).
Complexity: one joint problem for each copy tried.
Reference: Ahmad and Kwok, "On exploiting task duplication in parallel program scheduling", 1998.

Example: x is produced in slices, and one of two readers needs it whole, by an AllGather of 3 ms. If all devices compute
x once more for that reader, in 2 ms, the program takes 1 ms less.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from p2smt.spmd.engines.engine import EngineOptions, HapRestriction
from p2smt.spmd.engines.problem import Best
from p2smt.spmd.engines.solving import JointSolver
from p2smt.spmd.model.build import NodeChoice, Sharding, TensorChoice, build
from p2smt.spmd.model.chosen import chosen
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.graph import Graph, Node
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import Pricing
from p2smt.spmd.model.restriction import Restriction
from p2smt.spmd.search.bound import relaxations
from p2smt.tensor.judgement import Layouts

DEEPEST = 3
"""The most operations in a chain that are duplicated together."""

MOST_SEARCHES = 40


@dataclass(frozen=True, slots=True)
class _Copy:
    """The results of operations to duplicate, and of the operations that read the copy."""

    results: frozenset[int]
    readers: frozenset[int]


def doubled(graph: Graph, results: frozenset[int], readers: frozenset[int]) -> Graph:
    """Return the graph with some operations computed once more; `readers` and the copies read the copies."""
    tensors, nodes = list(graph.tensors), []
    copies: dict[int, int] = {}

    def copied(node: Node) -> Node:
        operands = tuple(copies.get(each, each) if isinstance(each, int) else each for each in node.operands)
        return replace(node, operands=operands)

    for node in graph.nodes:
        nodes.append(copied(node) if node.result in readers else node)
        if node.result in results:
            nodes.append(replace(copied(node), result=len(tensors)))
            copies[node.result] = len(tensors)
            tensors.append(replace(graph.tensors[node.result], name=""))
    return replace(graph, tensors=tuple(tensors), nodes=tuple(nodes))


def with_copies(sharding: Sharding, restriction: Restriction, search: EngineOptions, most: int) -> Sharding:
    """Return the joint problem extended by at most `most` copies, each the best tried that lowers the optimum."""
    solver = JointSolver.aside(search)
    best = solver.solve(sharding.problem).answer
    searches = 0
    for _ in range(most):
        if not isinstance(best, Best):
            return sharding
        better = None
        for copy in _copies(sharding, best):
            searches += 1
            if searches > MOST_SEARCHES:
                return sharding
            other = _copied(sharding, copy, restriction, search.published)
            answer = solver.solve(other.problem).answer
            if isinstance(answer, Best) and answer.cost < (best if better is None else better[1]).cost:
                better = other, answer
        if better is None:
            return sharding
        sharding, best = better
    return sharding


def least_computing(sharding: Sharding) -> int:
    """Return a lower bound for programs that may compute values repeatedly: all computation with a free network."""
    return max(
        sum(
            min(choice.costs)
            for choice, meaning in zip(problem.choices, sharding.meanings, strict=True)
            if isinstance(meaning, NodeChoice)
        )
        for problem in relaxations(sharding)
    )


def _copied(
    sharding: Sharding, copy: _Copy, restriction: Restriction, published: frozenset[HapRestriction]
) -> Sharding:
    graph = doubled(sharding.pricing.graph, copy.results, copy.readers)
    pricing = Pricing(graph, classes_of(graph), sharding.pricing.mesh, sharding.pricing.shares)
    return build(OptionCache(pricing), restriction, published)


def _copies(sharding: Sharding, best: Best) -> Iterator[_Copy]:
    """Yield copies that may pay off: some reader needs another layout than the value is produced in.

    Values that take longest to communicate, or to compute on all devices, come first.
    """
    graph, made = sharding.pricing.graph, chosen(sharding, best.assignment)
    makes = {node.result: node for node in graph.nodes if node.result in made.operands}
    kept = {*graph.outputs, *(version.new for version in graph.versions)}
    costs = [choice.costs[option] for choice, option in zip(sharding.problem.choices, best.assignment, strict=True)]
    dear = dict.fromkeys(makes, 0)
    for meaning, cost in zip(sharding.meanings, costs, strict=True):
        result = meaning.tensor if isinstance(meaning, TensorChoice) else meaning.node.result
        if result in dear:
            dear[result] += cost
    # Expensive tensors first; the position breaks ties, so that the order is deterministic.
    for tensor in sorted(makes, key=lambda each: (-dear[each], each)):
        readers = _readers(makes, made.operands, tensor)
        for layout, some in readers.items():
            if layout != made.produced[tensor] and (len(readers) > 1 or tensor in kept):
                results = {tensor}
                for _ in range(DEEPEST):
                    yield _Copy(frozenset(results), frozenset(some))
                    above = {each for result in results for each in makes[result].reads if each in makes}
                    if above <= results:
                        break
                    results |= above


def _readers(makes: dict[int, Node], operands: dict[int, tuple[Layouts, ...]], tensor: int) -> dict[Layouts, list[int]]:
    """Return the operations (by result) that read a tensor, grouped by the layout that they need."""
    readers: dict[Layouts, list[int]] = {}
    for node in makes.values():
        for operand, layout in zip(node.operands, operands[node.result], strict=True):
            if operand == tensor and node.result not in readers.setdefault(layout, []):
                readers[layout].append(node.result)
    return readers
