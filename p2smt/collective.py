"""The five collectives (paper, section 3.2)."""

from enum import StrEnum


class Collective(StrEnum):
    """What the members of a group do together."""

    ALL_REDUCE = "AllReduce"
    REDUCE_SCATTER = "ReduceScatter"
    REDUCE = "Reduce"
    ALL_GATHER = "AllGather"
    BROADCAST = "Broadcast"
