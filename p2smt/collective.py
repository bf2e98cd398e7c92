"""What the members of a group do together, and the three ways in which the field spells it."""

import re
from enum import StrEnum
from typing import Self


class _Spelled(StrEnum):
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


class Collective(_Spelled):
    """The five collectives of reduction programs (paper, section 3.2)."""

    ALL_REDUCE = "AllReduce"
    REDUCE_SCATTER = "ReduceScatter"
    REDUCE = "Reduce"
    ALL_GATHER = "AllGather"
    BROADCAST = "Broadcast"


class Exchange(_Spelled):
    """What moves data between members and adds nothing up.

    AllToAll: block `j` of member `i` becomes block `i` of member `j`. Send: the root's data to all others.
    """

    ALL_TO_ALL = "AllToAll"
    SEND = "Send"


Communication = Collective | Exchange
