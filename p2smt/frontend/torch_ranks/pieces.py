"""The contents of a storage range as pieces of the values that were written into it.

Each element of the storage has the value last written there, and an index in that value. Elements of a range with
consecutive indices in one value form a piece. Time: linear in the number of written elements.

    (value, index)[e] = that of the last write to element e;   a piece: consecutive e, one value, index + 1 each.

Reference: Crowley, "Data structures for text sequences", 1998 (piece tables).

Example: a flat buffer of zeros [6], into which a [2] was written at 0 and b [2] at 2, consists of the pieces
a[0:2], b[0:2], zeros[4:6].
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

from p2smt.frontend.torch_graph.graph import Argument, Item, Meta, Reference, TorchNode
from p2smt.frontend.torch_ranks.memory import StoragePlace

MOST_ELEMENTS = 1_000_000
"""The most elements of a storage, counted together with all writes into it."""
MOST_PIECES = 512

Offsets = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ValuePiece:
    """Elements start <= i < stop, in row-major order, of a value with this shape."""

    value: Reference
    shape: tuple[int, ...]
    start: int
    stop: int


def pieces(history: Sequence[tuple[StoragePlace, Reference]], place: StoragePlace) -> list[ValuePiece] | None:
    """Return the pieces of a place, in order; None if some are unknown, or there are too many."""
    places = [each for each, _ in history]
    if any((each.dtype, each.flags) != (place.dtype, (False, False)) for each in (*places, place)):
        return None
    written = [_offsets(each) for each in places]
    wanted = _offsets(place)
    size = 1 + max((int(each.max()) for each in (*written, wanted) if each.size), default=0)
    if not wanted.size or size + sum(each.size for each in written) > MOST_ELEMENTS:
        return None
    # A later write overwrites both arrays, so that each offset keeps its last writer.
    owner, index = np.full(size, -1), np.zeros(size, dtype=np.int64)
    for number, offsets in enumerate(written):
        owner[offsets] = number
        index[offsets] = np.arange(offsets.size)
    owners, indices = owner[wanted], index[wanted]
    if (owners < 0).any():
        return None
    # A piece ends where the writer changes, or where its elements are not consecutive.
    breaks = np.flatnonzero((np.diff(owners) != 0) | (np.diff(indices) != 1)) + 1
    if len(breaks) >= MOST_PIECES:
        return None
    found = []
    for first, last in zip([0, *breaks.tolist()], [*breaks.tolist(), wanted.size], strict=True):
        of, reference = history[int(owners[first])]
        start = int(indices[first])
        found.append(ValuePiece(reference, of.shape, start, start + last - first))
    return found


def joined(
    listed: Sequence[ValuePiece], shape: tuple[int, ...], whole: Meta | None, free: Callable[[str], str]
) -> tuple[list[TorchNode], Reference]:
    """Return the nodes that assemble pieces to a tensor of this shape, and the tensor's reference."""
    nodes: list[TorchNode] = []
    dtype = "" if whole is None else whole.dtype

    def moved(operation: str, source: Item | list[Item], arguments: list[Argument], made: tuple[int, ...]) -> Reference:
        node = TorchNode(
            name=free(f"{operation.split('.', maxsplit=1)[0]}.piece"),
            operation=f"aten.{operation}",
            arguments=[source, *arguments],
            keywords={},
            results=[Meta(made, dtype)],
        )
        nodes.append(node)
        return Reference(node.name)

    flat: list[Item] = []
    for each in listed:
        count, length = prod(each.shape), each.stop - each.start
        made = moved("view.default", each.value, [[count]], (count,))
        flat.append(made if length == count else moved("slice.Tensor", made, [0, each.start, each.stop], (length,)))
    whole_flat = flat[0] if len(flat) == 1 else moved("cat.default", flat, [0], (prod(shape),))
    return nodes, moved("view.default", whole_flat, [list(shape)], shape)


def _offsets(place: StoragePlace) -> Offsets:
    """The offsets of a place's elements in the storage."""
    found = np.array(place.offset, dtype=np.int64)
    for length, stride in zip(place.shape, place.strides, strict=True):
        found = found[..., None] + stride * np.arange(length, dtype=np.int64)
    return found.ravel()
