"""Comparison of the ranks' values with the single-device program, rank by rank, over fields of random primes.

Schwartz-Zippel: two programs that compute different rational functions of degree at most d agree on random elements of
a field of p elements with probability at most d / p (Schwartz, "Fast probabilistic algorithms for verification of
polynomial identities", 1980). `TRIALS` seeds and primes make that a product. The seed is a hash of both programs, so it
is the same in every run, and no program can be written for it.

    P(agree by chance) <= (d / p)^`TRIALS`   for each element.

Complexity: `TRIALS` runs of all ranks and of the single-device program, element by element.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from hashlib import blake2b
from math import prod

import numpy as np

from p2smt.tensor.comparison import split, whole_value
from p2smt.tensor.expression import Call, Read, parts
from p2smt.tensor.frame import Intervals, whole
from p2smt.tensor.interpreter import run
from p2smt.tensor.meaning import DoesNotRunError, Part
from p2smt.tensor.operation import Array, Kind
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.prime_field import Guard, PrimeField
from p2smt.tensor.program import Program, all_text, versions
from p2smt.tensor.ranks.comparison import kept_values, own_arrays, placements, wrong_values
from p2smt.tensor.ranks.domains import index_domains
from p2smt.tensor.ranks.parts import lengths, placed_parts
from p2smt.tensor.ranks.programs import (
    ArrayPermutation,
    Delivery,
    GroupExchange,
    LocalCall,
    NamedExchange,
    OneRankCall,
    RankPrograms,
    new_version,
)
from p2smt.tensor.ranks.rank_field import RankField
from p2smt.tensor.ranks.simulation import Origin, simulated
from p2smt.tensor.reason import Refusal
from p2smt.tensor.shapes import flops, wholes
from p2smt.tensor.verification.effort import MOST_FLOPS_IN_FIELD, effort
from p2smt.tensor.verification.equality import TRIALS, Equal
from p2smt.tensor.verification.values import of_definedness
from p2smt.tensor.verification.verdict import Equality

MOST_ELEMENTS = 400_000
"""The largest number of elements in all arrays of all ranks; each takes about 10 us."""
_Guards = frozenset[Guard]
_DIFFER = (
    "relu, exp, casts and the like are taken for any functions over a prime field, and constants are exact there; "
    "there rank {rank} has another value of {name}"
)

_DEFINED = "no value is divided by 0, and no root or logarithm is of what has none; both programs have the same of them"


def equal_in_fields(ranks: RankPrograms, single: Program) -> Equal | str:
    """Return the assumptions under which all ranks hold the single-device values, or the reason why that is unknown.

    The caller has already found no difference in numpy.
    """
    if name := _random(ranks, single):
        return f"{name} draws random numbers, which are each rank's own"
    for trial in of_definedness(single):
        if (wrong := wrong_values(ranks, single, trial.meaning, trial.step)) is not None:
            return f"for some values one of the two alone has a number: {wrong}"
    if not _affordable(ranks, single):
        return "they are too large to be run over a prime field"
    first, guarded = _seed(ranks, single), False
    for seed in range(first, first + TRIALS):
        comparison = _Comparison(ranks, single, seed)
        try:
            found = comparison.result()
        except DoesNotRunError as cause:
            return f"over a prime field they do not run: {cause}"
        if isinstance(found, str):
            return found
        guarded = guarded or found
    return Equal(Equality.RANKS, (*((_DEFINED,) if guarded else ()), *_nearest(comparison.nearest)))


def _nearest(written: Set[float]) -> Iterator[str]:
    if written:
        few = sorted(written)[:3]
        more = f" and {len(written) - len(few)} more" if len(written) > len(few) else ""
        yield f"the fractions or roots that they are nearest to are meant by {', '.join(map(repr, few))}{more}"


def _calls(ranks: RankPrograms) -> list[tuple[int, Call, str]]:
    """Return every rank's calls as (rank, call, name)."""
    found = []
    for statement in ranks.statements:
        match statement:
            case LocalCall(name, calls):
                found += [(rank, call, name) for rank, call in enumerate(calls)]
            case OneRankCall(name, rank, call):
                found.append((rank, call, name))
            case GroupExchange() | NamedExchange() | Delivery() | ArrayPermutation():
                pass
    return found


def _random(ranks: RankPrograms, single: Program) -> str:
    """Return the first statement that draws random numbers; empty if there is none."""
    listed = [(call, name) for _, call, name in _calls(ranks)]
    for statement in single.statements:
        listed += [(part, statement.name) for part in parts(statement.expression) if isinstance(part, Call)]
    # only: all other kinds give the same for the same
    return next((name for call, name in listed if OPERATIONS[call.operation].kind is Kind.RANDOM), "")


def _affordable(ranks: RankPrograms, single: Program) -> bool:
    if not effort(single).affordable(PrimeField()):
        return False
    known = {source.name: source.shape for source in ranks.sources}
    counted = 0
    for rank, call, _ in _calls(ranks):
        shapes = ranks.shapes[rank]
        given = (
            shapes.get(each.name, known.get(each.name, ())) if isinstance(each, Read) else () for each in call.operands
        )
        local = tuple(given)
        if all(isinstance(each, Read) and each.name in shapes for each in call.operands):
            counted += flops(call, local)
        else:
            counted += sum(map(prod, local))
    elements = sum(prod(shape) for shapes in ranks.shapes for shape in shapes.values())
    return counted <= MOST_FLOPS_IN_FIELD and elements <= MOST_ELEMENTS


def _seed(ranks: RankPrograms, single: Program) -> int:
    """Return a seed that depends on both programs, so that nobody can write code for it.

    It is the same in every run.
    """
    text = repr((ranks.mesh, ranks.sources, ranks.statements, ranks.outputs, ranks.updates)) + all_text(single)
    return int.from_bytes(blake2b(text.encode(), digest_size=6).digest(), "big") + 1


class _Comparison:
    """The ranks and the single device on the same values in one field."""

    def __init__(self, ranks: RankPrograms, single: Program, seed: int) -> None:
        self._ranks, self._single, self._seed = ranks, single, seed
        self._field = RankField(seed)
        self._whole: Mapping[str, Array] = {}
        self._expected_guards: dict[str, _Guards] = {}
        self._guards: dict[Origin, _Guards] = {}

    @property
    def nearest(self) -> Set[float]:
        """Float literals that were replaced by the nearest fraction or root."""
        return self._field.nearest

    def result(self) -> bool | str:
        """Compare all observed values.

        Return False if they are equal, True if they are equal where guards hold, or a text that describes the
        difference.
        """
        domains = index_domains(self._single)
        given = {
            each.name: self._field.indices(each.shape, domains[each.name])
            if each.name in domains
            else whole_value(each, self._field)
            for each in self._single.sources
            # Indices that one device itself needs in range are no new assumption.
        }
        self._run_single(given)
        allowed = set(self._field.ranges)
        values = self._run_ranks(given)
        if self._field.ranges - allowed:
            return "an index is not known to be among those that a rank has, where torch refuses it"
        ends = versions(self._single)
        shapes = wholes(self._single)
        guarded = False
        pairs = [(name, value, name) for name, value in self._ranks.outputs]
        stored = kept_values(self._ranks, ends)
        pairs += stored
        kept = dict(self._ranks.updates)
        for name, value, theirs in pairs:
            arrays = [mine[value] for mine in values]
            choices = self._choices(name, shapes[theirs].shape, is_update=(name, value, theirs) in stored)
            if not any(self._same(arrays, self._whole[theirs], choice) for choice in choices):
                return self._unlike(name, arrays, self._whole[theirs], choices)
            # The guards of an output are those of the value that it reads.
            mine_read = kept[name] if name in kept and value == new_version(name) else value
            mine = frozenset().union(*(self._guards.get((rank, mine_read), frozenset()) for rank in range(len(values))))
            other = self._expected_guards.get(theirs, frozenset())
            # Equal values are not enough: x / x equals 1 except at 0, so both sides must be defined
            # at the same places.
            if mine != other:
                kinds = sorted({operation for operation, _ in mine ^ other})
                return (
                    f"{name} is defined where {', '.join(kinds)} of other values is in one of the two than in the other"
                )
            guarded = guarded or bool(mine)
        return guarded

    def _run_single(self, given: Mapping[str, Array]) -> None:
        reads = {
            each.name: [part.name for part in parts(each.expression) if isinstance(part, Read)]
            for each in self._single.statements
        }

        def watched(name: str) -> None:
            before = (self._expected_guards.get(each, frozenset()) for each in reads[name])
            self._expected_guards[name] = frozenset(self._field.guards).union(*before)
            self._field.guards.clear()

        self._field.guards.clear()
        parts_given = {name: (Part(array, whole(array.shape)),) for name, array in given.items()}
        found = run(self._single, parts_given, self._field, self._seed, watched)
        self._whole = {name: part.array for name, (part,) in found.items() if part is not None}

    def _run_ranks(self, given: Mapping[str, Array]) -> Sequence[Mapping[str, Array]]:
        empty = Program(name="", mesh=self._ranks.mesh, sources=(), statements=(), outputs=())
        mine = {each.name: split(each, given[each.name], empty, self._field) for each in self._ranks.sources}

        def watched(origin: Origin, read: Sequence[Origin]) -> None:
            before = (self._guards.get(each, frozenset()) for each in read)
            self._guards[origin] = frozenset(self._field.guards).union(*before)
            self._field.guards.clear()

        self._field.guards.clear()
        return simulated(self._ranks, own_arrays(mine, self._ranks), self._field, self._seed, watched)

    def _choices(self, name: str, shape: tuple[int, ...], *, is_update: bool) -> list[tuple[Intervals, ...]]:
        """Return the parts that ranks may hold of a value; updated sources keep their layouts."""
        layouts = self._ranks.placed.get(name)
        if is_update and layouts is None:
            layouts = next(each.layouts for each in self._ranks.sources if each.name == name)
        if layouts is None:
            return list(placements(self._ranks, shape))
        said = placed_parts(layouts, self._ranks, shape)
        return [] if isinstance(said, Refusal) else [said]

    def _same(self, arrays: Sequence[Array], expected: Array, choice: tuple[Intervals, ...]) -> bool:
        return all(
            array.shape == lengths(part) and self._field.equal(array, _part(expected, part))
            for array, part in zip(arrays, choice, strict=True)
        )

    def _unlike(
        self, name: str, arrays: Sequence[Array], expected: Array, choices: Sequence[tuple[Intervals, ...]]
    ) -> str:
        for choice in choices:
            if any(array.shape != lengths(part) for array, part in zip(arrays, choice, strict=True)):
                continue
            for rank, (array, part) in enumerate(zip(arrays, choice, strict=True)):
                if not self._field.equal(array, _part(expected, part)):
                    return _DIFFER.format(rank=rank, name=name)
        return _DIFFER.format(rank=0, name=name)


def _part(array: Array, part: Intervals) -> Array:
    return np.asarray(array[tuple(slice(each.start, each.stop) for each in part)], dtype=object)
