"""Conversions: operations that change the layout along one mesh axis and compute nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from p2smt.collective import Collective, Communication, Exchange
from p2smt.tensor.layout import ReductionOp


@dataclass(frozen=True, slots=True)
class AllReduce:
    """Partial -> Replicated."""

    reduction: ReductionOp = ReductionOp.SUM


@dataclass(frozen=True, slots=True)
class ReduceScatter:
    """Partial -> Sliced. Here and below, `sizes` None means the blocks of torch.chunk."""

    dimension: int
    sizes: tuple[int, ...] | None = None
    reduction: ReductionOp = ReductionOp.SUM


@dataclass(frozen=True, slots=True)
class AllGather:
    """Sliced -> Replicated."""

    dimension: int


@dataclass(frozen=True, slots=True)
class AllToAll:
    """Sliced along `source` -> Sliced along `target`."""

    source: int
    target: int
    sizes: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Rebalance:
    """Sliced -> Sliced along the same dimension with other block sizes."""

    dimension: int
    sizes: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Reduce:
    """Partial -> OnRank."""

    root: int
    reduction: ReductionOp = ReductionOp.SUM


@dataclass(frozen=True, slots=True)
class Broadcast:
    """OnRank -> Replicated."""

    root: int


@dataclass(frozen=True, slots=True)
class Send:
    """OnRank(r) -> OnRank(r + 1): each rank sends to its successor along the axis."""


@dataclass(frozen=True, slots=True)
class Slice:
    """Replicated -> Sliced without communication: every rank keeps its block."""

    dimension: int
    sizes: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Keep:
    """Replicated -> Partial(+) without communication: all ranks but the root hold zeros."""

    root: int = 0


Conversion = AllReduce | ReduceScatter | AllGather | AllToAll | Rebalance | Reduce | Broadcast | Send | Slice | Keep


COMMUNICATION: Mapping[type[Conversion], Communication | None] = MappingProxyType(
    {
        AllReduce: Collective.ALL_REDUCE,
        ReduceScatter: Collective.REDUCE_SCATTER,
        AllGather: Collective.ALL_GATHER,
        AllToAll: Exchange.ALL_TO_ALL,
        Rebalance: Exchange.ALL_TO_ALL,
        Reduce: Collective.REDUCE,
        Broadcast: Collective.BROADCAST,
        Send: Exchange.SEND,
        Slice: None,
        Keep: None,
    }
)
"""The collective that implements each conversion; None without communication.

A Rebalance is an all-to-all with unequal blocks.
"""
