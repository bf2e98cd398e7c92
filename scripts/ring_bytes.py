"""Bytes that every device sends in collectives, all by rings, and what they take under p2smt's model of a network."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import prod

from p2smt.spmd.devices.network import NetworkModel
from p2smt.tensor.conversion import COMMUNICATION
from p2smt.tensor.footprint import footprint
from p2smt.tensor.program import Program

ALL = "all"
"""The axis of a collective among all devices of a mesh of several axes."""


_COMMUNICATION = {kind.__name__ for kind, done in COMMUNICATION.items() if done is not None}


@dataclass(frozen=True, slots=True)
class Collective:
    """A collective by p2smt's name, along an axis, and the bytes that each rank brings to it."""

    kind: str
    axis: str
    bytes: int


def bytes_sent(collective: Collective, ranks: int) -> Fraction:
    """What each rank sends, by rings among `ranks`; an exchange sends every other rank its block.

    >>> str(bytes_sent(Collective("AllReduce", "axis0", 800), 8))
    '1400'
    """
    share = Fraction(ranks - 1, ranks)
    match collective.kind:
        case "AllReduce":
            return 2 * share * collective.bytes
        case "ReduceScatter" | "AllToAll" | "Rebalance":
            return share * collective.bytes
        case "AllGather":
            return Fraction((ranks - 1) * collective.bytes)
        case kind:
            raise AssertionError(f"{kind} is not counted")


def total_sent(collectives: Iterable[Collective], axes: dict[str, int]) -> int:
    """Bytes that each rank sends, rounded, on a mesh with axes of these sizes."""
    return round(sum((bytes_sent(each, ranks_of(each.axis, axes)) for each in collectives), Fraction()))


def ranks_of(axis: str, axes: dict[str, int]) -> int:
    """The ranks of a group along an axis: all of the mesh for `ALL`, and for the only axis, whatever its name is.

    >>> ranks_of("axis1", {"axis0": 2, "axis1": 4}), ranks_of(ALL, {"axis0": 2, "axis1": 4})
    (4, 8)
    """
    return prod(axes.values()) if axis == ALL or len(axes) == 1 else axes[axis]


def price(collective: Collective, network: NetworkModel, ranks: int) -> int:
    """Picoseconds under p2smt's model of a network."""
    even = (Fraction(1, ranks),) * ranks
    match collective.kind:
        case "AllReduce":
            return network.all_reduce(collective.bytes).time
        case "ReduceScatter":
            return network.reduce_scatter(collective.bytes, even).time
        case "AllGather":
            return network.all_gather(collective.bytes * ranks, even).time
        case "AllToAll":
            return network.all_to_all(collective.bytes * ranks, even, even).time
        case kind:
            raise AssertionError(f"{kind} is not priced")


def collectives_of(program: Program) -> list[Collective]:
    """Those of a distributed program; of uneven parts the largest."""
    return [
        Collective(each.conversion, each.axis, max(each.bytes))
        for value in footprint(program).values
        for each in value.sent
        if each.conversion in _COMMUNICATION
    ]
