"""NCCL's algorithms, and values that depend on them."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import TypeAlias


class Algorithm(StrEnum):
    """An algorithm of NCCL; all except ring and pat apply only to AllReduce.

    nvls: the switch inside a machine sums, and with several machines the network's switches do so, too (SHARP).
    nvls_tree: the switch inside a machine sums, and trees connect the machines. collnet_direct, collnet_chain:
    the network's switches sum between machines; inside a machine, every device sends to all others, or a chain
    sums. pat: one binomial tree per device, for an AllGather or a ReduceScatter with one device per machine.
    """

    RING = "ring"
    TREE = "tree"
    NVLS = "nvls"
    NVLS_TREE = "nvls_tree"
    COLLNET_DIRECT = "collnet_direct"
    COLLNET_CHAIN = "collnet_chain"
    PAT = "pat"


SWITCHED = frozenset({Algorithm.NVLS, Algorithm.NVLS_TREE})  # only: those of which a switch is a part

COLLNET = frozenset({Algorithm.COLLNET_DIRECT, Algorithm.COLLNET_CHAIN})  # only: those with a switch outside

OUTSIDE = COLLNET | {Algorithm.NVLS}
"""Algorithms in which switches between machines may sum."""

ADDING = SWITCHED | COLLNET
"""Algorithms that a system supports only if its links give a rate for sums in switches."""

SIMPLE_ALONE = ADDING | {Algorithm.PAT}
"""Algorithms for which NCCL has no low-latency protocols."""


class NcclProtocol(StrEnum):
    """NCCL's protocols, from large to small messages."""

    SIMPLE = "Simple"
    LL128 = "LL128"
    LL = "LL"


class Auto(StrEnum):
    """NCCL's own choice of algorithm per call, as made when NCCL_ALGO is not set."""

    AUTO = "auto"


Choice: TypeAlias = Algorithm | Auto
"""One algorithm for every AllReduce, or NCCL's own choice."""

CHOICES: tuple[Choice, ...] = (*Auto, *Algorithm)
"""All choices; `str` of a choice is its name in options and files."""


def flow_key(algorithm: Algorithm) -> str:
    """Return the name of an algorithm's bandwidth limit per connection, in files, fits and explanations.

    >>> flow_key(Algorithm.RING)
    'ring_flow'
    """
    return f"{algorithm}_flow"


class PerAlgorithm(Mapping[Algorithm, float]):
    """An immutable, hashable map from some algorithms to numbers, in the order of `Algorithm`.

    >>> PerAlgorithm({Algorithm.TREE: 2e9, Algorithm.RING: 4e9})
    PerAlgorithm({'ring': 4000000000.0, 'tree': 2000000000.0})
    """

    __slots__ = ("_figures",)

    def __init__(self, figures: Mapping[Algorithm, float] | None = None) -> None:
        given = figures or {}
        self._figures = {algorithm: given[algorithm] for algorithm in Algorithm if algorithm in given}

    def __getitem__(self, algorithm: Algorithm) -> float:
        return self._figures[algorithm]

    def __iter__(self) -> Iterator[Algorithm]:
        return iter(self._figures)

    def __len__(self) -> int:
        return len(self._figures)

    def __hash__(self) -> int:
        return hash(tuple(self._figures.items()))

    def __repr__(self) -> str:
        return f"PerAlgorithm({ {str(algorithm): figure for algorithm, figure in self.items()} })"
