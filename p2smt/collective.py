"""Collectives of a group, and the three spellings of the field."""

import re
from enum import StrEnum
from typing import Self


class _SpelledName(StrEnum):
    """Members are written `AllReduce` (NCCL, the paper), `all-reduce` (XLA, options) or `all_reduce` (torch)."""

    @property
    def hyphenated(self) -> str:
        """The name as XLA and command lines write it.

        >>> Collective.REDUCE_SCATTER.hyphenated
        'reduce-scatter'
        """
        return re.sub(r"(?<!^)(?=[A-Z])", "-", self.value).lower()

    @property
    def underscored(self) -> str:
        """The name as Python functions write it.

        >>> Exchange.ALL_TO_ALL.underscored
        'all_to_all'
        """
        return self.hyphenated.replace("-", "_")

    @classmethod
    def _missing_(cls, value: object) -> Self | None:
        """Every spelling names its member: `Collective("all_reduce")`."""
        return next((member for member in cls if value in (member.hyphenated, member.underscored)), None)


class Collective(_SpelledName):
    """The five collectives of reduction programs (paper, section 3.2)."""

    ALL_REDUCE = "AllReduce"
    REDUCE_SCATTER = "ReduceScatter"
    REDUCE = "Reduce"
    ALL_GATHER = "AllGather"
    BROADCAST = "Broadcast"

    @property
    def adds(self) -> bool:
        """True if the members' data are added to each other."""
        match self:
            case Collective.ALL_REDUCE | Collective.REDUCE_SCATTER | Collective.REDUCE:
                return True
            case Collective.ALL_GATHER | Collective.BROADCAST:
                return False

    @property
    def scatters(self) -> bool:
        """True if a member ends with only its own block of the result."""
        match self:
            case Collective.REDUCE_SCATTER:
                return True
            case Collective.ALL_REDUCE | Collective.REDUCE | Collective.ALL_GATHER | Collective.BROADCAST:
                return False

    @property
    def gathers(self) -> bool:
        """True if the result is the concatenation of the members' data."""
        match self:
            case Collective.ALL_GATHER:
                return True
            case Collective.ALL_REDUCE | Collective.REDUCE_SCATTER | Collective.REDUCE | Collective.BROADCAST:
                return False

    @property
    def from_root(self) -> bool:
        """True if only the root's data count."""
        match self:
            case Collective.BROADCAST:
                return True
            case Collective.ALL_REDUCE | Collective.REDUCE_SCATTER | Collective.REDUCE | Collective.ALL_GATHER:
                return False

    @property
    def to_root(self) -> bool:
        """True if only the root ends with anything."""
        match self:
            case Collective.REDUCE:
                return True
            case Collective.ALL_REDUCE | Collective.REDUCE_SCATTER | Collective.ALL_GATHER | Collective.BROADCAST:
                return False


class Exchange(_SpelledName):
    """Operations that move data between members and add nothing up.

    AllToAll: block `j` of member `i` becomes block `i` of member `j`. Send: the root's data to all others.
    """

    ALL_TO_ALL = "AllToAll"
    SEND = "Send"


class NeighbourSend(_SpelledName):
    """A send from every member of a group to the next one, in the order of ranks: nobody adds or waits for all.

    SendNext: the last member sends nothing (stages of a pipeline). SendAround: it sends to the first (stages with
    several chunks of layers each, Narayanan et al. 2021, section 2.2).
    """

    NEXT = "SendNext"
    AROUND = "SendAround"


Communication = Collective | Exchange
"""The communication that the groups of a plan's step carry out."""
