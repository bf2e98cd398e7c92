"""Interface of the arithmetic that simulated ranks run on."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from p2smt.tensor.frame import Frame, Intervals
from p2smt.tensor.layout import Reduction
from p2smt.tensor.operation import Array
from p2smt.tensor.program import DType


class DoesNotRunError(Exception):
    """The arrays that meet on a rank, or in a collective, do not fit: the program stops there."""


class Meaning(Protocol):
    """Arrays of one kind of number: reals, or elements of a prime field."""

    def number(self, value: float) -> Array:
        """The number for a literal."""
        ...

    def call(self, operation: str, arrays: Sequence[Array], frame: Frame) -> Array:
        """The result of an operation on one rank's arrays."""
        ...

    def reduced(self, reduction: Reduction, arrays: Sequence[Array]) -> Array:
        """The reduction of arrays of one shape, element by element."""
        ...

    def random(self, shape: tuple[int, ...], dtype: DType) -> Array:
        """Random values: integers valid as indices for integer types, 0 and 1 for BOOL."""
        ...

    def summands(self, reduction: Reduction, array: Array, count: int) -> list[Array]:
        """Random arrays whose reduction is this one."""
        ...

    def equal(self, left: Array, right: Array) -> bool:
        """True if two arrays of one shape are the same numbers."""
        ...


@dataclass(frozen=True, slots=True)
class Part:
    """A rank's array, and which part of the whole tensor it stands for."""

    array: Array
    intervals: Intervals


Parts = tuple[Part | None, ...]
"""The parts held by each rank; None for a rank without one."""
