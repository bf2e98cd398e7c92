"""Convert between device numbers, level digits and axis coordinates of a parallelism matrix, as mixed-radix numbers.

For digits d[0] ... d[n] with radices s[0] ... s[n], most significant first (Knuth, "The Art of Computer
Programming", volume 2, section 4.1),

    number = (...(d[0] * s[1] + d[1]) * s[2] + ...) * s[n] + d[n].

A device number is such a number over the levels, with the outermost level most significant. Within a level, the
digit splits into one digit per axis, with axis 0 most significant. An axis coordinate is the mixed-radix number
of the axis's digits, outermost level first. Both directions take O(axes x levels) time and no table.

Example: device 5 of matrix 1x2/2x2 has digits 0, 1 on the outer level (axes 0 and 1) and 0, 1 on the inner one
(5 = 4 + 1). Its coordinate is 0 on axis 0, and 1 * 2 + 1 = 3 on axis 1.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod

from p2smt.placement.matrix import ParallelismMatrix


@dataclass(frozen=True, slots=True)
class Digit:
    """One factor of a matrix as a digit of device numbers: its level, its axis, and its radix `size`."""

    level: int
    axis: int
    size: int


def split(number: int, sizes: Sequence[int]) -> tuple[int, ...]:
    """Return the mixed-radix digits of a number, most significant first; the inverse of `join`.

    >>> split(23, (4, 3, 2))
    (3, 2, 1)
    """
    digits = []
    for size in reversed(sizes):
        number, digit = divmod(number, size)
        digits.append(digit)
    return tuple(reversed(digits))


def join(digits: Sequence[int], sizes: Sequence[int]) -> int:
    """Return the number with the given mixed-radix digits, most significant first.

    >>> join((3, 2, 1), (4, 3, 2))
    23
    """
    number = 0
    for digit, size in zip(digits, sizes, strict=True):
        number = number * size + digit
    return number


# Matrices are few and asked for at every device; the dataclass has no room for a cached property (slots).
@lru_cache(maxsize=1024)
def _digits(matrix: ParallelismMatrix) -> tuple[Digit, ...]:
    columns = zip(*matrix.rows, strict=True)
    return tuple(Digit(j, i, size) for j, column in enumerate(columns) for i, size in enumerate(column))


@dataclass(frozen=True, slots=True)
class DeviceMap:
    """Conversion between device numbers and axis coordinates.

    Invariant: `device(coordinates(d)) == d` for every device `d` in `range(devices)`.
    """

    matrix: ParallelismMatrix

    @property
    def digits(self) -> tuple[Digit, ...]:
        """All factors as digits, most significant first: level by level, and axis by axis within a level."""
        return _digits(self.matrix)

    @property
    def devices(self) -> int:
        """The number of devices."""
        return prod(prod(row) for row in self.matrix.rows)

    def coordinates(self, device: int) -> tuple[int, ...]:
        """Return the coordinate of a device on every axis.

        >>> DeviceMap(ParallelismMatrix(((1, 2), (2, 2)))).coordinates(5)
        (0, 3)
        """
        found = [0] * len(self.matrix.rows)
        for digit, value in zip(self.digits, split(device, [d.size for d in self.digits]), strict=True):
            found[digit.axis] = found[digit.axis] * digit.size + value
        return tuple(found)

    def device(self, coordinates: Sequence[int]) -> int:
        """Return the device with these axis coordinates.

        >>> DeviceMap(ParallelismMatrix(((1, 2), (2, 2)))).device((0, 3))
        5
        """
        pairs = zip(coordinates, self.matrix.rows, strict=True)
        of_axis = [split(coordinate, row) for coordinate, row in pairs]
        values = [of_axis[digit.axis][digit.level] for digit in self.digits]
        return join(values, [digit.size for digit in self.digits])

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Yield the coordinates of device 0, 1, 2, ..."""
        return (self.coordinates(device) for device in range(self.devices))
