"""Detect integer divisions that drop a fraction on which the goal depends.

Let a cell hold `floor(q)`, where `q` is a sum of contributions, each with a share `q_d`, and let the goal be
the sum `S` of a group's contributions divided by `n` (1 for a sum, the group's size for an average).
Contributions are non-negative, so that every cell is at most its value without truncation, and never decreases
when contributions grow. A result with the right shares is therefore `floor(S / n)` for all contributions
exactly if it is `S / n` wherever `n` divides `S`. This holds exactly if every intermediate quotient is an
integer there: if all shares of the group's members differ by integers, and `n` times each of them is an integer
(the vectors with `n | S` are the integer combinations of `e_i - e_j` and `n e_i`). Otherwise one of these
vectors consists of two contributions for which the result is 0 instead of 1.

    right for all contributions  <=>  q_d - q_e and n q_d are integers for all members d, e, in every cell.

Complexity: one pass over the cells of each step.
Reference: Schrijver, "Theory of Linear and Integer Programming", 1986, chapter 4 (lattices and their bases).

Example: floor((x + y) / 2) is a right average of two; floor(x / 2) + floor(y / 2) is not: for x = y = 1 it is 0.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

Numbers = tuple[tuple[int, int], ...]
"""Pairs of a device and its contribution; all others contribute 0."""


@dataclass(frozen=True, slots=True)
class Truncation:
    """A dropped fraction that affects the goal, for the inputs `numbers`; `added`: something was added later."""

    numbers: Numbers
    added: bool = False

    def with_more(self) -> "Truncation":
        """Return the truncation after an addition."""
        return self if self.added else replace(self, added=True)


class Truncations:
    """Finds quotients in a plan whose dropped fraction affects the goal.

    Shares are counted in multiples of 1/`unit`. The groups in `averaged` are averaged; the tuple is empty for
    sums.
    """

    def __init__(self, unit: int, averaged: Sequence[tuple[int, ...]]) -> None:
        self._unit = unit
        self._group: Mapping[int, tuple[int, ...]] = {device: group for group in averaged for device in group}

    def truncated(self, counts: Mapping[int, int]) -> Truncation | None:
        """Return the truncation caused by dividing one chunk's contributions, given their counts by device.

        Return None if the result stays exact for all contributions that the goal allows. Counts of devices from
        several groups, whose sum no goal requires, may be anything.
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
