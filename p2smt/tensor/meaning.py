"""Meanings of numbers: the arithmetic over which the interpreter of ranks runs."""

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
    """Arrays are numbers of one kind: reals, or elements of a prime field."""

    def number(self, value: float) -> Array:
        """A number that is written down."""
        ...

    def call(self, operation: str, arrays: Sequence[Array], frame: Frame) -> Array:
        """The result of an operation on one rank's arrays."""
        ...

    def reduced(self, reduction: Reduction, arrays: Sequence[Array]) -> Array:
        """The reduction of arrays of one shape, element by element."""
        ...

    def random(self, shape: tuple[int, ...], dtype: DType) -> Array:
        """Any values: of whole-number types such as can be indices, of BOOL 0 and 1."""
        ...

    def summands(self, reduction: Reduction, array: Array, count: int) -> list[Array]:
        """Any arrays whose reduction is this one."""
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
"""The parts that the ranks have; None is nothing."""
