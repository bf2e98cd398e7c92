"""Diagnosis by repair: find one value of the ranks whose replacement makes the observed values right.

For each value that the wrong output depends on, in order of execution, the replacements of `sum_repairs.py` and
`order_repairs.py` are tried; then replacements of several misplaced values at once. The first repair that makes
every output right on several sets of values is reported; failing that, one that makes this output right. Time: each
repair recomputes everything that depends on the value, up to MOST_COMPUTED calls in total.

    repair(v) = r   if  outputs(program with v := r) = outputs on one device,   for several sets of values.

Reference: Reiter, "A theory of diagnosis from first principles", 1987.

Example: y = relu(x a_r) b_r on rank r, and y + c is returned: a sum over ranks is missing on y, not on y + c.
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
"""The largest number of recomputed calls, about 20 us each; other work counts as an equivalent number of calls."""
COMPARED, LOOKED_AT = 20, 8
"""The number of calls that take as long as comparing one output, and of statements inspected in the time of a call."""
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
    """Return the message of the first repair that makes all outputs right, else of one that makes this output right.

    Empty if there is none.
    """
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
    """Yield the outcome of each repair: its message, the outputs still wrong, and its cost.

    The second has one set per set of values tried; the cost is the number of recomputed calls.
    """
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
    """Return the message for the first of several misplaced values, if putting them in order makes all outputs right.

    Empty otherwise.
    """
    for kinds, all_of_them in product(((other_orders,), (other_blocks,), (other_orders, other_blocks)), (False, True)):
        words = [each.in_order(kinds, all_of_them=all_of_them) for each in runs]
        if all(words) and len(set(words)) == 1:
            return words[0].replace(RIGHT, "and others like it all would be right")
    return ""


class _Run:
    """The ranks and the single device on one set of values."""

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
        """Return the repairs of a value, by message."""
        held = self._held(name)
        return {} if held is None else {each.words: each for kind in kinds for each in kind(held)}

    def _held(self, name: str) -> RankValue | None:
        values = self._simulation.values
        arrays = tuple(mine[name] for mine in values if name in mine)
        if len(arrays) < len(values) or any(each.shape != arrays[0].shape for each in arrays):
            return None
        return RankValue(self._ranks, name, arrays, values, self._whole, self._meaning)

    def wrong_with(self, repair: Repair, after: Sequence[RankStatement]) -> frozenset[str]:
        """Return the outputs that stay wrong with a repair, after recomputing everything that depends on it."""
        simulation = self._simulation.with_arrays(repair.arrays)
        try:
            for statement in after:
                simulation.run(statement)
        except DoesNotRunError:
            return self.wrong
        simulation.update()
        return self._wrong(simulation)

    def in_order(self, kinds: Sequence[Kind], *, all_of_them: bool) -> str:
        """Return the message for the first misplaced value, if reordering makes every output right; empty otherwise.

        Reorders all misplaced values, or only those that depend on no other misplaced one.
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
        """Return the outputs that stay wrong if these values are replaced as soon as they are computed."""
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
    """Return the value name behind each output and updated source."""
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
    """Return the values that an output depends on, including itself, in order of execution.

    Of sources, only integer ones are included.
    """
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
    """Return the statements that depend on a value, in order."""
    changed = {name}
    found = []
    for statement in ranks.statements:
        if not changed.isdisjoint(read_by(statement)) and name not in made_by(statement):
            changed.update(made_by(statement))
            found.append(statement)
    return found
