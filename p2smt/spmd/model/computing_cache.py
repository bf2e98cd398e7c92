"""Parts and times of operations, shared by all placements of a mesh, because networks do not enter."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

Division = tuple[tuple[int, tuple[int, ...]], ...]
"""A division among ranks: numbers of atoms, each with the axes that cut them, the outermost first."""

Parts = tuple[tuple[Fraction, ...], str, int]
"""Parts of the flops and of every side, the kind and the speed of a device."""


@dataclass(slots=True)
class ComputingCache:
    """The cache of one program for devices in order, sizes of axes and shares; operations by the number of a kind."""

    rank_parts: dict[Division, tuple[Fraction, ...]] = field(default_factory=dict)
    part_numbers: dict[Division, tuple[int, ...]] = field(default_factory=dict)
    counts: dict[Division, Mapping[tuple[Fraction, int], int]] = field(default_factory=dict)
    slowest: dict[tuple[Fraction, int, Division], int] = field(default_factory=dict)
    works: dict[int, tuple[Fraction, int]] = field(default_factory=dict)
    devices: dict[tuple[Division, ...], Mapping[Parts, int]] = field(default_factory=dict)
    times: dict[tuple[object, ...], Mapping[tuple[int, int], int]] = field(default_factory=dict)
