"""Shards and times of operations, shared by all placements of a mesh, because they do not depend on networks."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from p2smt.tensor.kernel_work import KernelWork

Division = tuple[tuple[int, tuple[int, ...]], ...]
"""A division of work among ranks: numbers of atoms, each with the axes that shard them, outermost first."""

Parts = tuple[tuple[Fraction, ...], str, int]
"""The fractions of the flops, of each operand and of the result on a device, and the device's kind and speed."""


@dataclass(slots=True)
class ComputingCache:
    """Cached results for one program, list of devices, axis sizes and sharding ratios; operations are keyed by kind."""

    rank_parts: dict[Division, tuple[Fraction, ...]] = field(default_factory=dict)
    part_numbers: dict[Division, tuple[int, ...]] = field(default_factory=dict)
    counts: dict[Division, Mapping[tuple[Fraction, int], int]] = field(default_factory=dict)
    slowest: dict[tuple[Fraction, int, Division], int] = field(default_factory=dict)
    works: dict[int, tuple[Fraction, int]] = field(default_factory=dict)
    devices: dict[tuple[Division, ...], Mapping[Parts, int]] = field(default_factory=dict)
    kernels: dict[int, int] = field(default_factory=dict)
    kernel_numbers: dict[KernelWork, int] = field(default_factory=dict)
    times: dict[tuple[int, tuple[Division, ...]], Mapping[tuple[int, int], int]] = field(default_factory=dict)
