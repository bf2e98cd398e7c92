"""Memory model of a traced rank: tensors are identified by the storage range that they view.

A place is a storage with shape, strides, offset and element type. Every write to a storage makes a new version of
it, in which the written place has a value, and all other places are stale. The value of a stale place is
recovered

- as a view of another place, if it was made as a view and that place has a value;
- by reshaping the value of another contiguous place of the same elements;
- as pieces of all values written into the storage, if they are few (`pieces.py`).

So `p.data = q` needs no special case: afterwards p views other memory. Any other value is unknown.

    write to a place:  version(storage) += 1, value(place) = v;    place is stale  if  its version < version(storage).

Complexity: O(places of a storage) for each write and read.
Reference: Cytron et al., "Efficiently computing static single assignment form", 1991 (versions), for memory in place of
names.
"""

from dataclasses import dataclass, field

import torch

from p2smt.frontend.torch_graph.graph import Reference, TorchNode

Tensor = torch.Tensor
Span = tuple[int, int, int]
_MOST_SPANS = 4096


@dataclass(frozen=True, slots=True)
class StoragePlace:
    """Position of a tensor's elements in their storage; strides of length-1 dimensions are irrelevant, and set to 0."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int
    dtype: torch.dtype
    flags: tuple[bool, bool]

    @property
    def is_contiguous(self) -> bool:
        """True if the elements are contiguous."""
        length = 1
        for size, stride in zip(self.shape[::-1], self.strides[::-1], strict=True):
            if size != 1 and stride != length:
                return False
            length *= size
        return True

    def flat(self) -> tuple[int, int, torch.dtype, tuple[bool, bool]]:
        """Return a key that is equal for contiguous places with the same elements."""
        count = 1
        for size in self.shape:
            count *= size
        return count, self.offset, self.dtype, self.flags


@dataclass(slots=True)
class StoredValue:
    """Value of a place, the storage version since which it holds, and how it was made.

    `base` and `view`: the value is this view of another place; it is outdated when the base is written.
    """

    reference: Reference
    version: int
    base: StoragePlace | None = None
    view: TorchNode | None = None
    result: int = 0


@dataclass(slots=True)
class Storage:
    """A storage, kept alive so that its address is not reused; `number` counts the storages of a rank.

    `history` lists the writes in order, as place and value; the initial contents count as the first write.
    """

    kept: torch.UntypedStorage
    number: int
    version: int = 0
    values: dict[StoragePlace, StoredValue] = field(default_factory=dict)
    history: list[tuple[StoragePlace, Reference]] = field(default_factory=list)


class RankMemory:
    """The storages that a rank's tensors use."""

    def __init__(self) -> None:
        self._storages: dict[int, Storage] = {}

    def storage(self, tensor: Tensor) -> Storage:
        """The storage of a tensor, registered on first use."""
        kept = tensor.untyped_storage()
        key = int(kept._cdata)
        if key not in self._storages:
            self._storages[key] = Storage(kept, len(self._storages))
        return self._storages[key]

    def know(
        self, tensor: Tensor, reference: Reference, base: StoragePlace | None = None, view: TorchNode | None = None
    ) -> None:
        """Record that the tensor holds this value in the current version of its storage."""
        storage, place = self.storage(tensor), place_of(tensor)
        found = storage.values.get(place)
        if base is None and not storage.version:
            # First contents count as written; those of a view do not, for its base covers them.
            storage.history.append((place, reference))
        if found is None:
            base = None if base == place else base
            view = view if base is not None else None
            storage.values[place] = StoredValue(reference, storage.version, base, view, reference.result)
        elif found.version < storage.version:
            found.reference, found.version = reference, storage.version

    def write(self, tensor: Tensor, reference: Reference) -> None:
        """Record a write of this value, which makes other places of the storage stale."""
        storage = self.storage(tensor)
        storage.version += 1
        storage.history.append((place_of(tensor), reference))
        self.know(tensor, reference)

    def spans(self, tensor: Tensor) -> tuple[Span, ...]:
        """Return a tensor's bytes as (storage, first, length) spans; one enclosing span if there would be too many."""
        place = place_of(tensor)
        size, number = tensor.element_size(), self.storage(tensor).number
        return tuple(
            (number, (place.offset + first) * size, length * size)
            for first, length in _runs(list(zip(place.shape, place.strides, strict=True)))
        )


def place_of(tensor: Tensor) -> StoragePlace:
    """Position of a tensor's elements in its storage."""
    shape = tuple(int(length) for length in tensor.shape)
    strides = tuple(0 if size == 1 else int(stride) for size, stride in zip(shape, tensor.stride(), strict=True))
    return StoragePlace(shape, strides, int(tensor.storage_offset()), tensor.dtype, (tensor.is_conj(), tensor.is_neg()))


def overlap(one: tuple[Span, ...], other: tuple[Span, ...]) -> bool:
    """True if two lists of spans share a byte."""
    return any(a == b and i < j + m and j < i + n for a, i, n in one for b, j, m in other)


def _runs(dimensions: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the first element and length of the contiguous runs that dimensions of these lengths and strides cover.

    >>> _runs([(2, 3), (3, 1)]), _runs([(2, 4), (3, 1)]), _runs([(2, 0)]), _runs([(0, 1)])
    ([(0, 6)], [(0, 3), (4, 3)], [(0, 1)], [])
    """
    if any(size == 0 for size, _ in dimensions):
        return []
    length = 1
    rest = sorted(((stride, size) for size, stride in dimensions if size > 1 and stride), reverse=True)
    while rest and rest[-1][0] <= length:
        stride, size = rest.pop()
        length += stride * (size - 1)
    starts = [0]
    for stride, size in rest:
        if len(starts) * size > _MOST_SPANS:
            return [(0, length + sum(stride * (size - 1) for stride, size in rest))]
        starts = [start + index * stride for start in starts for index in range(size)]
    return [(start, length) for start in starts]
