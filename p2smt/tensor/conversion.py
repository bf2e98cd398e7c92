"""Statements that change the layout along one axis of the mesh and compute nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from p2smt.collective import Collective, Communication, Exchange
from p2smt.tensor.layout import Reduction


@dataclass(frozen=True, slots=True)
class AllReduce:
    """Partial -> Replicated."""

    reduction: Reduction = Reduction.SUM


@dataclass(frozen=True, slots=True)
class ReduceScatter:
    """Partial -> Sliced; blocks are torch.chunk's where no sizes are given, here and below."""

    dimension: int
    sizes: tuple[int, ...] | None = None
    reduction: Reduction = Reduction.SUM


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
    """Sliced -> Sliced along the same dimension into other blocks."""

    dimension: int
    sizes: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Reduce:
    """Partial -> OnRank."""

    root: int
    reduction: Reduction = Reduction.SUM


@dataclass(frozen=True, slots=True)
class Broadcast:
    """OnRank -> Replicated."""

    root: int


@dataclass(frozen=True, slots=True)
class Send:
    """OnRank(r) -> OnRank(r + 1), member i of a group of the other axes to member i of the next."""


@dataclass(frozen=True, slots=True)
class Slice:
    """Replicated -> Sliced, free: every rank keeps its block."""

    dimension: int
    sizes: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Keep:
    """Replicated -> Partial(+), free: zeros everywhere but on the root."""

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
"""The collective that carries out each conversion; None without communication.

A rebalancing is an all-to-all of unequal blocks.
"""
