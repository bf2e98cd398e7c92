"""Diagnosis of a wrong value, such as too large by the number of ranks, a missing sum over ranks, or a wrong order.

Each diagnosis is an equation that holds on all ranks and elements for several sets of values:
    array = k * part                for a number of ranks k or 1 / k
    sum or mean of the arrays of an axis's ranks = part
    array = the part of another rank, or of another output; array = c * part for one number c
    array does not depend on a part of a source, while `part` does (`missing.py`)
For an updated parameter, the equations are on its change.
Complexity: one comparison of all elements for each equation and set of values.
Reference: Reiter, "A theory of diagnosis from first principles", 1987.

Example: every rank has 4 times its part on 4 ranks: a sum that should be a mean.
"""

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from p2smt.tensor.meaning import DoesNotRunError
from p2smt.tensor.placing import world
from p2smt.tensor.program import Program
from p2smt.tensor.ranks.comparison import wrong_values
from p2smt.tensor.ranks.domains import beside
from p2smt.tensor.ranks.exchange import axis_groups
from p2smt.tensor.ranks.missing import missing
from p2smt.tensor.ranks.observation import Observation, observation, right_count, same
from p2smt.tensor.ranks.parts import part_text
from p2smt.tensor.ranks.programs import LocalCall, OneRankCall, RankPrograms
from p2smt.tensor.ranks.repairs import repaired
from p2smt.tensor.verification.values import Trial, trials

RUNS = 2
"""The number of sets of values that expose the mistake and must satisfy an equation."""


def cause(ranks: RankPrograms, single: Program, name: str) -> str:
    """Return the cause of a wrong observed value; empty if no equation explains it."""
    with np.errstate(all="ignore"):
        return _cause(ranks, single, name)


def _cause(ranks: RankPrograms, single: Program, name: str) -> str:
    shown = []
    for trial in trials(single):
        try:
            found = observation(ranks, single, name, trial)
        except (DoesNotRunError, KeyError):
            return ""
        if found is not None and right_count(found) < len(found.arrays) and _is_finite(found):
            shown.append((trial, found))
        if len(shown) == RUNS:
            break
    if not shown:
        return ""
    runs = [found for _, found in shown]
    answers = (
        *_kept(ranks, name, runs),
        *_factors(ranks, runs),
        *_sums(ranks, runs),
        *_others(runs),
        *_exchanged(ranks, single, name, shown),
    )
    if answers:
        return answers[0]
    tried = [trial for trial, _ in shown]
    return (
        repaired(ranks, single, tried, name)
        or next(chain(_ratios(runs), _right_ones(runs)), "")
        or _of_ignored(ranks, single)
        or missing(ranks, single, name, tried)
    )


def _is_finite(found: Observation) -> bool:
    return all(bool(np.isfinite(each).all()) for each in (*found.arrays, *found.parts))


def _axes(ranks: RankPrograms) -> list[tuple[str, int, tuple[tuple[int, ...], ...]]]:
    """Return the mesh axes of several ranks, then all of them together: description, number of ranks, groups."""
    listed = [
        (f"{axis.name} = {axis.size}", axis.size, axis_groups(ranks.mesh, (number,)))
        for number, axis in enumerate(ranks.mesh)
    ]
    if len(ranks.mesh) > 1:
        count = world(ranks.mesh)
        listed.append((f"all {count} ranks", count, (tuple(range(count)),)))
    return [each for each in listed if each[1] > 1]


def _factors(ranks: RankPrograms, runs: Sequence[Observation]) -> Iterator[str]:
    for words, count, _ in _axes(ranks):
        for factor in (count, 1 / count):
            pairs = [pair for each in runs for pair in zip(each.arrays, each.parts, strict=True)]
            if all(same(array, factor * part) for array, part in pairs) and any(part.any() for _, part in pairs):
                if not communicates(ranks):
                    yield f"it is {factor:g} times that of one device"
                    return
                yield (
                    f"it is too large by {count}, the number of ranks: a mean over {words} is missing, or what all "
                    "have is added up"
                    if factor > 1
                    else f"it is too small by {count}, the number of ranks: what is a sum over {words} is divided by it"
                )


def _sums(ranks: RankPrograms, runs: Sequence[Observation]) -> Iterator[str]:
    for words, count, groups in _axes(ranks):
        alike = all(
            each.intervals[rank] == each.intervals[group[0]] for each in runs for group in groups for rank in group
        )
        if not alike:
            continue
        for divisor, kind in ((1, "sum"), (count, "mean")):
            if all(
                same(sum((each.arrays[rank] for rank in group), np.zeros(())) / divisor, each.parts[group[0]])
                for each in runs
                for group in groups
            ):
                yield f"each rank has its own: a {kind} over {words} is missing, which would be right"


def communicates(ranks: RankPrograms) -> bool:
    """True if ranks exchange any data."""
    return any(not isinstance(each, LocalCall | OneRankCall) for each in ranks.statements)


def _others(runs: Sequence[Observation]) -> Iterator[str]:
    """Yield findings that ranks hold each other's parts, or their elements in another order."""
    count = len(runs[0].arrays)
    sources = []
    for rank in range(count):
        held = [other for other in range(count) if all(same(each.arrays[rank], each.parts[other]) for each in runs)]
        sources.append(rank if rank in held else held[0] if held else -1)
    if all(source >= 0 for source in sources):
        rank = next(rank for rank, source in enumerate(sources) if source != rank)
        said = part_text(runs[0].intervals[sources[rank]])
        yield f"rank {rank} has the part {said}, which is that of rank {sources[rank]}"
    pairs = [pair for each in runs for pair in zip(each.arrays, each.parts, strict=True)]
    everything = [
        (np.sort(np.concatenate([each.ravel() for each in one])) for one in (found.arrays, found.parts))
        for found in runs
    ]
    # Sorting compares multisets: first within each rank, then over all ranks together.
    ordered = all(same(np.sort(array, axis=None), np.sort(part, axis=None)) for array, part in pairs)
    if ordered or all(same(mine, wanted) for mine, wanted in everything):
        yield "its elements are right, and in another order"


def _kept(ranks: RankPrograms, name: str, runs: Sequence[Observation]) -> Iterator[str]:
    """Yield the finding that only some ranks update a source."""
    count = len(runs[0].arrays)
    kept = [rank for rank in range(count) if not any(each.arrays[rank].any() for each in runs)]
    right = [rank for rank in range(count) if all(same(each.arrays[rank], each.parts[rank]) for each in runs)]
    if name in dict(ranks.updates) and kept and right and len(kept) + len(right) == count:
        yield f"it is updated on {_listed(right)} alone: {_listed(kept)} keeps what it was given; broadcast it"


def _ratios(runs: Sequence[Observation]) -> Iterator[str]:
    """Yield the constant factor between all elements and the right ones."""
    pairs = [pair for each in runs for pair in zip(each.arrays, each.parts, strict=True)]
    made, wanted = (np.concatenate([pair[side].ravel() for pair in pairs]) for side in (0, 1))
    # The largest element gives the factor with the smallest relative rounding error.
    at = int(np.argmax(np.abs(wanted)))
    factor = made[at] / wanted[at] if wanted[at] else 0.0
    if factor and same(made, factor * wanted):
        yield f"it is {factor:g} times that of one device"


def _exchanged(
    ranks: RankPrograms, single: Program, name: str, shown: Sequence[tuple[Trial, Observation]]
) -> Iterator[str]:
    """Yield the finding that the value is that of another output or update."""
    for other in (*dict(ranks.outputs), *dict(ranks.updates)):
        found = [(mine, observation(ranks, single, other, trial)) for trial, mine in shown if other != name]
        if found and all(its is not None and all(map(same, mine.arrays, its.parts)) for mine, its in found):
            yield f"it has the value that {other} should have"


def _of_ignored(ranks: RankPrograms, single: Program) -> str:
    """Return the finding that only ignored class indices are handled wrongly; empty otherwise."""
    numbers = beside(single)
    if not numbers or any(
        wrong_values(ranks, single, trial.meaning, trial.step, without=numbers) is not None for trial in trials(single)
    ):
        return ""
    said = " or ".join(f"{name} is {', '.join(map(str, sorted(each)))}" for name, each in sorted(numbers.items()))
    return f"it is right but where {said}, which {single.name} ignores, and ranks count, or divide by a count of all"


def _right_ones(runs: Sequence[Observation]) -> Iterator[str]:
    """Yield the finding that some ranks have right values and others do not."""
    count = len(runs[0].arrays)
    right = [rank for rank in range(count) if all(same(each.arrays[rank], each.parts[rank]) for each in runs)]
    if right and len(right) < count:
        wrong = [rank for rank in range(count) if rank not in right]
        yield f"it is right on {_listed(right)} and wrong on {_listed(wrong)}"


def _listed(ranks: Sequence[int]) -> str:
    return ("rank " if len(ranks) == 1 else "ranks ") + ", ".join(map(str, ranks))
