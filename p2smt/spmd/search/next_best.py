"""The next best programs: each is the cheapest that stores a tenth of all bytes differently from all earlier ones.

Each program before adds one knapsack constraint to the integer program:
    sum over sources stored as before of  bytes  <=  9/10 of the bytes of all sources.
So the next answer is the cheapest of all that are left, in order of cost (no-good cuts with a distance, as local
branching uses them; Fischetti and Lodi, "Local branching", 2003).
Complexity: one integer program for each answer (`engines/ilp.py`).
"""

from collections.abc import Iterator
from dataclasses import replace

from p2smt.spmd.engines.ilp import solve
from p2smt.spmd.engines.problem import Impossible, Limit
from p2smt.spmd.model.build import Sharding, TensorChoice
from p2smt.spmd.model.chosen import ReadableAssignment, chosen, is_whole
from p2smt.tensor.expression import ProgramAxis
from p2smt.tensor.placing import layouts_text

_ALIKE = (9, 10)
"""The most of the stored bytes that may have the same layout as in an earlier program, as a fraction."""


def next_best(sharding: Sharding, first: ReadableAssignment, count: int) -> Iterator[tuple[int, ...]]:
    """Yield at most `count` assignments in order of cost, found by HiGHS.

    Raises EngineError without scipy, or if HiGHS does not finish.
    """
    problem, before = sharding.problem, [first]
    for _ in range(count):
        limits = tuple(_unlike(sharding, each) for each in before)
        answer = solve(replace(problem, limits=(*problem.limits, *limits))).answer
        if isinstance(answer, Impossible):
            return
        yield answer.assignment
        before.append(chosen(sharding, answer.assignment))


def differences(sharding: Sharding, first: ReadableAssignment, other: ReadableAssignment) -> tuple[str, ...]:
    """Return the sources that the other program stores in a different layout, the largest first."""
    tensors = sharding.pricing.graph.tensors
    unlike = [
        number
        for number, layout in other.produced.items()
        if tensors[number].source is not None and first.produced.get(number, layout) != layout
    ]
    unlike.sort(key=lambda number: (-tensors[number].bytes, number))
    mesh = tuple(ProgramAxis(axis.name, axis.size) for axis in sharding.pricing.mesh.axes)
    return tuple(f"{tensors[number].name} {layouts_text(other.produced[number], mesh)}" for number in unlike)


def _unlike(sharding: Sharding, before: ReadableAssignment) -> Limit:
    """Return a limit on the bytes of sources stored as before.

    A replicated source without new versions also counts, because it may be stored sharded if all reads are (`chosen`).
    """
    graph, weights, total = sharding.pricing.graph, [], 0
    states = {version.state for version in graph.versions}
    for choice, meaning in enumerate(sharding.meanings):
        if isinstance(meaning, TensorChoice) and graph.tensors[meaning.tensor].source is not None:
            size, mine = graph.tensors[meaning.tensor].bytes, before.produced[meaning.tensor]
            is_free = meaning.tensor not in states
            roots = [meaning.layouts[root] for root, _ in meaning.options]
            alike = [each == mine or (is_free and is_whole(each)) for each in roots]
            weights.append((choice, tuple(size if is_alike else 0 for is_alike in alike)))
            total += size
    part, of = _ALIKE
    return Limit("stored as before", total * part // of, tuple(weights))
