"""Two distributed programs on the same values in numpy: the first rank and element at which they end differently."""

from dataclasses import dataclass

import numpy as np

from p2smt.schedule.outcome import CounterExample
from p2smt.schedule.shrink import sizes_text, small
from p2smt.tensor.comparison import split
from p2smt.tensor.frame import Intervals
from p2smt.tensor.interpreter import run
from p2smt.tensor.layout import Reduction
from p2smt.tensor.meaning import DoesNotRunError, Meaning, Part, Parts
from p2smt.tensor.operation import Array
from p2smt.tensor.placing import part_of, resolved, world
from p2smt.tensor.program import DType, Program, Source, SourceKind, versions
from p2smt.tensor.reals import Reals
from p2smt.tensor.reason import Refusal

SEEDS = 3


class Whole(Reals):
    """Real numbers that are small whole ones wherever nothing else is computed, so that people can follow."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(seed)
        self._draw = np.random.default_rng(seed)

    def random(self, shape: tuple[int, ...], dtype: DType) -> Array:
        """1 to 6; of BOOL 0 and 1."""
        low, high = (0, 2) if dtype is DType.BOOL else (1, 7)
        return self._draw.integers(low, high, shape).astype(np.float64)

    def summands(self, reduction: Reduction, array: Array, count: int) -> list[Array]:
        """Whole numbers, where sums are asked for."""
        if reduction is not Reduction.SUM:
            return super().summands(reduction, array, count)
        others = [self.random(array.shape, DType.F32) for _ in range(count - 1)]
        return [*others, array - sum(others)]


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two programs end differently."""

    name: str
    detail: str

    def __str__(self) -> str:
        return f"{self.name}: {self.detail}"


def difference(before: Program, after: Program, meaning: Meaning, step: int = 0) -> Difference | None:
    """The first difference of what is observed: outputs, and last versions of what is updated.

    Both have the same mesh, and the same sources but for layouts of states, which may be cut in `after`. The program
    `before` runs; DoesNotRunError if not.
    """
    given, theirs = _given(before, after, meaning)
    expected = run(before, given, meaning, step)
    try:
        values = run(after, theirs, meaning, step)
    except DoesNotRunError as cause:
        return Difference("does not run", str(cause))
    for name, ours, others in _observed(before, after):
        detail = _differ(expected[ours], values[others], meaning)
        if detail:
            return Difference(name, detail)
    return None


def observed_values(before: Program, after: Program, meaning: Meaning) -> list[tuple[Array, Array]]:
    """What every rank has of everything observed, in both programs. DoesNotRunError where one does not run."""
    given, theirs = _given(before, after, meaning)
    expected, values = run(before, given, meaning), run(after, theirs, meaning)
    found = []
    for _, ours, others in _observed(before, after):
        for old, new in zip(expected[ours], values[others], strict=True):
            if old is not None and new is not None:
                found.append((_within(old, new.intervals), new.array))
    return found


def _observed(before: Program, after: Program) -> list[tuple[str, str, str]]:
    """A name for everything observed, and the statements that have it in both programs."""
    old, new = versions(before), versions(after)
    outputs = [(output.name, output.name, output.name) for output in before.outputs]
    return [*outputs, *((name, old[name], new[name]) for name in old)]


def _given(before: Program, after: Program, meaning: Meaning) -> tuple[dict[str, Parts], dict[str, Parts]]:
    later = {source.name: source for source in after.sources}
    given: dict[str, Parts] = {}
    theirs: dict[str, Parts] = {}
    for source in before.sources:
        array = _value(source, meaning)
        given[source.name] = split(source, array, before, meaning)
        changed = later[source.name]
        same = changed.layouts == source.layouts
        theirs[source.name] = given[source.name] if same else _scattered(changed, given[source.name], after)
    return given, theirs


def _value(source: Source, meaning: Meaning) -> Array:
    if source.kind is SourceKind.CONSTANT:
        return np.broadcast_to(meaning.number(source.value), source.shape)
    return meaning.random(source.shape, source.dtype)


def _scattered(source: Source, parts: Parts, program: Program) -> Parts:
    """What every rank stores of a state that it had whole."""
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
    offsets = (slice(new.start - old.start, new.stop - old.start)
               for new, old in zip(intervals, part.intervals, strict=True))  # fmt: skip
    inside = part.array[tuple(offsets)]
    return np.asarray(inside, dtype=part.array.dtype)


def _differ(expected: Parts, values: Parts, meaning: Meaning) -> str:
    for rank, (old, new) in enumerate(zip(expected, values, strict=True)):
        if (old is None) != (new is None):
            return f"rank {rank} has {'nothing' if new is None else 'a value'}"
        if old is None or new is None:
            continue
        inside = all(a.start <= b.start and b.stop <= a.stop
                     for a, b in zip(old.intervals, new.intervals, strict=True))  # fmt: skip
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


def counter_example(before: Program, after: Program) -> CounterExample | None:
    """A small run in which the two differ, replayed in numpy; None where none is found."""
    for pair in pairs(before, after):
        for seed in range(SEEDS):
            for meaning in (Whole(seed), Reals(seed)):
                try:
                    differs = difference(*pair, meaning)
                except DoesNotRunError:
                    continue
                if differs is not None:
                    ranks = world(pair[0].mesh)
                    return CounterExample(ranks, sizes_text(pair[0]), str(differs))
    return None


def pairs(before: Program, after: Program) -> list[tuple[Program, Program]]:
    """Both programs cut down in the same way, smallest first: by the lengths of sources, which both have."""
    theirs = {_key(each): each for each in small(after)}
    return [(one, theirs[_key(one)]) for one in small(before) if _key(one) in theirs]


def _key(program: Program) -> object:
    return program.mesh, tuple(source.shape for source in program.sources)
