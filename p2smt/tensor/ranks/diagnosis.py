"""A diagnosis of a wrong value: too large by the number of ranks, each rank's own summand, another order.

Each answer is an equation that holds of all ranks and elements on several sets of values:

    array = k * part                for a number of ranks k or 1 / k
    sum or mean of the arrays of an axis's ranks = part
    array = the part of another rank
    the array does not depend on what another rank is given, and the part does

Of a parameter that is updated the equations are of the difference to what it was.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from p2smt.tensor.comparison import split, whole_value
from p2smt.tensor.frame import Intervals, whole
from p2smt.tensor.interpreter import run
from p2smt.tensor.meaning import DoesNotRunError, Part
from p2smt.tensor.operation import Array
from p2smt.tensor.placing import world
from p2smt.tensor.program import Program, versions
from p2smt.tensor.ranks.comparison import own_arrays, placements, within_domains
from p2smt.tensor.ranks.domains import unasked
from p2smt.tensor.ranks.exchange import axis_groups
from p2smt.tensor.ranks.parts import lengths, part_text, placed_parts
from p2smt.tensor.ranks.programs import Alone, Computed, RankPrograms, new_version
from p2smt.tensor.ranks.repairs import repaired
from p2smt.tensor.ranks.simulation import Arrays, simulated
from p2smt.tensor.reals import Reals
from p2smt.tensor.reason import Refusal
from p2smt.tensor.verification.values import Trial, trials

RUNS = 2
"""The number of sets of values, of those that show a mistake, of which an equation has to hold."""
MOST_RANKS = 8


@dataclass(frozen=True, slots=True)
class _Run:
    """The value of each rank, the value that it should have, and its part of the source that is updated."""

    arrays: tuple[Array, ...]
    parts: tuple[Array, ...]
    intervals: tuple[Intervals, ...]


def cause(ranks: RankPrograms, single: Program, name: str) -> str:
    """The cause of a wrong observed value of this name; empty if no equation explains it."""
    shown = []
    for trial in trials(single):
        try:
            found = _run(ranks, single, name, trial)
        except (DoesNotRunError, KeyError):
            return ""
        if found is not None and _right(found) < len(found.arrays) and _is_finite(found):
            shown.append((trial, found))
        if len(shown) == RUNS:
            break
    if not shown:
        return ""
    runs = [found for _, found in shown]
    answers = (*_factors(ranks, runs), *_sums(ranks, runs), *_others(runs))
    if answers:
        return answers[0]
    trial = shown[0][0]
    return repaired(ranks, single, [each for each, _ in shown]) or next(_right_ones(runs), "") or _missing(
        ranks, single, name, trial)  # fmt: skip


def _is_finite(found: _Run) -> bool:
    return all(bool(np.isfinite(each).all()) for each in (*found.arrays, *found.parts))


def _run(ranks: RankPrograms, single: Program, name: str, trial: Trial) -> _Run | None:
    given, arrays = _given(ranks, single, trial.meaning)
    return _observed(ranks, single, name, given, arrays, trial)


def _given(ranks: RankPrograms, single: Program, meaning: Reals) -> tuple[dict[str, Array], list[Arrays]]:
    """All sources, and each rank's part of them."""
    drawn = {each.name: whole_value(each, meaning) for each in single.sources}
    arrays = within_domains(drawn, single, unasked(ranks, single))
    empty = Program(name="", mesh=ranks.mesh, sources=(), statements=(), outputs=())
    parts = {each.name: split(each, arrays[each.name], empty, meaning) for each in ranks.sources}
    return arrays, own_arrays(parts, ranks)


def _observed(ranks: RankPrograms, single: Program, name: str, given: Mapping[str, Array], own: Sequence[Arrays],
              trial: Trial) -> _Run | None:  # fmt: skip
    """The ranks' values of an output or an update in the placement in which most of it is right."""
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
    best: _Run | None = None
    for intervals in _choices(ranks, name, part.array.shape):
        if any(array.shape != lengths(each) for array, each in zip(arrays, intervals, strict=True)):
            continue
        cut = [_cut(part.array, each) for each in intervals]
        made = [array.astype(np.float64) for array in arrays]
        if name in updated and theirs != name:
            before = [mine[name] for mine in values]
            made = [each - old for each, old in zip(made, before, strict=True)]
            cut = [each - old for each, old in zip(cut, before, strict=True)]
        found = _Run(tuple(made), tuple(cut), intervals)
        if best is None or _right(found) > _right(best):
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


def _cut(array: Array, part: Intervals) -> Array:
    return np.asarray(array[tuple(slice(each.start, each.stop) for each in part)], dtype=np.float64)


def _same(left: Array, right: Array) -> bool:
    return left.shape == right.shape and bool(np.allclose(left, right, rtol=1e-7, atol=1e-10))


def _right(found: _Run) -> int:
    return sum(_same(array, part) for array, part in zip(found.arrays, found.parts, strict=True))


def _axes(ranks: RankPrograms) -> list[tuple[str, int, tuple[tuple[int, ...], ...]]]:
    """Each axis, then all of them: words, number of ranks and groups."""
    listed = [(f"{axis.name} = {axis.size}", axis.size, axis_groups(ranks.mesh, (number,)))
              for number, axis in enumerate(ranks.mesh)]  # fmt: skip
    if len(ranks.mesh) > 1:
        count = world(ranks.mesh)
        listed.append((f"all {count} ranks", count, (tuple(range(count)),)))
    return [each for each in listed if each[1] > 1]


def _factors(ranks: RankPrograms, runs: Sequence[_Run]) -> Iterator[str]:
    for words, count, _ in _axes(ranks):
        for factor in (count, 1 / count):
            pairs = [pair for each in runs for pair in zip(each.arrays, each.parts, strict=True)]
            if all(_same(array, factor * part) for array, part in pairs) and any(part.any() for _, part in pairs):
                if not communicates(ranks):
                    yield f"it is {factor:g} times that of one device"
                    return
                yield (
                    f"it is too large by {count}, the number of ranks: a mean over {words} is missing, or what all "
                    "have is added up" if factor > 1 else
                    f"it is too small by {count}, the number of ranks: what is a sum over {words} is divided by it"
                )  # fmt: skip


def _sums(ranks: RankPrograms, runs: Sequence[_Run]) -> Iterator[str]:
    for words, count, groups in _axes(ranks):
        alike = all(each.intervals[rank] == each.intervals[group[0]]
                    for each in runs for group in groups for rank in group)  # fmt: skip
        if not alike:
            continue
        for divisor, kind in ((1, "sum"), (count, "mean")):
            if all(
                _same(sum((each.arrays[rank] for rank in group), np.zeros(())) / divisor, each.parts[group[0]])
                for each in runs
                for group in groups
            ):
                yield f"each rank has its own: a {kind} over {words} is missing, which would be right"


def communicates(ranks: RankPrograms) -> bool:
    """Return true if ranks exchange anything."""
    return any(not isinstance(each, Computed | Alone) for each in ranks.statements)


def _others(runs: Sequence[_Run]) -> Iterator[str]:
    """Ranks that have the parts of others, elements in another order."""
    count = len(runs[0].arrays)
    sources = []
    for rank in range(count):
        held = [other for other in range(count) if all(_same(each.arrays[rank], each.parts[other]) for each in runs)]
        sources.append(rank if rank in held else held[0] if held else -1)
    if all(source >= 0 for source in sources):
        rank = next(rank for rank, source in enumerate(sources) if source != rank)
        said = part_text(runs[0].intervals[sources[rank]])
        yield f"rank {rank} has the part {said}, which is that of rank {sources[rank]}"
    pairs = [pair for each in runs for pair in zip(each.arrays, each.parts, strict=True)]
    everything = [(np.sort(np.concatenate([each.ravel() for each in one])) for one in (found.arrays, found.parts))
                  for found in runs]  # fmt: skip
    ordered = all(_same(np.sort(array, axis=None), np.sort(part, axis=None)) for array, part in pairs)
    if ordered or all(_same(mine, wanted) for mine, wanted in everything):
        yield "its elements are right, and in another order"


def _right_ones(runs: Sequence[_Run]) -> Iterator[str]:
    """Ranks that are right, where not all are wrong."""
    count = len(runs[0].arrays)
    right = [rank for rank in range(count) if all(_same(each.arrays[rank], each.parts[rank]) for each in runs)]
    if right and len(right) < count:
        wrong = [rank for rank in range(count) if rank not in right]
        yield f"it is right on {_listed(right)} and wrong on {_listed(wrong)}"


def _listed(ranks: Sequence[int]) -> str:
    return ("rank " if len(ranks) == 1 else "ranks ") + ", ".join(map(str, ranks))


def _missing(ranks: RankPrograms, single: Program, name: str, trial: Trial) -> str:
    """A source of which another rank's part changes what a rank should have, and not what it has."""
    count = world(ranks.mesh)
    if count > MOST_RANKS:
        return ""
    whole_arrays, own = _given(ranks, single, trial.meaning)
    before = _observed(ranks, single, name, whole_arrays, own, trial)
    for source in ranks.sources:
        if not source.layouts or source.dtype.is_whole or before is None:
            continue
        parts = placed_parts(source.layouts, ranks, source.shape)
        if isinstance(parts, Refusal):
            continue
        for other in range(count):
            changed = {key: array.copy() for key, array in whole_arrays.items()}
            changed[source.name][tuple(slice(each.start, each.stop) for each in parts[other])] += 0.125
            mine = [dict(each) for each in own]
            for rank in range(count):
                mine[rank][source.name] = _cut(changed[source.name], parts[rank])
            after = _observed(ranks, single, name, changed, mine, trial)
            if after is None or after.intervals != before.intervals:
                continue
            for rank in range(count):
                kept = _same(before.arrays[rank], after.arrays[rank])
                if rank != other and kept and not _same(before.parts[rank], after.parts[rank]):
                    return (f"what rank {other} has of {source.name}, {part_text(parts[other])}, is missing: rank "
                            f"{rank}'s value does not depend on it")  # fmt: skip
    return ""
