"""Traffic of NCCL's algorithms: the shape of their hops, and the bytes that each hop carries.

For a group of n members whose root holds B bytes before the step, NCCL's rings put on every hop, in rounds of all hops
    AllReduce        2 (n - 1) / n * B    2 (n - 1) / n rounds
    ReduceScatter    (n - 1) / n * B      (n - 1) / n rounds
    AllGather        (n - 1) * B          (n - 1) / n rounds    (B is one shard)
    Reduce, Broadcast    B                1 round
Trees pass B up and B down. The counts for rings are the optimal ones (Patarasu and Yuan, "Bandwidth optimal all-reduce
algorithms for clusters of workstations", 2009).

Example: 4 members and 8 bytes; an AllReduce puts 12 bytes on every hop, a ReduceScatter 6.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Literal, assert_never

from p2smt.collective import Collective
from p2smt.cost.network.double_tree import MOST_MACHINES
from p2smt.cost.network.parallel_trees import tree_rounds
from p2smt.problem.system.algorithm import SWITCHED, Algorithm, Auto, Choice


class HopShape(StrEnum):
    """The shape of the hops among ranks in order.

    cycle: every member to the next one, the last to the first. from_root: a cycle without the hop into the root, which
    is the first member. to_root: a cycle without the hop out of the root. trees: up and down a chain in every machine,
    and two trees over the machines, each with half of the bytes. star: up and down a chain in every machine, and from
    every machine to switches that reduce, and back. doubling: from every member to those 1, 2, 4 ... further, with
    fewer bytes on longer hops (`parallel_trees.py`).
    """

    CYCLE = "cycle"
    FROM_ROOT = "from_root"
    TO_ROOT = "to_root"
    TREES = "trees"
    STAR = "star"
    DOUBLING = "doubling"


RingShape = Literal[HopShape.CYCLE, HopShape.FROM_ROOT, HopShape.TO_ROOT]  # only: a type for rings
"""The shapes of a ring, complete or without one hop."""


@dataclass(frozen=True, slots=True)
class Traffic:
    """The traffic of one group, per byte that its root holds before the step.

    `per_hop`: bytes on each hop (trees, star: on each chain hop and direction; doubling: out of each member, on all its
    hops together). `rounds`: latency of the last byte, in times around all hops. `memory`: bytes that every device
    reads and writes.
    """

    shape: HopShape
    per_hop: float
    rounds: float
    memory: float


def carriers(
    collective: Collective, choice: Choice, machines: int, able: frozenset[Algorithm] = frozenset()
) -> tuple[Algorithm, ...]:
    """Return the algorithms among which a call uses the cheapest.

    An explicit choice is used if NCCL has it for the call, else rings. With `Auto.AUTO`, NCCL also considers trees for
    an AllReduce, and the algorithms in `able`, which the group supports; an unsupported choice falls back to rings.
    Trees over more than 2^20 `machines` are not considered.
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
    """Return the traffic of a group of `size` members (NCCL's rings: 2(n-1), n-1 or n steps of 1/n or all bytes)."""
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
    """Return the traffic of an AllGather or a ReduceScatter; parallel trees carry as many bytes as a ring."""
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
            raise AssertionError("parallel trees are not an algorithm of AllReduce")
        case _:
            assert_never(algorithm)


def connection(shape: HopShape) -> tuple[Algorithm, float]:
    """Return the algorithm whose connections carry hops of a shape, and the fraction of a hop's bytes on one of them.

    `Link.flow` of that algorithm limits the rate of a connection; each of two trees carries half of the bytes.
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
