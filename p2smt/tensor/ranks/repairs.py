"""A diagnosis by repair: the one value of ranks with which, if it were another one, all that is observed is right.

Tried are, of values that all wrong outputs depend on, in the order in which they are computed:

    the sum and the mean over an axis's ranks         a sum, or a mean, is missing there; a maximum, if it is one
    what a sum over ranks is given                    that sum is one too many
    k and 1 / k times the result of a sum             it is a sum that should be a mean, or a mean that should be a sum
    the slice that another rank takes                 each rank takes the slice of another

A repair is said if with it every output is right on several sets of values; of several the first. Time: what depends on
a value is computed again for each repair of it, of at most MOST_COMPUTED calls.

Example: y = relu(x a_r) b_r on rank r, and y + c is given: the sum of y over ranks is missing, and not that of y + c.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from p2smt.tensor.conversion import AllReduce, ReduceScatter
from p2smt.tensor.layout import Reduction
from p2smt.tensor.meaning import DoesNotRunError, Parts
from p2smt.tensor.operation import Array
from p2smt.tensor.placing import world
from p2smt.tensor.program import Call, Program, Read
from p2smt.tensor.ranks.comparison import all_wrong, both_run
from p2smt.tensor.ranks.exchange import axis_groups
from p2smt.tensor.ranks.programs import (
    Alone,
    Computed,
    Delivered,
    Exchanged,
    Met,
    Permuted,
    RankPrograms,
    RankStatement,
    new_version,
)
from p2smt.tensor.ranks.simulation import Origin
from p2smt.tensor.verification.values import Trial

_KINDS = (("maximum", Reduction.MAX), ("sum", Reduction.SUM), ("mean", Reduction.SUM))
MOST_COMPUTED = 40_000
"""Calls of ranks that are computed again, some 20 us each."""


@dataclass(frozen=True, slots=True)
class Repair:
    """Other arrays for a value, and what that says of it."""

    arrays: Mapping[Origin, Array]
    words: str


def repaired(ranks: RankPrograms, single: Program, trials: Sequence[Trial]) -> str:
    """The message of the first repair that makes all outputs right on these sets of values; empty if none does."""
    try:
        runs = [_Run(ranks, single, trial) for trial in trials]
    except DoesNotRunError:
        return ""
    if not runs or any(not each.wrong for each in runs):
        return ""
    first, *others = runs
    reads = _reads(ranks)
    left = MOST_COMPUTED
    for name in _candidates(ranks, reads, first.wrong):
        after = _after(ranks, reads, name)
        for words in first.repairs(name):
            left -= len(after) * world(ranks.mesh)
            if left < 0:
                return ""
            if first.is_right(name, words, after) and all(each.is_right(name, words, after) for each in others):
                return words
    return ""


class _Run:
    """All ranks, and one device, on one set of values."""

    def __init__(self, ranks: RankPrograms, single: Program, trial: Trial) -> None:
        self._ranks, self._single, self._meaning = ranks, single, trial.meaning
        self._expected: Mapping[str, Parts]
        self._expected, self._simulation = both_run(ranks, single, self._meaning, trial.step)
        found = all_wrong(ranks, single, self._expected, self._simulation.values, self._meaning)
        observed = {**dict(ranks.outputs), **{source: new_version(source) for source, _ in ranks.updates}}
        self.wrong = tuple(dict.fromkeys(observed.get(each.name, each.name) for each in found))

    def repairs(self, name: str) -> Mapping[str, Repair]:
        """By what they say."""
        values = self._simulation.values
        held = [mine.get(name) for mine in values]
        arrays = [each for each in held if each is not None]
        if len(arrays) < len(held) or any(each.shape != arrays[0].shape for each in arrays):
            return {}
        listed = (*self._sums(name, arrays), *self._of_collectives(name, arrays), *self._slices(name, arrays))
        return {each.words: each for each in listed}

    def _sums(self, name: str, arrays: Sequence[Array]) -> Iterator[Repair]:
        if _is_exchanged(self._ranks, name) or _is_given_to_a_sum(self._ranks, name):
            return
        is_largest = _is_all(self._ranks, name, "max", "max_kept")
        for words, groups in _axes(self._ranks):
            if all(np.array_equal(arrays[rank], arrays[group[0]]) for group in groups for rank in group):
                continue
            for kind, reduction in _KINDS if is_largest else _KINDS[1:]:
                made: dict[Origin, Array] = {}
                for group in groups:
                    total = self._meaning.reduced(reduction, [arrays[rank] for rank in group])
                    whole = total / len(group) if kind == "mean" else total
                    made |= {(rank, name): whole for rank in group}
                yield Repair(made, f"a {kind} of {name} over {words} is missing; with it all would be right")

    def _of_collectives(self, name: str, arrays: Sequence[Array]) -> Iterator[Repair]:
        found = _sum_of(self._ranks, name)
        if found is None:
            return
        operands, count = found
        given = {origin: self._simulation.values[origin[0]][operand] for origin, operand in operands.items()}
        if all(given[rank, name].shape == array.shape for rank, array in enumerate(arrays)):
            yield Repair(given, f"the sum {name} over ranks is one too many; without it all would be right")
        for factor, words in ((1 / count, f"{name} is a sum where a mean would be right"),
                              (count, f"{name} is too small by {count}, the number of ranks: with the sum all would "
                                      "be right")):  # fmt: skip
            yield Repair({(rank, name): array * factor for rank, array in enumerate(arrays)}, words)

    def _slices(self, name: str, arrays: Sequence[Array]) -> Iterator[Repair]:
        if not _is_all(self._ranks, name, "slice"):
            return
        count = len(arrays)
        for shift in range(1, count):
            moved = {(rank, name): arrays[(rank + shift) % count] for rank in range(count)}
            said = f"{name} on rank 0 is the slice of another: with that of rank {shift}, and so on, all would be right"
            yield Repair(moved, said)

    def is_right(self, name: str, words: str, after: Sequence[RankStatement]) -> bool:
        """True if all that is observed is right with the repair of a value that says so."""
        repair = self.repairs(name).get(words)
        if repair is None:
            return False
        simulation = self._simulation.with_arrays(repair.arrays)
        try:
            for statement in after:
                simulation.run(statement)
        except DoesNotRunError:
            return False
        simulation.update()
        return not any(all_wrong(self._ranks, self._single, self._expected, simulation.values, self._meaning))


def _axes(ranks: RankPrograms) -> list[tuple[str, tuple[tuple[int, ...], ...]]]:
    listed = [(f"{axis.name} = {axis.size}", axis_groups(ranks.mesh, (number,)))
              for number, axis in enumerate(ranks.mesh) if axis.size > 1]  # fmt: skip
    if len(listed) > 1:
        listed.append((f"all {world(ranks.mesh)} ranks", (tuple(range(world(ranks.mesh))),)))
    return listed


def _made(statement: RankStatement) -> tuple[str, ...]:
    """The names of what a statement makes."""
    match statement:
        case Met():
            return statement.names
        case Computed() | Exchanged() | Permuted() | Alone() | Delivered():
            return (statement.name,)


def _read(statement: RankStatement) -> tuple[str, ...]:
    """The names of what a statement reads."""
    match statement:
        case Computed(_, calls):
            listed: Sequence[Call] = calls
        case Alone(_, _, call):
            listed = (call,)
        case Met():
            return statement.operands
        case Exchanged() | Permuted() | Delivered():
            return (statement.operand,)
    return tuple(each.name for call in listed for each in call.operands if isinstance(each, Read))


def _reads(ranks: RankPrograms) -> Mapping[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for statement in ranks.statements:
        for name in _made(statement):
            found[name] = found.get(name, frozenset()).union(_read(statement))
    for source, value in ranks.updates:
        found[new_version(source)] = frozenset((value,))
    return found


def _candidates(ranks: RankPrograms, reads: Mapping[str, frozenset[str]], wrong: Sequence[str]) -> list[str]:
    """Values that all wrong outputs depend on, or are, in the order of computing."""
    common: set[str] | None = None
    for name in wrong:
        seen, rest = set[str](), [name]
        while rest:
            each = rest.pop()
            if each not in seen:
                seen.add(each)
                rest += reads.get(each, frozenset())
        common = seen if common is None else common & seen
    names = dict.fromkeys(name for statement in ranks.statements for name in _made(statement))
    return [name for name in names if name in (common or ())]


def _after(ranks: RankPrograms, reads: Mapping[str, frozenset[str]], name: str) -> list[RankStatement]:
    """The statements that depend on a value, in their order."""
    changed = {name}
    found = []
    for statement in ranks.statements:
        if not changed.isdisjoint(_read(statement)) and name not in _made(statement):
            changed.update(_made(statement))
            found.append(statement)
    return found


def _is_exchanged(ranks: RankPrograms, name: str) -> bool:
    return any(name in _made(each) for each in ranks.statements if not isinstance(each, Computed | Alone))


def _is_given_to_a_sum(ranks: RankPrograms, name: str) -> bool:
    """True for what is added up over ranks anyway: with another sum that one would be too large."""
    # What other collectives are given may be a summand.
    return any(isinstance(each, Exchanged | Met) and name in _read(each) and _is_sum(each.conversion)
               for each in ranks.statements)  # fmt: skip


def _sum_of(ranks: RankPrograms, name: str) -> tuple[Mapping[Origin, str], int] | None:
    """Each rank's summand of the sum over ranks of this name, and the number of ranks; None for other values."""
    found: dict[Origin, str] = {}
    count = 0
    for statement in ranks.statements:
        # Of collectives that add nothing up nothing is said.
        if isinstance(statement, Exchanged) and statement.name == name and _is_sum(statement.conversion):
            found |= {(rank, name): statement.operand for group in statement.groups for rank in group}
            count = len(statement.groups[0])
        elif isinstance(statement, Met) and name in statement.names and _is_sum(statement.conversion):
            found |= {(rank, mine): operand for rank, mine, operand in
                      zip(statement.group, statement.names, statement.operands, strict=True)}  # fmt: skip
            count = len(statement.group)
    complete = all((rank, name) in found for rank in range(world(ranks.mesh)))
    return (found, count) if found and complete and count > 1 else None


def _is_sum(conversion: object) -> bool:
    # only: other collectives, and maxima, add nothing up
    return isinstance(conversion, AllReduce | ReduceScatter) and conversion.reduction is Reduction.SUM


def _is_all(ranks: RankPrograms, name: str, *operations: str) -> bool:
    """True if every rank has a value of this name from one of these operations."""
    calls: list[Call] = []
    for statement in ranks.statements:
        match statement:
            case Computed(made, theirs) if made == name:
                calls += theirs
            case Alone(made, _, call) if made == name:
                calls.append(call)
            case _:
                pass
    return bool(calls) and all(call.operation in operations for call in calls)
