"""Storage of a program's values during planning: buffers, parameters, and copies that join pieces.

Reshaped, sliced, transposed and tuple values are pieces of existing buffers; they are copied to one part when an
operation needs them contiguous.
"""

import re
from collections.abc import Iterator

from p2smt.errors import VerifyError
from p2smt.frontend.builder import DATA, WIRE, WIRE_OUT, PlanBuilder
from p2smt.frontend.xla.known import KnownNumbers
from p2smt.frontend.xla.layout import Ranges
from p2smt.frontend.xla.ssa import MOST_ELEMENTS, HloShape
from p2smt.frontend.xla.ssa_values import (
    ZEROS,
    GivenParameter,
    HloTensor,
    Pieces,
    Runs,
    merged,
    one_part,
    per_device,
    taken,
)
from p2smt.verify.limits import MAX_CELLS
from p2smt.verify.plan import BufferRange

RESULT = "result"


class PlanBuffers:
    """Buffers of a plan; `given` holds the places of used parameters, `blocks` their required places, if any.

    A parameter gets its place in the payload, which has `payload` elements so far, on first use.
    """

    def __init__(self, devices: int, builder: PlanBuilder, blocks: dict[int, Runs] | None = None) -> None:
        self.devices, self.builder = devices, builder
        self.given: dict[int, tuple[HloShape, Pieces]] = {}
        self.payload = 0
        self._blocks = blocks or {}
        self._names = {DATA, RESULT, ZEROS, WIRE, WIRE_OUT}
        self._members = 0
        builder.buffer(DATA, 0)

    def charge(self, members: int) -> None:
        """Count devices that take part in a step; raises VerifyError beyond the limit on their total."""
        self._members += members
        if self._members > MAX_CELLS:
            raise VerifyError(f"the groups of all steps name more than {MAX_CELLS} devices in all, the limit")

    def buffer(self, name: str, size: int) -> BufferRange:
        """Declare a new buffer, named after the value as far as the plan format allows."""
        if not 1 <= size <= MOST_ELEMENTS:
            raise VerifyError(f"a value of {size} elements is out of range; 1 to 2^48 are supported")
        base = "v" + re.sub(r"[^A-Za-z0-9_]", "_", name.lstrip("%"))[:40]
        # The underscore at the end keeps it apart from names that end in a number by themselves.
        unique = base if base not in self._names else f"{base}_{len(self._names)}_"
        self._names.add(unique)
        self.builder.buffer(unique, size)
        return BufferRange(unique, 0, size)

    def pieces(self, tensor: HloTensor) -> Pieces:
        """The pieces of buffers that hold a tensor. Raises VerifyError for known numbers other than 0."""
        match tensor.where:
            case Pieces():
                return tensor.where
            case KnownNumbers() as known:
                if not known.zero:
                    raise VerifyError(
                        f"a constant other than 0 ({tensor.shape}) where data is expected; constants may be "
                        "multiplied with data, but not added to it"
                    )
                return one_part(BufferRange(ZEROS, 0, tensor.shape.size))
            case GivenParameter(place):
                return self._parameter(place, tensor.shape)

    def part(self, tensor: HloTensor, number: int) -> BufferRange:
        """Return the tensor as one part, equal on all devices; it is copied there, in this step, if necessary."""
        pieces = self.pieces(tensor)
        known = pieces.part
        if known is None:
            known = self.buffer("pieces", tensor.shape.size)
            self.copy(pieces, known, number)
        elif known.buffer == ZEROS:
            return self.builder.zero(ZEROS, known.length)
        return known

    def copied(self, tensor: HloTensor, name: str, number: int) -> BufferRange:
        """Copy the tensor to a new buffer, and return it."""
        out = self.buffer(name, tensor.shape.size)
        self.copy(self.pieces(tensor), out, number)
        return out

    def copy(self, pieces: Pieces, target: BufferRange, number: int) -> None:
        """Copy pieces to a part on every device."""
        for source, piece, devices in self._pairs(pieces, target):
            self.builder.copy(devices, source, piece, number)

    def add(self, pieces: Pieces, target: BufferRange, number: int) -> None:
        """Add pieces to a part on every device; zeros are skipped."""
        for source, piece, devices in self._pairs(pieces, target):
            if source.buffer != ZEROS:
                self.builder.add(devices, source, piece, number)

    def joined(self, tensors: tuple[HloTensor, ...]) -> Pieces:
        """The pieces of several tensors, concatenated."""
        each = [self.pieces(tensor) for tensor in tensors]
        if all(len(one.runs) == 1 for one in each):
            return Pieces((merged(part for one in each for part in one.runs[0]),))
        return per_device([merged(p for one in each for p in one.of(device)) for device in range(self.devices)])

    def of_each(self, pieces: Pieces, ranges: Ranges) -> Pieces:
        """Return ranges of every device's pieces."""
        return Pieces(tuple(taken(runs, ranges) for runs in pieces.runs))

    def _pairs(self, pieces: Pieces, target: BufferRange) -> Iterator[tuple[BufferRange, BufferRange, list[int]]]:
        """Yield every piece with its target, and the devices that have both in common."""
        by_device = [range(self.devices)] if len(pieces.runs) == 1 else [[device] for device in range(self.devices)]
        alike: dict[tuple[BufferRange, BufferRange], list[int]] = {}
        for devices, runs in zip(by_device, pieces.runs, strict=True):
            at = target.start
            for part in runs:
                self.charge(len(devices))
                piece = BufferRange(target.buffer, at, part.length)
                alike.setdefault((part, piece), []).extend(devices)
                at += part.length
        for (source, piece), together in alike.items():
            if source.buffer == ZEROS:
                self.builder.zero(ZEROS, source.length)
            yield source, piece, together

    def _parameter(self, place: int, shape: HloShape) -> Pieces:
        if place not in self.given:
            blocks = self._blocks.get(place)
            pieces = one_part(BufferRange(DATA, self.payload, shape.size)) if blocks is None else Pieces((blocks,))
            self.given[place] = (shape, pieces)
            self.payload += shape.size
            self.builder.buffer(DATA, self.payload)
        known, pieces = self.given[place]
        if known.size != shape.size:
            raise VerifyError(
                f"parameter {place} has {known.size} elements in one use and {shape.size} in another; they "
                "must be equal"
            )
        return pieces
