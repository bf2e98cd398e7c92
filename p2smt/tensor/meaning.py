"""Interface of the arithmetics on which simulated ranks run."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from p2smt.tensor.dtype import DType
from p2smt.tensor.frame import Frame, Intervals
from p2smt.tensor.layout import ReductionOp
from p2smt.tensor.operation import Array


class DoesNotRunError(Exception):
    """Arrays do not fit on a rank or in a collective, so the program cannot run further."""


class Meaning(Protocol):
    """Arithmetic on arrays over one number system: real numbers, or a prime field."""

    def number(self, value: float) -> Array:
        """Return a scalar array for a literal."""
        ...

    def call(self, operation: str, arrays: Sequence[Array], frame: Frame) -> Array:
        """Return the result of an operation on one rank's arrays."""
        ...

    def reduced(self, reduction: ReductionOp, arrays: Sequence[Array]) -> Array:
        """Return the elementwise reduction of arrays of equal shape."""
        ...

    def random(self, shape: tuple[int, ...], dtype: DType) -> Array:
        """Return random values. Integer types give integers valid as indices; BOOL gives 0 and 1."""
        ...

    def summands(self, reduction: ReductionOp, array: Array, count: int) -> list[Array]:
        """Return `count` random arrays whose reduction is this array."""
        ...

    def equal(self, left: Array, right: Array) -> bool:
        """True if two arrays of equal shape hold the same numbers."""
        ...


@dataclass(frozen=True, slots=True)
class Part:
    """A rank's array, and the intervals of the unsharded tensor that it represents."""

    array: Array
    intervals: Intervals


Parts = tuple[Part | None, ...]
"""The part on each rank; None for a rank that holds nothing."""
