"""The ranks' values next to the expected ones, on one set of sources."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from p2smt.tensor.comparison import split, whole_value
from p2smt.tensor.frame import Intervals, whole
from p2smt.tensor.interpreter import run
from p2smt.tensor.meaning import Part
from p2smt.tensor.operation import Array
from p2smt.tensor.program import Program, versions
from p2smt.tensor.ranks.comparison import own_arrays, placements, within_domains
from p2smt.tensor.ranks.domains import unasked
from p2smt.tensor.ranks.parts import lengths, placed_parts
from p2smt.tensor.ranks.programs import RankPrograms, new_version
from p2smt.tensor.ranks.simulation import Arrays, simulated
from p2smt.tensor.reals import Reals
from p2smt.tensor.reason import Refusal
from p2smt.tensor.verification.values import Trial


@dataclass(frozen=True, slots=True)
class Observation:
    """The value of each rank, the value it should have, and the part of the whole tensor that it represents.

    For an updated source, values are its changes.
    """

    arrays: tuple[Array, ...]
    parts: tuple[Array, ...]
    intervals: tuple[Intervals, ...]


def observation(ranks: RankPrograms, single: Program, name: str, trial: Trial) -> Observation | None:
    """Return the ranks' values next to the expected ones; None if no placement has their shapes."""
    given, arrays = given_arrays(ranks, single, trial.meaning)
    return observed(ranks, single, name, given, arrays, trial)


def given_arrays(ranks: RankPrograms, single: Program, meaning: Reals) -> tuple[dict[str, Array], list[Arrays]]:
    """Return the unsharded sources, and each rank's parts of them."""
    drawn = {each.name: whole_value(each, meaning) for each in single.sources}
    arrays = within_domains(drawn, single, unasked(ranks, single))
    empty = Program(name="", mesh=ranks.mesh, sources=(), statements=(), outputs=())
    parts = {each.name: split(each, arrays[each.name], empty, meaning) for each in ranks.sources}
    return arrays, own_arrays(parts, ranks)


def observed(
    ranks: RankPrograms, single: Program, name: str, given: Mapping[str, Array], own: Sequence[Arrays], trial: Trial
) -> Observation | None:
    """Return the ranks' values of an output or update, in the placement in which most ranks are right."""
    updated = dict(ranks.updates)
    ends = versions(single)
    ours = dict(ranks.outputs).get(name) or (new_version(name) if name in updated else name)
    theirs = name if name in {each.name for each in single.outputs} else ends.get(name, name)
    wholes = {key: (Part(array, whole(array.shape)),) for key, array in given.items()}
    (part,) = run(single, wholes, trial.meaning, trial.step)[theirs]
    values = simulated(ranks, own, trial.meaning, trial.step)
    if part is None:
        return None
    arrays = [mine[ours] for mine in values]
    best: Observation | None = None
    # A placement is not given for outputs, so the most favourable one counts.
    for intervals in _choices(ranks, name, part.array.shape):
        if any(array.shape != lengths(each) for array, each in zip(arrays, intervals, strict=True)):
            continue
        wanted = [cut(part.array, each) for each in intervals]
        made = [array.astype(np.float64) for array in arrays]
        # Of an update the difference is compared: mistakes in a gradient would vanish beside the
        # old value.
        if name in updated and theirs != name:
            before = [mine[name] for mine in values]
            made = [each - old for each, old in zip(made, before, strict=True)]
            wanted = [each - old for each, old in zip(wanted, before, strict=True)]
        found = Observation(tuple(made), tuple(wanted), intervals)
        if best is None or right_count(found) > right_count(best):
            best = found
    return best


def _choices(ranks: RankPrograms, name: str, shape: tuple[int, ...]) -> Iterator[tuple[Intervals, ...]]:
    layouts = ranks.placed.get(name)
    if layouts is None and name in dict(ranks.updates):
        layouts = next(each.layouts for each in ranks.sources if each.name == name)
    if layouts is None:
        yield from placements(ranks, shape)
        return
    said = placed_parts(layouts, ranks, shape)
    if not isinstance(said, Refusal):
        yield said


def cut(array: Array, part: Intervals) -> Array:
    """Return a part of a tensor, as float64."""
    return np.asarray(array[tuple(slice(each.start, each.stop) for each in part)], dtype=np.float64)


def same(left: Array, right: Array) -> bool:
    """True if values are equal up to rounding."""
    return left.shape == right.shape and bool(np.allclose(left, right, rtol=1e-7, atol=1e-10))


def right_count(found: Observation) -> int:
    """Return the number of ranks with the right value."""
    return sum(same(array, part) for array, part in zip(found.arrays, found.parts, strict=True))
