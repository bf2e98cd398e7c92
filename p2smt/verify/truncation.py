"""Integer divisions that lose a fraction which a goal misses.

Let a cell hold `floor(q)` where `q` is a sum of contributions, each with a share `q_d`, and let the goal be the sum `S`
of a group's contributions over `n` (1 for a sum, the group's size for an average). Contributions are not negative, so
every cell is at most what it would be without dropping fractions, and never becomes less when contributions grow. So a
result whose shares are right is `floor(S / n)` for all contributions exactly when it is `S / n` wherever `n` divides
`S`, and that is so exactly when every quotient on the way is whole there: when all shares of the group's members differ
by whole numbers and `n` times each of them is whole (the vectors with `n | S` are the whole combinations of `e_i - e_j`
and `n e_i`). Where it is not, one of these vectors is two contributions on which the result is 0 instead of 1.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

Numbers = tuple[tuple[int, int], ...]
"""(device, contribution); all others contribute 0."""


@dataclass(frozen=True, slots=True)
class Truncation:
    """A sum dropped a fraction that the goal misses, seen on `numbers`; `added`: more was added to it since."""

    numbers: Numbers
    added: bool = False

    def with_more(self) -> "Truncation":
        """The same after an addition."""
        return self if self.added else replace(self, added=True)


class Truncations:
    """Quotients of a plan that drop a fraction which its goal misses.

    Shares are counts of `unit`ths; the groups are those whose members are averaged, none where sums are wanted.
    """

    def __init__(self, unit: int, averaged: Sequence[tuple[int, ...]]) -> None:
        self._unit = unit
        self._group: Mapping[int, tuple[int, ...]] = {device: group for group in averaged for device in group}

    def truncated(self, counts: Mapping[int, int]) -> Truncation | None:
        """The dropped fraction when these counts, of one chunk's contributions by device, are divided.

        Counts of devices of several groups, of which no goal has the sum, may be anything.
        """
        # The members of one group are the largest set that a goal can want the sum of.
        first = next(iter(counts))
        group = self._group.get(first, (first,))
        others = [device for device in counts if device not in group]
        size = len(group)
        for device in (*group, *others):
            # Some numbers where the share of one device alone is not an integer: a multiple of the
            # group's size fits the goal, but not this quotient.
            if counts.get(device, 0) * size % self._unit:
                return Truncation(((device, size),))
            if (counts.get(device, 0) - counts[first]) % self._unit and device not in others:
                return Truncation(tuple(sorted(((device, 1), (first, size - 1)))))
        return None
