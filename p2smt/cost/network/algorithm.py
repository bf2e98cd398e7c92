"""How a collective moves its bytes: over a ring, or over two trees; and how many bytes every hop carries."""

from dataclasses import dataclass
from enum import StrEnum
from typing import assert_never

from p2smt.collective import Collective


class Algorithm(StrEnum):
    """What carries an AllReduce. NCCL has no tree for the other collectives; they always go over a ring.

    Gloo is another library altogether, with ways of its own for every collective: see `cost/gloo.py`.
    """

    RING = "ring"
    TREE = "tree"
    GLOO = "gloo"


NCCL = (Algorithm.RING, Algorithm.TREE)
"""The ways of NCCL."""


class Shape(StrEnum):
    """Which hops there are, in rank order.

    cycle: every member to the next, the last to the first. from_root: the same without the hop into the root,
    the first member. to_root: the same without the hop out of the root. trees: up and down a chain in every
    machine and two trees over the machines, each with half of the bytes.
    """

    CYCLE = "cycle"
    FROM_ROOT = "from_root"
    TO_ROOT = "to_root"
    TREES = "trees"


@dataclass(frozen=True, slots=True)
class Traffic:
    """What one group does for every byte that its root holds before the step.

    `per_hop` bytes go over each hop (trees: over each chain hop and direction). The first byte has gone
    `rounds` times over all hops when the last one arrives. Every device reads and writes `memory` bytes.
    """

    shape: Shape
    per_hop: float
    rounds: float
    memory: float


def traffic(collective: Collective, algorithm: Algorithm, size: int) -> Traffic:
    """The traffic of a group of `size` members (NCCL's rings: 2(n-1), n-1 or n steps of 1/n or all bytes)."""
    others = (size - 1) / size
    match collective:
        case Collective.ALL_REDUCE if algorithm is Algorithm.TREE:
            # A reduction and a broadcast, one after the other for every chunk.
            return Traffic(Shape.TREES, 1, 2, 4)
        case Collective.ALL_REDUCE:
            return Traffic(Shape.CYCLE, 2 * others, 2 * others, 2)
        case Collective.REDUCE_SCATTER:
            return Traffic(Shape.CYCLE, others, others, 1 + 1 / size)
        case Collective.ALL_GATHER:
            return Traffic(Shape.CYCLE, size - 1, others, 1 + size)
        case Collective.REDUCE:
            return Traffic(Shape.TO_ROOT, 1, 1, 2)
        case Collective.BROADCAST:
            return Traffic(Shape.FROM_ROOT, 1, 1, 2)
        case _:
            assert_never(collective)
