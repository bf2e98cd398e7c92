"""A diagnosis by repair: the one value of ranks with which, if it were another one, what is observed is right.

Tried are, of values that the wrong output depends on, in the order in which they are computed, the changes of
`sum_repairs.py` and `order_repairs.py`; then the changes of several values at once that puts all in order. A repair is
said if with it every output is right on several sets of values; of several the first. If there is none, one is said
that makes the output right alone, and no other wrong. Time: what depends on a value is computed again for each repair
of it, of at most MOST_COMPUTED calls.

Example: y = relu(x a_r) b_r on rank r, and y + c is given: the sum of y over ranks is missing, and not that of y + c.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, product

import numpy as np

from p2smt.tensor.meaning import DoesNotRunError, Parts
from p2smt.tensor.operation import Array
from p2smt.tensor.placing import world
from p2smt.tensor.program import Program
from p2smt.tensor.ranks.comparison import all_wrong, both_run
from p2smt.tensor.ranks.order_repairs import (
    counted,
    of_other_ranks,
    offsets,
    other_blocks,
    other_orders,
    other_slices,
    unmasked,
)
from p2smt.tensor.ranks.programs import RankPrograms, RankStatement, new_version
from p2smt.tensor.ranks.repair import RIGHT, Kind, RankValue, Repair, made_by, read_by
from p2smt.tensor.ranks.simulation import Origin, Simulation
from p2smt.tensor.ranks.sum_repairs import alike_addends, factors, missing_sums, other_sums
from p2smt.tensor.verification.values import Trial

MOST_COMPUTED = 40_000
"""Calls of ranks that are computed again, some 20 us each; what else takes time counts as so many calls."""
COMPARED, LOOKED_AT = 20, 8
"""Calls that take as long as comparing one output; statements inspected in the time of one call."""
_KINDS: tuple[Kind, ...] = (
    missing_sums,
    other_sums,
    other_slices,
    other_orders,
    other_blocks,
    offsets,
    unmasked,
    alike_addends,
)
_UNLIKELY: tuple[Kind, ...] = (factors, of_other_ranks)


def repaired(ranks: RankPrograms, single: Program, trials: Sequence[Trial], name: str) -> str:
    """The message of the first repair that makes all outputs, else the one of this name, right; empty if none does."""
    try:
        runs = [_Run(ranks, single, trial) for trial in trials]
    except DoesNotRunError:
        return ""
    if not runs or any(not each.wrong for each in runs):
        return ""
    wanted = _observed(ranks).get(name, name)
    alone, left = "", MOST_COMPUTED
    for words, found, effort in _tried(ranks, runs, wanted):
        left -= effort
        if left < 0:
            break
        if not any(found):
            return words.replace(RIGHT, "all would be right")
        if not alone and all(wanted not in each for each in found):
            alone = words.replace(RIGHT, f"{name} would be right")
    return _in_order(runs) or alone


def _tried(ranks: RankPrograms, runs: Sequence["_Run"], wanted: str) -> Iterator[tuple[str, list[frozenset[str]], int]]:
    """Per repair: its message, what stays wrong on each set of values tried, and the calls computed again."""
    reads = _reads(ranks)
    first, *others = runs
    names = _candidates(ranks, reads, wanted)
    compared = len(_observed(ranks)) * COMPARED
    for kinds in (_KINDS, _UNLIKELY):
        for name in names:
            # Computing nothing but looking through the statements costs time as well, which counts
            # as some calls.
            yield "", [first.wrong], len(ranks.statements) // LOOKED_AT
            after = _after(ranks, reads, name)
            for words, repair in first.repairs(name, kinds).items():
                effort = len(after) * world(ranks.mesh) + compared
                found = [first.wrong_with(repair, after)]
                for each in others:
                    # A repair that changes nothing, or leaves the wanted output wrong, needs no
                    # second set of values.
                    if found[-1] == first.wrong or wanted in found[-1]:
                        break
                    effort += len(after) * world(ranks.mesh) + compared
                    again = each.repairs(name, kinds).get(words)
                    found.append(each.wrong if again is None else each.wrong_with(again, after))
                yield words, found, effort


def _in_order(runs: Sequence["_Run"]) -> str:
    """The message for the first of several misplaced values, if putting all of them in order makes everything right."""
    for kinds, all_of_them in product(((other_orders,), (other_blocks,), (other_orders, other_blocks)), (False, True)):
        words = [each.in_order(kinds, all_of_them=all_of_them) for each in runs]
        if all(words) and len(set(words)) == 1:
            return words[0].replace(RIGHT, "and others like it all would be right")
    return ""


class _Run:
    """All ranks, and one device, on one set of values."""

    def __init__(self, ranks: RankPrograms, single: Program, trial: Trial) -> None:
        self._ranks, self._single, self._trial, self._meaning = ranks, single, trial, trial.meaning
        self._expected: Mapping[str, Parts]
        self._expected, self._simulation = both_run(ranks, single, self._meaning, trial.step)
        arrays = {name: part.array for name, (part,) in self._expected.items() if part is not None}
        self._whole = {name: array for name, array in arrays.items() if array.size and np.ptp(array) != 0}
        self.wrong = self._wrong(self._simulation)

    def _wrong(self, simulation: Simulation) -> frozenset[str]:
        observed = _observed(self._ranks)
        found = all_wrong(self._ranks, self._single, self._expected, simulation.values, self._meaning)
        return frozenset(observed.get(each.name, each.name) for each in found)

    def repairs(self, name: str, kinds: Sequence[Kind]) -> Mapping[str, Repair]:
        """Repairs by message."""
        held = self._held(name)
        return {} if held is None else {each.words: each for kind in kinds for each in kind(held)}

    def _held(self, name: str) -> RankValue | None:
        values = self._simulation.values
        arrays = tuple(mine[name] for mine in values if name in mine)
        if len(arrays) < len(values) or any(each.shape != arrays[0].shape for each in arrays):
            return None
        return RankValue(self._ranks, name, arrays, values, self._whole, self._meaning)

    def wrong_with(self, repair: Repair, after: Sequence[RankStatement]) -> frozenset[str]:
        """The outputs that stay wrong with a repair, after recomputing everything that depends on it."""
        simulation = self._simulation.with_arrays(repair.arrays)
        try:
            for statement in after:
                simulation.run(statement)
        except DoesNotRunError:
            return self.wrong
        simulation.update()
        return self._wrong(simulation)

    def in_order(self, kinds: Sequence[Kind], *, all_of_them: bool) -> str:
        """The words of the first value that has other parts, if all is right with all of them, or the first, in order.

        The first are those that depend on no other one.
        """
        fixed: dict[Origin, Array] = {}
        words, later = "", set[str]()
        for statement in self._ranks.statements:
            depends = not all_of_them and not later.isdisjoint(read_by(statement))
            for name in made_by(statement):
                held = self._held(name)
                made = chain.from_iterable(kind(held) for kind in kinds) if held and name not in later else iter(())
                found = next(made, None)
                if found is not None:
                    words = words or found.words
                    fixed |= found.arrays
                if depends or (found is not None and not all_of_them):
                    later.add(name)
        return words if fixed and not self._wrong_with_all(fixed) else ""

    def _wrong_with_all(self, fixed: Mapping[Origin, Array]) -> frozenset[str]:
        """The outputs that stay wrong if these values are replaced as soon as they are computed."""
        sources = {source.name for source in self._ranks.sources}
        given = [{name: mine[name] for name in sources if name in mine} for mine in self._simulation.values]
        simulation = Simulation(self._ranks, given, self._meaning, self._trial.step)
        try:
            for statement in self._ranks.statements:
                simulation.run(statement)
                for name in made_by(statement):
                    _replaced(simulation.values, name, fixed)
        except DoesNotRunError:
            return self.wrong
        simulation.update()
        return self._wrong(simulation)


def _replaced(values: Sequence[dict[str, Array]], name: str, fixed: Mapping[Origin, Array]) -> None:
    for rank, mine in enumerate(values):
        if name in mine and (rank, name) in fixed:
            mine[name] = fixed[rank, name]


def _observed(ranks: RankPrograms) -> Mapping[str, str]:
    """Names of values by what is observed."""
    return {**dict(ranks.outputs), **{source: new_version(source) for source, _ in ranks.updates}}


def _reads(ranks: RankPrograms) -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for statement in ranks.statements:
        for name in made_by(statement):
            found[name] = found.get(name, frozenset()).union(read_by(statement))
    for source, value in ranks.updates:
        found[new_version(source)] = frozenset((value,))
    return found


def _candidates(ranks: RankPrograms, reads: Mapping[str, frozenset[str]], wanted: str) -> list[str]:
    """Values that an output depends on, or is, in the order of computing; of sources those that are whole numbers."""
    seen, rest = set[str](), [wanted]
    while rest:
        each = rest.pop()
        if each not in seen:
            seen.add(each)
            rest += reads.get(each, frozenset())
    numbers = counted(ranks)
    names = dict.fromkeys(source.name for source in ranks.sources if source.name in numbers)
    names |= dict.fromkeys(name for statement in ranks.statements for name in made_by(statement))
    return [name for name in names if name in seen]


def _after(ranks: RankPrograms, reads: Mapping[str, frozenset[str]], name: str) -> list[RankStatement]:
    """The statements that depend on a value, in their order."""
    changed = {name}
    found = []
    for statement in ranks.statements:
        if not changed.isdisjoint(read_by(statement)) and name not in made_by(statement):
            changed.update(made_by(statement))
            found.append(statement)
    return found
