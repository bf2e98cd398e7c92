"""Groups of devices defined by the digits of their numbers, most significant digit first.

    number = sum over positions p of  digit[p] * stride[p],   stride[p] = product of the sizes behind p.
All groups are shifts of the first one, whose root is 0:
    group(root) = { root + o : o in group(0) }.
So only the first is listed. Complexity: O(1) for each member, and O(digits) for each root.
Reference: Knuth, "The Art of Computer Programming 2", section 4.1 (mixed radix).

Example: sizes (2, 3), digit 1 varying: strides 3 and 1, so group(0) = (0, 1, 2) and group(3) = (3, 4, 5).
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from math import prod

from p2smt.placement.digits import join, split


@dataclass(frozen=True, slots=True)
class DigitGroups:
    """Groups whose members differ in the digits at `varying`; devices with a nonzero digit at `zero` are in none.

    `sizes` are the radices of all digits. Invariant: every other device is in exactly one group, so that groups
    contain `count * size` devices.

    >>> list(DigitGroups((2, 3), (0,))), list(DigitGroups((2, 3), (0,), zero=(1,)))
    ([(0, 3), (1, 4), (2, 5)], [(0, 3)])
    """

    sizes: tuple[int, ...]
    varying: tuple[int, ...]
    zero: tuple[int, ...] = ()

    @property
    def size(self) -> int:
        """The number of members of every group."""
        return prod(self.sizes[position] for position in self.varying)

    @property
    def group_sizes(self) -> tuple[int, ...]:
        """The distinct sizes of groups: a single one, as all groups are alike."""
        return (self.size,)

    @property
    def count(self) -> int:
        """The number of groups."""
        return prod(self.sizes[position] for position in self._free)

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Yield the groups in ascending order of their roots, with members ascending."""
        # All groups are alike: a group is its root plus the offsets of the first group, which has root 0.
        offsets = list(self.members(0))
        return (tuple(root + offset for offset in offsets) for root in self.roots())

    def roots(self) -> Iterator[int]:
        """Yield the first member of every group, ascending."""
        return self._spelled(self._free)

    def members(self, root: int) -> Iterator[int]:
        """Yield the members of a root's group, ascending."""
        return (root + offset for offset in self._spelled(sorted(self.varying)))

    def root_of(self, device: int) -> int | None:
        """Return the first member of a device's group; None if it is in no group.

        >>> [DigitGroups((2, 2), (0,), zero=(1,)).root_of(device) for device in range(4)]
        [0, None, 0, None]
        """
        digits = list(split(device, self.sizes))
        if any(digits[position] for position in self.zero):
            return None
        for position in self.varying:
            digits[position] = 0
        return join(digits, self.sizes)

    @property
    def _free(self) -> list[int]:
        fixed = {*self.varying, *self.zero}
        return [position for position in range(len(self.sizes)) if position not in fixed]

    def _spelled(self, positions: Sequence[int]) -> Iterator[int]:
        """Yield the devices whose digits are 0 except at these positions, ascending."""
        sizes = [self.sizes[position] for position in positions]
        # The place value of each digit in the device number.
        strides = [prod(self.sizes[position + 1 :]) for position in positions]
        for number in range(prod(sizes)):
            yield sum(digit * stride for digit, stride in zip(split(number, sizes), strides, strict=True))


def device_class(device: int, sizes: Sequence[int], sets: Sequence[Collection[int]]) -> int:
    """Return a bit mask whose bit `i` is set if the device has a nonzero digit at one of the positions `sets[i]`.

    >>> device_class(5, (2, 2, 2), [(0,), (1,), (1, 2)])
    5
    """
    digits = split(device, sizes)
    return sum(1 << i for i, positions in enumerate(sets) if any(digits[position] for position in positions))
