"""Kinds of devices in a cluster, and measured rates of whole collectives."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import inf

from p2smt.errors import ProblemError
from p2smt.problem.system.device_model import DeviceModel, check_model

LEAST_QUOTA, MOST_QUOTA = 0.01, 1.0
"""Range of the fraction of a core to which a laboratory's rank can be limited."""


class ComputingMethod(StrEnum):
    """Methods of pricing computation.

    roofline: by device models, kernel by kernel. speeds: arithmetic operations, weighted by `Effort`, over the
    speed of a kind of devices; this is HAP's cost model.
    """

    ROOFLINE = "roofline"
    SPEEDS = "speeds"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceKind:
    """Consecutive machines with devices of one kind.

    `speed` is arithmetic operations per second, counting a multiply-add as two; `speeds` holds differing speeds
    of data types. `efficiency` is the fraction of the speed that a device reaches. `devices` is the number per
    machine; None means as many as the levels give. `memory` is bytes per device, None if unknown. `quota` is
    the fraction of a core that a device gets in the laboratory, None if unlimited. `model` holds data-sheet
    parameters, None if unknown.
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
        """Return the operations per second of a data type that a device achieves."""
        return self.efficiency * dict(self.speeds).get(dtype, self.speed)


SEND = "send"
"""Name of the weight per byte that a device sends or receives itself (on gloo, where the processor copies)."""

ELEMENT = "element"
"""Name of the weight per element read or written by a memory-bound contraction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """Cost weights of operations other than contractions, in arithmetic operations, common to all kinds of devices.

    `start` is the cost of starting any operation. `weights` gives the cost per arithmetic operation by the
    operation's name or kind (map, reduce, ...: `tensor/operation.py`), by default 1. The weight of `SEND` is
    per byte, and that of `ELEMENT` per element of a contraction.
    """

    start: float = 0.0
    weights: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Measured rates of collectives over all devices, in bytes/s of the whole tensor, and a latency in seconds.

    `grouped` rates apply to one grouped call per shard, for shards of unequal size; the other rates apply to
    shards padded to the largest, counting the padding.
    """

    all_reduce: float
    all_gather: float
    all_gather_grouped: float
    reduce_scatter: float
    reduce_scatter_grouped: float
    all_to_all: float
    latency: float = 0.0


def check_kinds(kinds: Sequence[DeviceKind], machines: int, inside: int) -> None:
    """Raise ProblemError for kinds that do not match the machines, or have values out of range."""
    for kind in kinds:
        if kind.machines < 1:
            raise ProblemError(
                f"kind {kind.name}: machines {kind.machines} is not a whole number of at least 1; correct it"
            )
        _check_speeds(kind)
        if kind.model is not None:
            check_model(kind.model)
        if kind.devices is not None and not 1 <= kind.devices <= inside:
            raise ProblemError(f"kind {kind.name}: devices {kind.devices} is out of range; a machine has 1 to {inside}")
        if kind.memory is not None and kind.memory < 1:
            raise ProblemError(
                f"kind {kind.name}: memory {kind.memory} is not a positive number of bytes; write one such as 80GB"
            )
    total = sum(kind.machines for kind in kinds)
    if kinds and total != machines:
        raise ProblemError(
            f"the kinds have {total} machines in all, but the levels have {machines}; the two must be equal"
        )


def _check_speeds(kind: DeviceKind) -> None:
    if kind.quota is not None and not LEAST_QUOTA <= kind.quota <= MOST_QUOTA:
        raise ProblemError(
            f"kind {kind.name}: quota {kind.quota} is out of range; give a fraction of a core, "
            f"{LEAST_QUOTA} to {MOST_QUOTA}"
        )
    for speed in (kind.speed, *(speed for _, speed in kind.speeds)):
        if not 0 < speed < inf:
            raise ProblemError(f"kind {kind.name}: speed {speed} is not a positive speed; write one such as 60Tflop/s")
    if not 0 < kind.efficiency <= 1:
        raise ProblemError(
            f"kind {kind.name}: efficiency {kind.efficiency} is out of range; give a fraction above 0 and at most 1"
        )


def check_effort(effort: Effort) -> None:
    """Raise ProblemError for invalid weights."""
    if not 0 <= effort.start < inf:
        raise ProblemError(f"effort: start {effort.start} is not a number of operations; write a number of at least 0")
    for kind, weight in effort.weights:
        if not 0 < weight < inf:
            raise ProblemError(f"effort: {kind} {weight} is not a positive number; correct the weight")


def check_profile(profile: Profile) -> None:
    """Raise ProblemError for invalid rates or latencies."""
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
            raise ProblemError(f"profile: {rate} is not a positive rate; write one such as 25GB/s")
    if not 0 <= profile.latency < inf:
        raise ProblemError(f"profile: latency {profile.latency} is not a time; write one such as 5us")


def with_machines(kinds: tuple[DeviceKind, ...], old: int, new: int, inside: int) -> tuple[DeviceKind, ...]:
    """Return the kinds scaled proportionally from `old` to `new` machines with at most `inside` devices.

    Raises ProblemError if a kind would have a fractional number of machines.
    """
    if any(kind.machines * new % old for kind in kinds):
        parts = ", ".join(f"{kind.machines} {kind.name}" for kind in kinds)
        raise ProblemError(
            f"{new} machines cannot be divided in proportion {parts}; write the kinds into a system file"
        )
    return tuple(
        replace(
            kind,
            machines=kind.machines * new // old,
            devices=None if kind.devices is None else min(kind.devices, inside),
        )
        for kind in kinds
    )
