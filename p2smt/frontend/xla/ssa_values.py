"""Values during interpretation: a tensor and the location of its elements, or several values.

Elements are runs (buffer, start, length) in row-major order, one list if all devices have the same. With offsets the
prefix sums of the lengths of the runs,
    taken(ranges) = for each range, the runs from the last offset at or before its start, found by bisection,
and adjacent runs are merged, so equal locations have equal lists.
Complexity: O(log runs + pieces) for each range.
Reference: Crowley, "Data structures for text sequences", 1998 (piece tables).

Example: runs a[0:4], b[0:4] and the range 2:6 give a[2:4], b[0:2].
"""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeAlias

from p2smt.errors import VerifyError
from p2smt.frontend.xla.known import KnownNumbers
from p2smt.frontend.xla.layout import Ranges
from p2smt.frontend.xla.ssa import HloShape, Type
from p2smt.verify.plan import BufferRange

ZEROS = "zeros"
"""The buffer of zeros; all parts of it are interchangeable."""

MOST_PIECES = 2**18


@dataclass(frozen=True, slots=True)
class GivenParameter:
    """An unmodified parameter, by its number."""

    place: int


Runs: TypeAlias = tuple[BufferRange, ...]
"""Consecutive parts of buffers."""


@dataclass(frozen=True, slots=True)
class Pieces:
    """The runs that each device reads, concatenated; a single entry if all devices have the same."""

    runs: tuple[Runs, ...]

    def of(self, device: int) -> Runs:
        """The runs of a device."""
        return self.runs[device if len(self.runs) > 1 else 0]

    @property
    def part(self) -> BufferRange | None:
        """The part that all devices read, if it is a single one."""
        return self.runs[0][0] if len(self.runs) == 1 and len(self.runs[0]) == 1 else None


@dataclass(frozen=True, slots=True)
class HloTensor:
    """A shape, and the location of its elements in row-major order.

    If `whole` is not None, the tensor is a global value with this sharding text; elements, and the shape of all
    tensors but parameters, are still those of one device.
    """

    shape: HloShape
    where: Pieces | GivenParameter | KnownNumbers
    whole: str | None = None


Value: TypeAlias = "HloTensor | tuple[Value, ...]"


def leaves(value: Value) -> Iterator[HloTensor]:
    """The tensors in a value, in order."""
    if isinstance(value, tuple):
        for one in value:
            yield from leaves(one)
    else:
        yield value


def typed(value: Value, type_: "Type | None") -> Value:
    """Return the value with the declared type and layout, if the text declares one.

    Raises VerifyError if the dimensions differ.
    """
    if type_ is None:
        return value
    if isinstance(value, tuple) or isinstance(type_, tuple):
        if not isinstance(value, tuple) or not isinstance(type_, tuple) or len(value) != len(type_):
            counts = [len(one) if isinstance(one, tuple) else 1 for one in (value, type_)]
            raise VerifyError(
                f"the result is a tuple of {counts[0]} values, but its type has {counts[1]}, or only one "
                "of the two is a tuple"
            )
        return tuple(typed(one, wanted) for one, wanted in zip(value, type_, strict=True))
    if value.whole is not None:
        return value
    if value.shape.dims != type_.dims:
        raise VerifyError(f"the result is {value.shape}, but its type is {type_}")
    return HloTensor(type_, value.where)


def one_part(part: BufferRange) -> Pieces:
    """The same part on all devices."""
    return Pieces(((part,),))


def per_device(runs: Sequence[Runs]) -> Pieces:
    """Runs of every device, collapsed if all are the same."""
    return Pieces((runs[0],) if all(one == runs[0] for one in runs) else tuple(runs))


def taken(runs: Runs, ranges: Ranges) -> Runs:
    """Return ranges of runs; ranges at -1 are zeros. Raises VerifyError for too many pieces."""
    ends = list(accumulate(part.length for part in runs))
    return merged(_cut(runs, ends, ranges))


def _cut(runs: Runs, ends: Sequence[int], ranges: Ranges) -> Iterator[BufferRange]:
    for first, count in ranges:
        if first < 0:
            yield BufferRange(ZEROS, 0, count)
            continue
        at, end = first, first + count
        for index in range(bisect_right(ends, first), len(runs)):
            part, stop = runs[index], min(end, ends[index])
            yield BufferRange(part.buffer, 0 if part.buffer == ZEROS else part.end - (ends[index] - at), stop - at)
            at = stop
            if at == end:
                break


def merged(parts: Iterable[BufferRange]) -> Runs:
    """The parts with adjacent ones merged. Raises VerifyError for too many pieces."""
    found: list[BufferRange] = []
    for part in parts:
        last = found[-1] if found else None
        if last is not None and last.buffer == part.buffer and (part.buffer == ZEROS or last.end == part.start):
            found[-1] = BufferRange(last.buffer, last.start, last.length + part.length)
        else:
            found.append(part)
            if len(found) > MOST_PIECES:
                raise VerifyError(f"a tensor in more than {MOST_PIECES} pieces, the limit")
    return tuple(found)
