"""Index spaces of tensors on a rank, which determine the tensors that one kernel can iterate over."""

from collections.abc import Iterable
from dataclasses import dataclass

from p2smt.emit.torch.program.cuts import DimensionCut, cut_of
from p2smt.emit.torch.program.value import Value


@dataclass(frozen=True, slots=True)
class DimensionSpan:
    """A dimension: its unsharded length, its slicing, and whether the tensor holds only a chunk of the rank's part."""

    length: int
    cut: DimensionCut | None
    chunked: bool

    @property
    def is_repeated(self) -> bool:
        """True if its single element is broadcast against any length."""
        return self.length == 1 and self.cut is None and not self.chunked


Space = tuple[DimensionSpan, ...]


def space_of(value: Value) -> Space:
    """Return the index space of a value; a number has no dimensions."""
    return tuple(
        DimensionSpan(length, cut_of(value.layouts, dimension), dimension == value.chunked)
        for dimension, length in enumerate(value.shape)
    )


def together(spaces: Iterable[Space]) -> Space | None:
    """Return the common space to which all of these broadcast, aligned from the last dimension.

    None if there is none.
    """
    whole: Space = ()
    for space in spaces:
        missing = len(space) - len(whole)
        longer = space[:missing] if missing > 0 else whole[:-missing]
        rest, beside = whole[max(-missing, 0) :], space[max(missing, 0) :]
        lined = []
        for first, second in zip(rest, beside, strict=True):
            if first != second and not first.is_repeated and not second.is_repeated:
                return None
            lined.append(second if first.is_repeated else first)
        whole = (*longer, *lined)
    return whole
