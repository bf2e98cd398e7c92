"""Conditions on placements and on their programs; axes and levels are numbers."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PinnedAxis:
    """The whole axis lies on one level: `tp on gpu`."""

    axis: int
    level: int


@dataclass(frozen=True, slots=True)
class InnerAxis:
    """Devices that differ on the axis alone are in one unit of the level: `tp inside node`."""

    axis: int
    level: int


@dataclass(frozen=True, slots=True)
class Off:
    """No part of the axis lies on the level: `tp not on node`."""

    axis: int
    level: int


@dataclass(frozen=True, slots=True)
class Unsplit:
    """At most one of the levels, all if none is named, has a part of the axis: `tp not split between node and gpu`."""

    axis: int
    levels: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Alike:
    """Both axes have the same factor on every level: `dp like ep`."""

    axis: int
    other: int


@dataclass(frozen=True, slots=True)
class FewCommunicators:
    """No device is in more communicators than this, over all programs: `at most 8 communicators`."""

    most: int


@dataclass(frozen=True, slots=True)
class LittleMemory:
    """The communicators of a device take no more bytes than this: `at most 4GB for communicators`."""

    most_bytes: int


PlacementCondition = PinnedAxis | InnerAxis | Off | Unsplit | Alike
ProgramCondition = FewCommunicators | LittleMemory
Condition = PlacementCondition | ProgramCondition
