"""Comparison of the ranks' final values with the single-device program, over all placements of each output.

For every output, all layouts that its ranks' arrays can have are tried: replicated or sliced along each axis, for each
dimension. With S the single-device value, the first placement with
    A[r] = S restricted to the part of rank r,   for all ranks r,
is the one that the output has. If none fits, the first difference is reported, of the first placement with the shapes.
Complexity: (dimensions + 1)^axes placements for each output.
Reference: Schwartz, "Fast probabilistic algorithms for verification of polynomial identities", 1980.

Example: on two ranks with (1, 2) and (3, 4), and S = (1, 2, 3, 4), the output is sliced along dimension 0.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import product
from math import prod

import numpy as np

from p2smt.tensor.comparison import Wrong, split, whole_value
from p2smt.tensor.expression import AxisLayout, ProgramAxis
from p2smt.tensor.frame import Intervals, whole
from p2smt.tensor.interpreter import run
from p2smt.tensor.layout import Layout, Replicated, Sliced
from p2smt.tensor.meaning import DoesNotRunError, Meaning, Part, Parts
from p2smt.tensor.operation import Array
from p2smt.tensor.placing import world
from p2smt.tensor.program import Program, versions
from p2smt.tensor.ranks.domains import index_domains, unasked
from p2smt.tensor.ranks.parts import lengths, placed_parts
from p2smt.tensor.ranks.programs import RankPrograms, new_version
from p2smt.tensor.ranks.simulation import Arrays, Simulation, simulated
from p2smt.tensor.reason import Refusal
from p2smt.tensor.shapes import wholes
from p2smt.tensor.signature import Shape
from p2smt.tensor.verification.effort import MOST_ELEMENTS

Without = Mapping[str, Set[int]]
"""For each source, the integers excluded from its index values."""


def affordable(ranks: RankPrograms) -> bool:
    """True if the arrays of all ranks are small enough to simulate."""
    return sum(prod(shape) for shapes in ranks.shapes for shape in shapes.values()) <= MOST_ELEMENTS


def unlike(program: Program, ranks: RankPrograms, single: Program, meaning: Meaning, step: int = 0) -> str | None:
    """Return the first statement whose value differs between ranks and lifted program.

    The lifted program is the distributed program that was read from the ranks' statements.
    """
    given = {each.name: split(each, whole_value(each, meaning), program, meaning) for each in program.sources}
    ours = simulated(ranks, own_arrays(given, ranks), meaning, step)
    theirs = run(program, given, meaning, step)
    for name, parts in theirs.items():
        for mine, part in zip(ours, parts, strict=True):
            if name in mine and part is not None and not _same(mine[name], part.array, meaning):
                return name
    return None


def wrong_values(
    ranks: RankPrograms, single: Program, meaning: Meaning, step: int = 0, *, without: Without | None = None
) -> Wrong | None:
    """Return the first observed value that is not a slice or copy of the single-device value.

    `without` excludes integers from index values; by default those that no rank compares with (`unasked`).
    """
    try:
        expected, simulation = both_run(ranks, single, meaning, step, without=without)
    except DoesNotRunError as cause:
        return Wrong("does not run", str(cause))
    return next(all_wrong(ranks, single, expected, simulation.values, meaning), None)


def both_run(
    ranks: RankPrograms, single: Program, meaning: Meaning, step: int, *, without: Without | None = None
) -> tuple[Mapping[str, Parts], Simulation]:
    """Return the single-device values and the ranks' values on the same sources.

    DoesNotRunError if arrays do not fit.
    """
    drawn = {each.name: whole_value(each, meaning) for each in single.sources}
    arrays = within_domains(drawn, single, unasked(ranks, single) if without is None else without)
    expected = run(single, {name: (Part(each, whole(each.shape)),) for name, each in arrays.items()}, meaning, step)
    placed = Program(name="", mesh=ranks.mesh, sources=(), statements=(), outputs=())
    given = {each.name: split(each, arrays[each.name], placed, meaning) for each in ranks.sources}
    simulation = Simulation(ranks, own_arrays(given, ranks), meaning, step)
    for statement in ranks.statements:
        simulation.run(statement)
    simulation.update()
    return expected, simulation


def all_wrong(
    ranks: RankPrograms, single: Program, expected: Mapping[str, Parts], ours: Sequence[Arrays], meaning: Meaning
) -> Iterator[Wrong]:
    """Yield all observed values of the ranks that are not a slice or copy of the single-device values."""
    shapes = wholes(single)
    ends = versions(single)
    pairs = [(name, value, name) for name, value in ranks.outputs]
    pairs += kept_values(ranks, ends)
    for name, value, theirs in pairs:
        (part,) = expected[theirs]
        assert part is not None
        wrong = _misplaced(name, [mine[value] for mine in ours], part.array, shapes[theirs].shape, ranks, meaning)
        if wrong is not None:
            yield wrong


def kept_values(ranks: RankPrograms, ends: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Return the sources updated on the ranks or on the single device.

    Each comes with the names of its final value on both sides; a side that does not update a source keeps the
    given value.
    """
    updated = {source for source, _ in ranks.updates}
    return [
        (name, new_version(name) if name in updated else name, ends.get(name, name))
        for name in sorted({*ends, *updated})
    ]


def within_domains(arrays: Mapping[str, Array], single: Program, without: Without) -> dict[str, Array]:
    """Return source values with indices mapped into their domains, excluding the integers in `without`."""
    domains = {
        name: tuple(each for each in domain if each not in without.get(name, ()))
        for name, domain in index_domains(single).items()
    }
    return {name: _within(array, domains.get(name)) for name, array in arrays.items()}


def _within(array: Array, domain: Sequence[int] | None) -> Array:
    """Map integers into a domain, since torch rejects indices outside it."""
    if domain is None:
        return array
    inside = np.isin(array, domain)
    # Values outside are mapped by remainder, so that random draws spread over the whole domain.
    return np.asarray(np.where(inside, array, np.array(domain, dtype=np.float64)[array.astype(np.int64) % len(domain)]))


def own_arrays(given: dict[str, tuple[Part | None, ...]], ranks: RankPrograms) -> list[Arrays]:
    """Return each rank's arrays of its parts of sources; `given` comes from `split`."""
    found: list[Arrays] = [{} for _ in range(world(ranks.mesh))]
    for name, parts in given.items():
        for mine, part in zip(found, parts, strict=True):
            if part is not None:
                mine[name] = part.array
    return found


def _same(left: Array, right: Array, meaning: Meaning) -> bool:
    return left.shape == right.shape and meaning.equal(left, right)


def _misplaced(
    name: str, arrays: Sequence[Array], expected: Array, shape: Shape, ranks: RankPrograms, meaning: Meaning
) -> Wrong | None:
    first = None
    if name in ranks.placed:
        said = placed_parts(ranks.placed[name], ranks, shape)
        choices = iter(() if isinstance(said, Refusal) else (said,))
    else:
        choices = placements(ranks, shape)
    for parts in choices:
        if any(array.shape != lengths(part) for array, part in zip(arrays, parts, strict=True)):
            continue
        wrong = _differs(name, arrays, expected, parts, meaning)
        if wrong is None:
            return None
        first = first or wrong
    return first or Wrong(
        name,
        f"rank 0 has an array of shape {list(arrays[0].shape)}, which is not a part of {list(shape)} that an axis cuts",
        0,
    )


def placements(ranks: RankPrograms, shape: Shape) -> Iterator[tuple[Intervals, ...]]:
    """Yield the ranks' parts of a tensor for every way of slicing dimensions along axes.

    Blocks are even, or of the sizes that sources use on the axis.
    """
    choices: list[list[Layout]] = [
        [Replicated(), *(Sliced(dim) for dim in range(len(shape))), *_sized(ranks, axis, len(shape))]
        for axis in ranks.mesh
    ]
    for layouts in product(*choices):
        named = tuple(AxisLayout(layout, axis.name) for layout, axis in zip(layouts, ranks.mesh, strict=True))
        parts = placed_parts(named, ranks, shape)
        if not isinstance(parts, Refusal):
            yield parts


def _sized(ranks: RankPrograms, axis: ProgramAxis, dims: int) -> list[Layout]:
    """Return Sliced layouts along every dimension with the explicit block sizes that sources use on this axis."""
    # only Sliced: no other layout has sizes
    found = [
        each.layout
        for source in ranks.sources
        for each in source.layouts
        if each.axis in (axis.name, "") and isinstance(each.layout, Sliced)
    ]
    sizes = dict.fromkeys(each.sizes for each in found if each.sizes is not None and not each.under)
    return [Sliced(dim, each) for each in sizes for dim in range(dims)]


def _differs(
    name: str, arrays: Sequence[Array], expected: Array, parts: tuple[Intervals, ...], meaning: Meaning
) -> Wrong | None:
    for rank, (array, part) in enumerate(zip(arrays, parts, strict=True)):
        target = np.asarray(expected[tuple(slice(each.start, each.stop) for each in part)])
        for index in np.ndindex(target.shape):
            left, right = np.asarray(array[index]), np.asarray(target[index])
            if not meaning.equal(left, right):
                element = tuple(each.start + offset for each, offset in zip(part, index, strict=True))
                return Wrong(name, f"rank {rank}, element {list(element)} is {left}, not {right}", rank, element)
    return None
