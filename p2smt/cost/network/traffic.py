"""Traffic of NCCL's algorithms: how a collective moves bytes, and how many bytes every hop carries."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal, assert_never

from p2smt.collective import Collective
from p2smt.cost.network.double_tree import MOST_MACHINES
from p2smt.cost.network.parallel_trees import tree_rounds
from p2smt.problem.system.algorithm import SWITCHED, Algorithm, Auto, Choice


class HopShape(StrEnum):
    """The shape of the hops among ranks in order.

    cycle: every member to the next, the last to the first. from_root: the same without the hop into the root,
    the first member. to_root: the same without the hop out of the root. trees: up and down a chain in every
    machine and two trees over the machines, each with half of the bytes. star: up and down a chain in every
    machine, and out of every machine to switches that add, and back. doubling: from every member to those that are
    1, 2, 4 ... further, the less the further (`parallel_trees.py`).
    """

    CYCLE = "cycle"
    FROM_ROOT = "from_root"
    TO_ROOT = "to_root"
    TREES = "trees"
    STAR = "star"
    DOUBLING = "doubling"


RingShape = Literal[HopShape.CYCLE, HopShape.FROM_ROOT, HopShape.TO_ROOT]  # only: a type for rings
"""The hops of a ring, or all of them but one."""


@dataclass(frozen=True, slots=True)
class Traffic:
    """Traffic of one group for every byte that its root holds before the step.

    `per_hop` bytes go over each hop (trees, star: over each chain hop and direction; doubling: out of each member, by
    all of its hops together). The first byte has gone
    `rounds` times over all hops when the last one arrives. Every device reads and writes `memory` bytes.
    """

    shape: HopShape
    per_hop: float
    rounds: float
    memory: float


def carriers(
    collective: Collective, choice: Choice, machines: int, able: frozenset[Algorithm] = frozenset()
) -> tuple[Algorithm, ...]:
    """The algorithms of which the cheapest carries a call: what NCCL is told where it has it for that call, else rings.

    Left to itself NCCL also weighs trees for an AllReduce, and what the group can have besides (`able`); told to take
    that where it cannot, it takes rings. Over more than 2^20 `machines` trees are not drawn.
    """
    match collective:
        case Collective.ALL_REDUCE:
            return _all_reduce_carriers(choice, machines, able - {Algorithm.PAT})
        case Collective.REDUCE_SCATTER | Collective.ALL_GATHER:
            trees = (Algorithm.PAT,) if Algorithm.PAT in able else ()  # only: the others reduce all
            match choice:
                case Auto.AUTO:
                    return (Algorithm.RING, *trees)
                case Algorithm.PAT:
                    return trees or (Algorithm.RING,)
                case Algorithm():  # none of the others is of these collectives
                    return (Algorithm.RING,)
                case _:
                    assert_never(choice)
        case Collective.REDUCE | Collective.BROADCAST:
            return (Algorithm.RING,)
        case _:
            assert_never(collective)


def _all_reduce_carriers(choice: Choice, machines: int, able: frozenset[Algorithm]) -> tuple[Algorithm, ...]:
    match choice:
        # Drawing the trees takes memory in proportion to the machines.
        case Auto.AUTO if machines > MOST_MACHINES:
            return (Algorithm.RING,)
        case Auto.AUTO:
            return (Algorithm.RING, Algorithm.TREE, *sorted(able))
        case Algorithm.NVLS | Algorithm.NVLS_TREE:  # else the one that the group can have
            return (choice,) if choice in able else tuple(sorted(able & SWITCHED)) or (Algorithm.RING,)
        case Algorithm.COLLNET_DIRECT | Algorithm.COLLNET_CHAIN:
            return (choice,) if choice in able else (Algorithm.RING,)
        case Algorithm.PAT:
            return (Algorithm.RING,)
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
            return _scattered(algorithm, size, Traffic(HopShape.CYCLE, others, others, 1 + 1 / size))
        case Collective.ALL_GATHER:
            return _scattered(algorithm, size, Traffic(HopShape.CYCLE, size - 1, others, 1 + size))
        case Collective.REDUCE:
            return Traffic(HopShape.TO_ROOT, 1, 1, 2)
        case Collective.BROADCAST:
            return Traffic(HopShape.FROM_ROOT, 1, 1, 2)
        case _:
            assert_never(collective)


def _scattered(algorithm: Algorithm, size: int, ring: Traffic) -> Traffic:
    """The traffic of an AllGather or a ReduceScatter, of which trees carry as many bytes as a ring."""
    if algorithm is not Algorithm.PAT:  # only: all others have rings for these collectives
        return ring
    return replace(ring, shape=HopShape.DOUBLING, rounds=tree_rounds(size))


def _all_reduce(algorithm: Algorithm, others: float) -> Traffic:
    match algorithm:
        case Algorithm.RING:
            return Traffic(HopShape.CYCLE, 2 * others, 2 * others, 2)
        case Algorithm.TREE:
            # A reduction and a broadcast, one after the other for every chunk.
            return Traffic(HopShape.TREES, 1, 2, 4)
        case Algorithm.NVLS | Algorithm.NVLS_TREE:
            # The switch adds what it reads: a device reads its input once and its output is written once.
            shape = HopShape.STAR if algorithm is Algorithm.NVLS else HopShape.TREES  # only: the other has trees
            return Traffic(shape, 1, 2, 2)
        case Algorithm.COLLNET_DIRECT | Algorithm.COLLNET_CHAIN:
            return Traffic(HopShape.STAR, 1, 2, 4)
        case Algorithm.PAT:
            raise AssertionError("no AllReduce has parallel trees")
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
        case HopShape.STAR:
            return Algorithm.COLLNET_CHAIN, 1.0
        case HopShape.DOUBLING:
            return Algorithm.PAT, 1.0
        case _:
            assert_never(shape)
