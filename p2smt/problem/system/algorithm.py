"""NCCL's algorithms, and parameters that differ between them."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import TypeAlias


class Algorithm(StrEnum):
    """An algorithm of NCCL. All but ring and pat are of an AllReduce alone.

    nvls: the switch inside a machine adds, and over several machines those between them, too (SHARP). nvls_tree: it
    does, and trees go over the machines. collnet_direct, collnet_chain: switches between machines add; inside a machine
    each device sends to all, or a chain adds.
    pat: binomial trees, one from every device, of an AllGather or a ReduceScatter with one device per machine.
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
"""Algorithms whose sums over machines may be made by switches between them."""

ADDING = SWITCHED | COLLNET
"""Algorithms that a system has where its links name a rate of sums."""

SIMPLE_ALONE = ADDING | {Algorithm.PAT}
"""Algorithms that NCCL's protocols of small messages do not have."""


class Auto(StrEnum):
    """NCCL's own choice of the algorithm, call by call, made when NCCL_ALGO is not set."""

    AUTO = "auto"


Choice: TypeAlias = Algorithm | Auto
"""The instruction to NCCL: one algorithm for every AllReduce, or its own choice."""

CHOICES: tuple[Choice, ...] = (*Auto, *Algorithm)
"""All choices; `str` of each is its name in options and files."""


def flow_key(algorithm: Algorithm) -> str:
    """The name of the bound on one connection of an algorithm: in files, among fitted figures, in explanations.

    >>> flow_key(Algorithm.RING)
    'ring_flow'
    """
    return f"{algorithm}_flow"


class PerAlgorithm(Mapping[Algorithm, float]):
    """A figure for some algorithms, in the order of `Algorithm`. Holds: equal figures have equal hashes.

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
