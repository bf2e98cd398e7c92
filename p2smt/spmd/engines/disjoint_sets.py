"""Disjoint sets with union and find.

Find halves the path on its way up: every other member gets its grandparent as parent. That alone makes m operations on
n members O(m log n) (Tarjan and van Leeuwen, "Worst-case analysis of set union algorithms", 1984). Union is not by
rank, because the representative of the first set has to stay.
"""

from collections.abc import Iterable
from typing import Generic, TypeVar

Member = TypeVar("Member")


class DisjointSets(Generic[Member]):
    """A partition of members, initially one set for each; a set is represented by one of its members.

    >>> sets = DisjointSets("abc")
    >>> sets.join("a", "c")
    >>> [sets.first(member) for member in "abc"]
    ['a', 'b', 'a']
    """

    def __init__(self, members: Iterable[Member]) -> None:
        self._parent = {member: member for member in members}

    def first(self, member: Member) -> Member:
        """Return the representative of a member's set."""
        parent = self._parent
        while parent[member] != member:
            parent[member] = parent[parent[member]]
            member = parent[member]
        return member

    def join(self, one: Member, other: Member) -> None:
        """Merge the sets of two members; the representative of `one`'s set represents the union."""
        self._parent[self.first(other)] = self.first(one)
