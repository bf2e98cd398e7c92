"""Comparison of a distributed program with its single-device reference on the same values.

Both programs run on the same random whole values (`Meaning` says in which numbers). With S the single-device value and
A[r] the array of rank r, each output and updated source must satisfy
    A[r] = S restricted to part(layouts, r)   for every rank r, and the parts cover S;
    along an axis where it is Partial, the reduction of the ranks' arrays takes the place of A[r].
A difference refutes; agreement on random reals proves nothing, over a prime field it does with high probability
(`prime_field.py`).
Complexity: one run of each program.
Reference: Schwartz, "Fast probabilistic algorithms for verification of polynomial identities", 1980.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from p2smt.errors import ProgramError
from p2smt.tensor.expression import Output, Source, SourceKind
from p2smt.tensor.frame import Interval, Intervals, whole
from p2smt.tensor.interpreter import run
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.layout import Local, OnRank, Partial, ReductionOp, Replicated, Sliced, is_there
from p2smt.tensor.meaning import DoesNotRunError, Meaning, Part, Parts
from p2smt.tensor.operation import Array
from p2smt.tensor.placing import coordinates, part_of, resolved, world
from p2smt.tensor.program import Program, versions
from p2smt.tensor.reason import Refusal
from p2smt.tensor.shapes import typed_names, wholes


@dataclass(frozen=True, slots=True)
class Wrong:
    """The first output or updated source that differs, and how.

    `rank` and `element` locate the difference if it is in one rank's element.
    """

    name: str
    detail: str
    rank: int | None = None
    element: tuple[int, ...] | None = None

    def __str__(self) -> str:
        return f"{self.name}: {self.detail}"


def names_agree(program: Program, single: Program) -> None:
    """Raise ProgramError unless sources, their shapes and kinds, outputs and updated sources agree."""
    ours = {source.name: (source.kind, source.shape, source.dtype, source.value) for source in program.sources}
    theirs = {source.name: (source.kind, source.shape, source.dtype, source.value) for source in single.sources}
    for name in sorted(ours.keys() | theirs.keys()):
        if ours.get(name) != theirs.get(name):
            programs = f"programs {program.name} and {single.name}"
            raise ProgramError(
                f"source {name!r} differs between {programs}; declare it in both, with the same type and shape"
            )
    # Symmetric differences: names that only one of the two programs has.
    outputs = {output.name for output in program.outputs} ^ {output.name for output in single.outputs}
    if outputs:
        raise ProgramError(
            f"{min(outputs)!r} is an output of only one of the programs {program.name} and {single.name}"
        )
    updated = versions(program).keys() ^ versions(single).keys()
    if updated:
        raise ProgramError(f"{min(updated)!r} is updated in only one of the programs {program.name} and {single.name}")
    if single.is_distributed:
        raise ProgramError(f"program {single.name} has layouts; the reference program must be for one device")


def other_type(program: Program, single: Program) -> Wrong | None:
    """Return the first output whose shape or element type differs from the single-device program.

    Element types that are not reliable (see `typed_names`), such as half of an integer, are not compared.
    """
    ours, theirs = wholes(program), wholes(single)
    typed, other_typed = typed_names(program), typed_names(single)
    for output in program.outputs:
        mine, other = ours[output.name], theirs[output.name]
        if mine.shape != other.shape:
            return Wrong(output.name, f"its shape is {list(mine.shape)}, not {list(other.shape)}")
        known = output.name in typed and output.name in other_typed
        if known and mine.dtype is not other.dtype:
            return Wrong(output.name, f"its elements are {mine.dtype}, not {other.dtype}")
    return None


def compare(program: Program, single: Program, meaning: Meaning, step: int = 0) -> Wrong | None:
    """Return the first difference between two programs on random values; None if there is none.

    Requires matching names (`names_agree`) and a mesh with sizes. Compares outputs and the last version of
    every updated source. Each rank's array must equal its part of the single-device value, and the parts must
    cover all of it; for an output declared Partial, the reduction of the ranks' arrays must equal it.
    """
    arrays = {source.name: whole_value(source, meaning) for source in single.sources}
    expected = run(single, {name: (Part(array, whole(array.shape)),) for name, array in arrays.items()}, meaning, step)
    try:
        given = {source.name: split(source, arrays[source.name], program, meaning) for source in program.sources}
        values = run(program, given, meaning, step)
    except DoesNotRunError as cause:
        return Wrong("does not run", str(cause))
    ends, single_ends = versions(program), versions(single)
    pairs = [(output.name, output.name, output.name, output) for output in program.outputs]
    stored = {source.name: source.layouts for source in program.sources}
    pairs += [(name, ends[name], single_ends[name], Output(name, stored[name])) for name in ends]
    for name, ours, theirs, output in pairs:
        (part,) = expected[theirs]
        assert part is not None
        wrong = _difference(values[ours], part.array, output, program, meaning)
        if wrong is not None:
            return replace(wrong, name=name)
    return None


def split(source: Source, array: Array, program: Program, meaning: Meaning) -> Parts:
    """Return each rank's input for a whole tensor; Partial and Local values are random.

    DoesNotRunError if the layouts do not apply to this shape.
    """
    layouts = resolved(source.layouts, program, source.shape)
    if isinstance(layouts, Refusal):
        raise DoesNotRunError(f"{source.name}: {layouts}")
    summands = _summands(array, layouts, program, meaning)
    found: list[Part | None] = []
    for rank in range(world(program.mesh)):
        position = coordinates(program.mesh, rank)
        if not all(is_there(each, at) for each, at in zip(layouts, position, strict=True)):
            found.append(None)
            continue
        intervals = part_of(layouts, program.mesh, source.shape, rank)
        mine = summands[position]
        # only Local, Partial: others are neither summed nor generated; a match beside it has what each is given
        if any(isinstance(each, Local) for each in layouts):
            mine = meaning.random(source.shape, source.dtype)
        found.append(Part(_at(mine, intervals), intervals))
    return tuple(found)


def whole_value(source: Source, meaning: Meaning) -> Array:
    """Return the single-device value of a source: the fill value of a constant, random numbers otherwise."""
    if source.kind is SourceKind.CONSTANT:
        return np.broadcast_to(meaning.number(source.value), source.shape)
    return meaning.random(source.shape, source.dtype)


def _summands(array: Array, layouts: Layouts, program: Program, meaning: Meaning) -> Mapping[tuple[int, ...], Array]:
    """Return the partial value at each mesh position.

    Positions that differ only along non-Partial axes share one value.
    """
    found: dict[tuple[int, ...], Array] = {(): array}
    for layout, axis in zip(layouts, program.mesh, strict=True):
        grown: dict[tuple[int, ...], Array] = {}
        for position, each in found.items():
            match layout:
                case Partial(reduction):
                    shares = meaning.summands(reduction, each, axis.size)
                case Replicated() | Sliced() | Local() | OnRank():
                    shares = [each] * axis.size
            grown |= {(*position, coordinate): share for coordinate, share in enumerate(shares)}
        found = grown
    return found


def _at(array: Array, intervals: Intervals) -> Array:
    part = array[tuple(slice(interval.start, interval.stop) for interval in intervals)]
    return np.asarray(part, dtype=array.dtype)


def _difference(parts: Parts, expected: Array, output: Output, program: Program, meaning: Meaning) -> Wrong | None:
    for placed in output.layouts:
        if isinstance(placed.layout, Partial):
            parts = _reduced(parts, program, program.axis(placed.axis), placed.layout.reduction, meaning)
    covered = np.zeros(expected.shape, dtype=bool)
    for rank, part in enumerate(parts):
        if part is None:
            continue
        if len(part.intervals) != expected.ndim:
            return Wrong(output.name, f"its shape is {list(part.array.shape)}, not {list(expected.shape)}")
        target = _at(expected, part.intervals)
        if part.array.shape != target.shape:
            shapes = f"an array of shape {list(part.array.shape)} where {list(target.shape)} are"
            return Wrong(output.name, f"rank {rank} has {shapes}", rank)
        if not meaning.equal(part.array, target):
            element, detail = _first(part.array, target, part.intervals, meaning)
            return Wrong(output.name, f"rank {rank}, {detail}", rank, element)
        # Right where it is, and all of it somewhere: parts that agree with the whole may still leave elements out.
        covered[tuple(slice(interval.start, interval.stop) for interval in part.intervals)] = True
    if covered.all():
        return None
    missing = tuple(int(index) for index in np.argwhere(~covered)[0])
    return Wrong(output.name, f"no rank has element {list(missing)}", None, missing)


def _first(
    ours: Array, theirs: Array, intervals: tuple[Interval, ...], meaning: Meaning
) -> tuple[tuple[int, ...], str]:
    """Return the index of the first differing element in the whole tensor, with a message that gives both values."""
    for index in np.ndindex(ours.shape):
        left, right = np.asarray(ours[index]), np.asarray(theirs[index])
        if not meaning.equal(left, right):
            element = tuple(interval.start + offset for interval, offset in zip(intervals, index, strict=True))
            return element, f"element {list(element)} is {left}, not {right}"
    raise AssertionError("the arrays differ")


def _reduced(parts: Parts, program: Program, axis: int, reduction: ReductionOp, meaning: Meaning) -> Parts:
    result: list[Part | None] = list(parts)
    groups: dict[tuple[int, ...], list[int]] = {}
    for rank in range(len(parts)):
        position = coordinates(program.mesh, rank)
        groups.setdefault((*position[:axis], *position[axis + 1 :]), []).append(rank)
    for members in groups.values():
        theirs = [part for rank in members if (part := parts[rank]) is not None]
        if len({part.array.shape for part in theirs}) != 1:
            continue
        total = meaning.reduced(reduction, [part.array for part in theirs])
        for rank in members:
            mine = parts[rank]
            result[rank] = None if mine is None else Part(total, mine.intervals)
    return tuple(result)
