"""Comparison of two distributed programs on the same values in numpy, down to the first differing rank and element.

Method: differential testing. Both programs run in numpy on the same random whole numbers, of both signs and small, so
that sums are exact and any order gives the same bits. `SEEDS` sets of values are tried; a difference refutes, agreement
proves nothing.

    refuted  if  before(x)[rank, element] != after(x)[rank, element]  for one of the sets x.

Complexity: a run of both programs for each set and each size that `shrink.py` tries, smallest first.
Reference: McKeeman, "Differential testing for software", 1998.

Example: programs whose results differ in rank 1's element [0, 2] alone are refuted by the first set of values.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from p2smt.errors import ProgramError
from p2smt.schedule.outcome import StepCounterExample
from p2smt.schedule.shrink import sizes_text, small
from p2smt.tensor.comparison import split, whole_value
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Source
from p2smt.tensor.frame import Intervals
from p2smt.tensor.interpreter import run
from p2smt.tensor.meaning import DoesNotRunError, Meaning, Part, Parts
from p2smt.tensor.operation import Array
from p2smt.tensor.placing import part_of, resolved, world
from p2smt.tensor.program import Program, versions
from p2smt.tensor.reals import Reals
from p2smt.tensor.reason import Refusal
from p2smt.tensor.shapes import wholes
from p2smt.tensor.verification.resize import resized
from p2smt.tensor.verification.whole_numbers import WholeNumbers

SEEDS = 3


class SignedNumbers(WholeNumbers):
    """Integers of both signs, which expose differences that positive numbers hide."""

    def random(self, shape: tuple[int, ...], dtype: DType) -> Array:
        """Return random values; integer types and BOOL as in `Reals`."""
        if dtype in (DType.I32, DType.I64, DType.BOOL):
            return super().random(shape, dtype)
        return self._random.integers(-5, 6, shape).astype(np.float64)


@dataclass(frozen=True, slots=True)
class ReplayDifference:
    """A value in which the results of two programs differ, and how."""

    name: str
    detail: str

    def __str__(self) -> str:
        return f"{self.name}: {self.detail}"


def difference(before: Program, after: Program, meaning: Meaning, step: int = 0) -> ReplayDifference | None:
    """Return the first difference of observed values: outputs, and last versions of updated sources.

    Both programs have the same mesh and sources; states may have finer layouts in `after`. DoesNotRunError if
    `before` does not run.
    """
    given, theirs = _given(before, after, meaning)
    expected = run(before, given, meaning, step)
    try:
        values = run(after, theirs, meaning, step)
    except DoesNotRunError as cause:
        return ReplayDifference("does not run", str(cause))
    for name, ours, others in _observed(before, after):
        detail = _differ(expected[ours], values[others], meaning)
        if detail:
            return ReplayDifference(name, detail)
    return None


def observed_values(before: Program, after: Program, meaning: Meaning) -> list[tuple[Array, Array]]:
    """Return pairs of observed arrays on every rank, before and after.

    DoesNotRunError if a program does not run.
    """
    given, theirs = _given(before, after, meaning)
    expected, values = run(before, given, meaning), run(after, theirs, meaning)
    found = []
    for _, ours, others in _observed(before, after):
        for old, new in zip(expected[ours], values[others], strict=True):
            if old is not None and new is not None:
                found.append((_within(old, new.intervals), new.array))
    return found


def _observed(before: Program, after: Program) -> list[tuple[str, str, str]]:
    """Return the name of each observed value, and its statement in both programs."""
    old, new = versions(before), versions(after)
    outputs = [(output.name, output.name, output.name) for output in before.outputs]
    return [*outputs, *((name, old[name], new[name]) for name in old)]


def _given(before: Program, after: Program, meaning: Meaning) -> tuple[dict[str, Parts], dict[str, Parts]]:
    later = {source.name: source for source in after.sources}
    given: dict[str, Parts] = {}
    theirs: dict[str, Parts] = {}
    for source in before.sources:
        array = whole_value(source, meaning)
        given[source.name] = split(source, array, before, meaning)
        changed = later[source.name]
        same = changed.layouts == source.layouts
        theirs[source.name] = given[source.name] if same else _scattered(changed, given[source.name], after)
    return given, theirs


def _scattered(source: Source, parts: Parts, program: Program) -> Parts:
    """Return every rank's slice of a state that was whole before."""
    layouts = resolved(source.layouts, program, source.shape)
    if isinstance(layouts, Refusal):
        raise DoesNotRunError(f"{source.name}: {layouts}")
    made: list[Part | None] = []
    for rank in range(world(program.mesh)):
        part = parts[rank]
        intervals = part_of(layouts, program.mesh, source.shape, rank)
        made.append(None if part is None else Part(_within(part, intervals), intervals))
    return tuple(made)


def _within(part: Part, intervals: Intervals) -> Array:
    offsets = (
        slice(new.start - old.start, new.stop - old.start) for new, old in zip(intervals, part.intervals, strict=True)
    )
    inside = part.array[tuple(offsets)]
    return np.asarray(inside, dtype=part.array.dtype)


def _differ(expected: Parts, values: Parts, meaning: Meaning) -> str:
    for rank, (old, new) in enumerate(zip(expected, values, strict=True)):
        if (old is None) != (new is None):
            return f"rank {rank} has {'nothing' if new is None else 'a value'}"
        if old is None or new is None:
            continue
        # A layout may have become finer: then the part of the old array is compared.
        inside = all(a.start <= b.start and b.stop <= a.stop for a, b in zip(old.intervals, new.intervals, strict=True))
        target = _within(old, new.intervals) if inside else old.array
        if new.array.shape != target.shape:
            return f"rank {rank} has an array of shape {list(new.array.shape)} where {list(target.shape)} are"
        if not meaning.equal(new.array, target):
            return f"rank {rank}, {_element(new, target, meaning)}"
    return ""


def _element(part: Part, target: Array, meaning: Meaning) -> str:
    for index in np.ndindex(target.shape):
        left, right = np.asarray(part.array[index]), np.asarray(target[index])
        if not meaning.equal(left, right):
            element = [interval.start + at for interval, at in zip(part.intervals, index, strict=True)]
            named = f"element {element[0] if len(element) == 1 else element} " if element else ""
            return f"{named}is {_number(left)}, not {_number(right)}"
    return "an element differs"


def _number(value: Array) -> str:
    return f"{float(value):.6g}"


def counter_example(before: Program, after: Program) -> StepCounterExample | None:
    """Return a small run in which the two programs differ, computed in numpy; None if none is found."""
    for pair in pairs(before, after):
        for seed in range(SEEDS):
            for meaning in (WholeNumbers(seed), SignedNumbers(seed), Reals(seed)):
                try:
                    differs = difference(*pair, meaning)
                except DoesNotRunError:
                    continue
                if differs is not None:
                    ranks = world(pair[0].mesh)
                    return StepCounterExample(ranks, sizes_text(pair[0]), str(differs))
    return None


def pairs(before: Program, after: Program) -> Iterator[tuple[Program, Program]]:
    """Yield both programs reduced to small sizes in the same way, smallest first."""
    for resizing, one in small(before):
        other = resized(after, resizing)
        try:
            wholes(other)
        except ProgramError:
            continue
        yield one, other
