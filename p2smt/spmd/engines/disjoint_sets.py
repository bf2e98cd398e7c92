"""Sets without common members, which are joined one after the other."""

from collections.abc import Iterable
from typing import Generic, TypeVar

Member = TypeVar("Member")


class DisjointSets(Generic[Member]):
    """Each member in a set of its own, to begin with; a set goes by one of its members.

    >>> sets = DisjointSets("abc")
    >>> sets.join("a", "c")
    >>> [sets.first(member) for member in "abc"]
    ['a', 'b', 'a']
    """

    def __init__(self, members: Iterable[Member]) -> None:
        self._parent = {member: member for member in members}

    def first(self, member: Member) -> Member:
        """The member that its set goes by."""
        parent = self._parent
        while parent[member] != member:
            parent[member] = parent[parent[member]]
            member = parent[member]
        return member

    def join(self, one: Member, other: Member) -> None:
        """Make one set of the sets of two members, which goes by what that of `one` went by."""
        self._parent[self.first(other)] = self.first(one)
