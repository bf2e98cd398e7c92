"""Conditions on placements and on their programs; axes and levels are given by index."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PinnedAxis:
    """Requires that the whole axis lies on one level: `tp on gpu`."""

    axis: int
    level: int


@dataclass(frozen=True, slots=True)
class InnerAxis:
    """Requires that devices differing only on the axis share a unit of the level: `tp inside node`."""

    axis: int
    level: int


@dataclass(frozen=True, slots=True)
class Off:
    """Requires that no part of the axis lies on the level: `tp not on node`."""

    axis: int
    level: int


@dataclass(frozen=True, slots=True)
class Unsplit:
    """Requires that at most one of the levels has a part of the axis: `tp not split between node and gpu`.

    An empty `levels` stands for all levels.
    """

    axis: int
    levels: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Alike:
    """Requires equal factors of both axes on every level: `dp like ep`."""

    axis: int
    other: int


@dataclass(frozen=True, slots=True)
class FewCommunicators:
    """Limits the number of communicators per device, over all programs: `at most 8 communicators`."""

    most: int


@dataclass(frozen=True, slots=True)
class LittleMemory:
    """Limits the memory of a device's communicators, in bytes: `at most 4GB for communicators`."""

    most_bytes: int


PlacementCondition = PinnedAxis | InnerAxis | Off | Unsplit | Alike
ProgramCondition = FewCommunicators | LittleMemory
Condition = PlacementCondition | ProgramCondition
