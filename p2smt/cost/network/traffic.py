"""Traffic of NCCL's algorithms: how a collective moves bytes, and how many bytes every hop carries."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, assert_never

from p2smt.collective import Collective
from p2smt.cost.network.double_tree import MOST_MACHINES
from p2smt.problem.system.algorithm import Algorithm, Auto, Choice


class HopShape(StrEnum):
    """The shape of the hops among ranks in order.

    cycle: every member to the next, the last to the first. from_root: the same without the hop into the root,
    the first member. to_root: the same without the hop out of the root. trees: up and down a chain in every
    machine and two trees over the machines, each with half of the bytes.
    """

    CYCLE = "cycle"
    FROM_ROOT = "from_root"
    TO_ROOT = "to_root"
    TREES = "trees"


RingShape = Literal[HopShape.CYCLE, HopShape.FROM_ROOT, HopShape.TO_ROOT]  # only: a type for rings
"""The hops of a ring, or all of them but one."""


@dataclass(frozen=True, slots=True)
class Traffic:
    """Traffic of one group for every byte that its root holds before the step.

    `per_hop` bytes go over each hop (trees: over each chain hop and direction). The first byte has gone
    `rounds` times over all hops when the last one arrives. Every device reads and writes `memory` bytes.
    """

    shape: HopShape
    per_hop: float
    rounds: float
    memory: float


def carriers(
    collective: Collective, choice: Choice, machines: int, switched: frozenset[Algorithm] = frozenset()
) -> tuple[Algorithm, ...]:
    """The algorithms of which the cheapest carries a call: for an AllReduce what NCCL is told, else rings alone.

    Left to itself NCCL also weighs trees, and what has a switch for a part where the group can have it (`switched`);
    told to take that where it cannot, it takes rings. Over more than 2^20 `machines` trees are not drawn.
    """
    match collective:
        case Collective.ALL_REDUCE:
            return _all_reduce_carriers(choice, machines, switched)
        case Collective.REDUCE_SCATTER | Collective.ALL_GATHER | Collective.REDUCE | Collective.BROADCAST:
            return (Algorithm.RING,)
        case _:
            assert_never(collective)


def _all_reduce_carriers(choice: Choice, machines: int, switched: frozenset[Algorithm]) -> tuple[Algorithm, ...]:
    match choice:
        # Drawing the trees takes memory in proportion to the machines.
        case Auto.AUTO if machines > MOST_MACHINES:
            return (Algorithm.RING,)
        case Auto.AUTO:
            return (Algorithm.RING, Algorithm.TREE, *sorted(switched))
        case Algorithm.NVLS | Algorithm.NVLS_TREE:
            return tuple(sorted(switched)) or (Algorithm.RING,)
        case Algorithm.RING | Algorithm.TREE:
            return (choice,)
        case _:
            assert_never(choice)


def traffic(collective: Collective, algorithm: Algorithm, size: int) -> Traffic:
    """The traffic of a group of `size` members (NCCL's rings: 2(n-1), n-1 or n steps of 1/n or all bytes)."""
    others = (size - 1) / size
    match collective:
        case Collective.ALL_REDUCE:
            return _all_reduce(algorithm, others)
        case Collective.REDUCE_SCATTER:
            return Traffic(HopShape.CYCLE, others, others, 1 + 1 / size)
        case Collective.ALL_GATHER:
            return Traffic(HopShape.CYCLE, size - 1, others, 1 + size)
        case Collective.REDUCE:
            return Traffic(HopShape.TO_ROOT, 1, 1, 2)
        case Collective.BROADCAST:
            return Traffic(HopShape.FROM_ROOT, 1, 1, 2)
        case _:
            assert_never(collective)


def _all_reduce(algorithm: Algorithm, others: float) -> Traffic:
    match algorithm:
        case Algorithm.RING:
            return Traffic(HopShape.CYCLE, 2 * others, 2 * others, 2)
        case Algorithm.TREE:
            # A reduction and a broadcast, one after the other for every chunk.
            return Traffic(HopShape.TREES, 1, 2, 4)
        case Algorithm.NVLS | Algorithm.NVLS_TREE:
            # The switch adds what it reads: a device reads its input once and its output is written once.
            return Traffic(HopShape.TREES, 1, 2, 2)
        case _:
            assert_never(algorithm)


def connection(shape: HopShape) -> tuple[Algorithm, float]:
    """Whose connections the hops of a shape go over, and the part of a hop's bytes on one of them.

    It bounds how fast a hop can be, by `Link.flow` of that algorithm; each of two trees carries half.
    """
    match shape:
        case HopShape.CYCLE | HopShape.FROM_ROOT | HopShape.TO_ROOT:
            return Algorithm.RING, 1.0
        case HopShape.TREES:
            return Algorithm.TREE, 0.5
        case _:
            assert_never(shape)
