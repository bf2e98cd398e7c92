"""Search for parts of sources on which a value should depend, but does not.

Method: perturbation analysis. One part is changed by a different amount per element, so that differences and ratios
change too; then a rank misses the part if
    value on one device changes where the rank holds it,  and  the rank's own value stays the same.
A finding must hold for several sets of values, since a change may be too small to show on one. The search explains a
mistake that is proved elsewhere; it proves nothing itself.
Complexity: two runs of both programs for each part and set of values, at most `MOST_COMPUTED` calls in all.
Reference: Zeller, "Isolating cause-effect chains from computer programs", 2002 (changed inputs show causes).

Example: y = x summed over ranks, but without the all-reduce: rank 0's value does not change with rank 1's part of x.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from math import prod

import numpy as np

from p2smt.tensor.expression import Source
from p2smt.tensor.frame import Interval, Intervals, whole
from p2smt.tensor.placing import world
from p2smt.tensor.program import Program
from p2smt.tensor.ranks.observation import cut, given_arrays, observed, same
from p2smt.tensor.ranks.parts import part_text, placed_parts
from p2smt.tensor.ranks.programs import RankPrograms
from p2smt.tensor.reason import Refusal
from p2smt.tensor.verification.values import Trial

MOST_RANKS = 8
MOST_ROWS = 8
"""The largest number of indices of a source that are changed one at a time."""
MOST_COMPUTED = 40_000
"""The largest number of recomputed calls."""
_ROW = -1
"""Stands for a rank number in a block that is an index of the unsharded source."""


def missing(ranks: RankPrograms, single: Program, name: str, tried: Sequence[Trial]) -> str:
    """Return a message about a part of a source that should affect a rank's value, but does not.

    The part is that of another rank, or one index. Empty if there is none.
    """
    if world(ranks.mesh) > MOST_RANKS:
        return ""
    most = MOST_COMPUTED // max(1, len(ranks.statements) * world(ranks.mesh) * len(tried))
    for source, other, block in islice(chain(_parts_of_ranks(ranks), _rows(ranks)), most):
        found = [_independent(ranks, single, name, (source, other, block), trial) for trial in tried]
        common = set[int].intersection(*found) if found else set()
        if common:
            whose = f"what rank {other} has of {source.name}, " if other != _ROW else source.name
            return f"{whose}{part_text(block)}, is missing: rank {min(common)}'s value does not depend on it"
    return ""


_Block = tuple[Source, int, Intervals]


def _parts_of_ranks(ranks: RankPrograms) -> Iterator[_Block]:
    for source in _changed(ranks):
        parts = placed_parts(source.layouts, ranks, source.shape)
        if source.layouts and not isinstance(parts, Refusal):
            yield from ((source, rank, part) for rank, part in enumerate(parts))


def _rows(ranks: RankPrograms) -> Iterator[_Block]:
    for source in _changed(ranks):
        rest = tuple(whole(source.shape))[1:]
        for row in range(min(source.shape[0], MOST_ROWS)):
            yield source, _ROW, (Interval(row, row + 1), *rest)


def _changed(ranks: RankPrograms) -> list[Source]:
    return [source for source in ranks.sources if not source.dtype.is_whole and source.shape]


def _independent(ranks: RankPrograms, single: Program, name: str, at: _Block, trial: Trial) -> set[int]:
    """Return the ranks whose value should change with this block of a source, but does not."""
    source, other, block = at
    whole_arrays, own = given_arrays(ranks, single, trial.meaning)
    parts = placed_parts(source.layouts, ranks, source.shape)
    before = observed(ranks, single, name, whole_arrays, own, trial)
    if before is None or isinstance(parts, Refusal):
        return set()
    changed = {key: array.copy() for key, array in whole_arrays.items()}
    place = tuple(slice(each.start, each.stop) for each in block)
    shape = changed[source.name][place].shape
    # Different amounts per element: equal ones would leave softmax and differences unchanged.
    changed[source.name][place] += np.linspace(0.125, 0.25, prod(shape)).reshape(shape)
    mine = [{**each, source.name: cut(changed[source.name], part)} for each, part in zip(own, parts, strict=True)]
    after = observed(ranks, single, name, changed, mine, trial)
    if after is None or after.intervals != before.intervals:
        return set()
    return {
        rank
        for rank in range(world(ranks.mesh))
        if rank != other
        and same(before.arrays[rank], after.arrays[rank])
        and not same(before.parts[rank], after.parts[rank])
    }
