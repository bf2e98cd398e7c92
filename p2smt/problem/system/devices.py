"""Devices of a cluster, kind by kind, and collectives that were measured as a whole."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import inf

from p2smt.errors import ProblemError
from p2smt.problem.system.device_model import DeviceModel, check_model

LEAST_QUOTA, MOST_QUOTA = 0.01, 1.0
"""The fraction of a core to which a rank of the laboratory can be limited."""


class ComputingMethod(StrEnum):
    """The methods of pricing computation.

    roofline: by models of the devices, kernel by kernel. speeds: operations on numbers by the speed of a kind of
    devices, and by what operations count as (`Effort`); that is HAP's cost.
    """

    ROOFLINE = "roofline"
    SPEEDS = "speeds"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceKind:
    """Machines with devices of one kind, in the order of their numbers.

    `speed` is operations on numbers per second, a product and a sum being two; `speeds` are those of data types that
    have another one. `efficiency` is the part of them that a device gets done. `devices` are those of one machine,
    None: as many as the levels say; `memory` is bytes of one device, None: not known. `quota` is the part of a core
    that a device gets in the laboratory, None: not limited. `model` has the figures of its data sheet, None: not known.
    """

    name: str
    machines: int
    speed: float
    devices: int | None = None
    memory: int | None = None
    efficiency: float = 1.0
    speeds: tuple[tuple[str, float], ...] = ()
    quota: float | None = None
    model: DeviceModel | None = None

    def done(self, dtype: str) -> float:
        """Operations on numbers of a data type that a device gets done in a second."""
        return self.efficiency * dict(self.speeds).get(dtype, self.speed)


SEND = "send"
"""The weight's name for a byte that a device sends or receives itself (on gloo: a processor)."""

ELEMENT = "element"
"""The weight's name for an element read or written by a contraction that is bound by memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """Cost weights of operations other than contractions, in units of their operations, on all kinds of devices.

    `start` is to begin any operation; `weights` what an operation on numbers counts as, by the operation's name or its
    kind (map, reduce, ...: `tensor/operation.py`), 1 where neither is named.
    The weight of `SEND` is of a byte, that of `ELEMENT` of an element of a contraction.
    """

    start: float = 0.0
    weights: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Measured rates of collectives among all devices, in bytes/s of the whole tensor, and a latency in seconds.

    `grouped` rates are of one call per shard in a group, for shards of unlike sizes; the others are of shards padded
    to the largest, whose padding counts.
    """

    all_reduce: float
    all_gather: float
    all_gather_grouped: float
    reduce_scatter: float
    reduce_scatter_grouped: float
    all_to_all: float
    latency: float = 0.0


def check_kinds(kinds: Sequence[DeviceKind], machines: int, inside: int) -> None:
    """Raise ProblemError for kinds that are not of the machines there are, or have figures out of range."""
    for kind in kinds:
        if kind.machines < 1:
            raise ProblemError(f"kind {kind.name}: machines {kind.machines} is no whole number from 1 on")
        _check_speeds(kind)
        if kind.model is not None:
            check_model(kind.model)
        if kind.devices is not None and not 1 <= kind.devices <= inside:
            raise ProblemError(f"kind {kind.name}: devices {kind.devices} is out of range; a machine has 1 to {inside}")
        if kind.memory is not None and kind.memory < 1:
            raise ProblemError(f"kind {kind.name}: memory {kind.memory} is no number of bytes")
    total = sum(kind.machines for kind in kinds)
    if kinds and total != machines:
        raise ProblemError(f"the kinds have {total} machines together, the levels {machines}; the two must be equal")


def _check_speeds(kind: DeviceKind) -> None:
    if kind.quota is not None and not LEAST_QUOTA <= kind.quota <= MOST_QUOTA:
        raise ProblemError(
            f"kind {kind.name}: quota {kind.quota} is out of range; it is a part of a core, "
            f"{LEAST_QUOTA} to {MOST_QUOTA}"
        )
    for speed in (kind.speed, *(speed for _, speed in kind.speeds)):
        if not 0 < speed < inf:
            raise ProblemError(f"kind {kind.name}: speed {speed} is no positive speed")
    if not 0 < kind.efficiency <= 1:
        raise ProblemError(f"kind {kind.name}: efficiency {kind.efficiency} is out of range; it is above 0, at most 1")


def check_effort(effort: Effort) -> None:
    """Raise ProblemError for figures that are none."""
    if not 0 <= effort.start < inf:
        raise ProblemError(f"effort: start {effort.start} is no number of operations")
    for kind, weight in effort.weights:
        if not 0 < weight < inf:
            raise ProblemError(f"effort: {kind} {weight} is no positive number")


def check_profile(profile: Profile) -> None:
    """Raise ProblemError for rates and latencies that are none."""
    rates = (
        profile.all_reduce,
        profile.all_gather,
        profile.all_gather_grouped,
        profile.reduce_scatter,
        profile.reduce_scatter_grouped,
        profile.all_to_all,
    )
    for rate in rates:
        if not 0 < rate < inf:
            raise ProblemError(f"profile: {rate} is no positive rate")
    if not 0 <= profile.latency < inf:
        raise ProblemError(f"profile: latency {profile.latency} is no time")


def with_machines(kinds: tuple[DeviceKind, ...], old: int, new: int, inside: int) -> tuple[DeviceKind, ...]:
    """The same kinds in the same proportions for `new` machines instead of `old`, of at most `inside` devices.

    ProblemError where there is no such number of machines of a kind.
    """
    if any(kind.machines * new % old for kind in kinds):
        parts = ", ".join(f"{kind.machines} {kind.name}" for kind in kinds)
        raise ProblemError(f"{new} machines cannot be in proportion to {parts}; write the kinds into a system file")
    return tuple(
        replace(
            kind,
            machines=kind.machines * new // old,
            devices=None if kind.devices is None else min(kind.devices, inside),
        )
        for kind in kinds
    )
