"""Element types of tensors, their sizes, and which of them cover the range of another."""

from collections.abc import Mapping
from enum import StrEnum


class DType(StrEnum):
    """Element types."""

    F16 = "f16"
    BF16 = "bf16"
    F32 = "f32"
    F64 = "f64"
    I32 = "i32"
    I64 = "i64"
    BOOL = "bool"

    @property
    def bytes(self) -> int:
        """The size of an element in bytes."""
        match self:
            case DType.BOOL:
                return 1
            case DType.F16 | DType.BF16:
                return 2
            case DType.F32 | DType.I32:
                return 4
            case DType.F64 | DType.I64:
                return 8

    @property
    def is_whole(self) -> bool:
        """True for integer types and booleans."""
        match self:
            case DType.I32 | DType.I64 | DType.BOOL:
                return True
            case DType.F16 | DType.BF16 | DType.F32 | DType.F64:
                return False

    def fits(self, other: "DType") -> bool:
        """True if the other type covers the range of this one, so that a cast does no more than round.

        >>> DType.BF16.fits(DType.F32), DType.F32.fits(DType.BF16), DType.I64.fits(DType.F16), DType.I32.fits(DType.F32)
        (True, False, False, True)
        """
        return other in _LARGER[self]


LARGEST_F16 = 65504
"""Literals of at most this absolute value are in the range of every floating-point type."""
_FLOATS = (DType.F16, DType.BF16, DType.F32, DType.F64)
_LARGER: Mapping[DType, tuple[DType, ...]] = {
    **{dtype: _FLOATS[number:] for number, dtype in enumerate(_FLOATS)},
    DType.BOOL: (DType.BOOL, DType.I32, DType.I64, *_FLOATS),
    DType.I32: (DType.I32, DType.I64, *_FLOATS[1:]),
    DType.I64: (DType.I64, *_FLOATS[1:]),
}
"""For each element type, the types that cover its range.

Largest values: f16 65504, bf16 3.39e38, f32 3.40e38.
"""
