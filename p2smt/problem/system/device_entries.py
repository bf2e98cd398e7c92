"""The `[[kind]]`, `[effort]`, `[profile]`, `[timings]` and `[processors]` tables of system files."""

from collections.abc import Sequence

import msgspec

from p2smt.errors import ProblemError
from p2smt.problem.dtype import DTYPE_BYTES, dtype_name
from p2smt.problem.system.device_model import DeviceModel
from p2smt.problem.system.device_model_entries import named_model
from p2smt.problem.system.devices import DeviceKind, Effort, Profile
from p2smt.problem.system.processors import Processors
from p2smt.problem.system.timings import COLLECTIVES, Timings
from p2smt.problem.system.values import (
    bytes_text,
    rate_text,
    read_bytes,
    read_rate,
    read_speed,
    read_time,
    speed_text,
    time_text,
)
from p2smt.wording import did_you_mean


class KindEntry(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One `[[kind]]` table: machines with devices of one kind; `devices` per machine if fewer than the levels give.

    `model` names a device model, and `speed` is the achieved speed, by default the model's. `speeds` holds the
    speeds of data types that differ. `efficiency` is the fraction of the speed that is achieved, and `quota`
    the fraction of a core to which a device is limited in the laboratory.
    """

    name: str
    machines: int
    speed: str | int | float | None = None
    model: str | None = None
    devices: int | None = None
    memory: str | None = None
    efficiency: float = 1.0
    speeds: dict[str, str | int | float] = {}
    quota: float | None = None


class ProfileEntry(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The `[profile]` table: measured rates of collectives over all devices, and their latency."""

    all_reduce: str | int | float
    all_gather: str | int | float
    all_gather_grouped: str | int | float
    reduce_scatter: str | int | float
    reduce_scatter_grouped: str | int | float
    all_to_all: str | int | float
    latency: str | int | float = "0us"


class TimingsEntry(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The `[timings]` table: pairs of a whole tensor's bytes and a collective's time, per collective."""

    all_reduce: tuple[tuple[str, str], ...]
    all_gather: tuple[tuple[str, str], ...]
    all_gather_exchanged: tuple[tuple[str, str], ...]
    reduce_scatter: tuple[tuple[str, str], ...]
    reduce_scatter_exchanged: tuple[tuple[str, str], ...]
    all_to_all: tuple[tuple[str, str], ...]


class EffortEntry(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The `[effort]` table: the cost of starting any operation, and cost weights, both in arithmetic operations."""

    start: float = 0.0
    weights: dict[str, float] = {}


class ProcessorsEntry(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The `[processors]` table: the cores shared by all devices, and the core time of calls and messages."""

    cores: int
    call: str | int | float
    message: str | int | float
    port: str | int | float = "0us"


def processors_of(entry: ProcessorsEntry) -> Processors:
    """Return the processors described by a table."""
    return Processors(
        entry.cores,
        read_time(entry.call, "processors.call"),
        read_time(entry.message, "processors.message"),
        read_time(entry.port, "processors.port"),
    )


def processors_entry(processors: Processors) -> ProcessorsEntry:
    """Return the table of processors."""
    return ProcessorsEntry(
        cores=processors.cores,
        call=time_text(processors.call_s),
        message=time_text(processors.message_s),
        port=time_text(processors.port_s),
    )


def effort_of(entry: EffortEntry) -> Effort:
    """Return the cost weights described by a table."""
    return Effort(start=entry.start, weights=tuple(entry.weights.items()))


def effort_entry(effort: Effort) -> EffortEntry:
    """Return the table of cost weights."""
    return EffortEntry(start=effort.start, weights=dict(effort.weights))


def kind_of(entry: KindEntry, own: Sequence[DeviceModel] = ()) -> DeviceKind:
    """Return the kind described by a table; `own` are the models in the file.

    Raises ProblemError for values without a unit.
    """
    where = f"kind {entry.name[:64]}"
    model = named_model(entry.model, own)
    memory = read_bytes(entry.memory, f"{where}: memory")
    if entry.speed is not None:
        speed = read_speed(entry.speed, f"{where}: speed")
    elif model is not None:
        speed = model.speed("float32")
    else:
        raise ProblemError(f'{where} has neither a model nor a speed; give model = "h100" or speed = "60Tflop/s"')
    speeds = tuple(
        (_dtype(key, where), read_speed(value, f"{where}: speeds: {key}")) for key, value in entry.speeds.items()
    )
    return DeviceKind(
        name=entry.name,
        machines=entry.machines,
        speed=speed,
        devices=entry.devices,
        memory=memory,
        efficiency=entry.efficiency,
        speeds=speeds,
        quota=entry.quota,
        model=model,
    )


def _dtype(text: str, where: str) -> str:
    name = dtype_name(text)
    if name not in DTYPE_BYTES:
        meant = did_you_mean(name, DTYPE_BYTES)
        raise ProblemError(
            f"{where}: speeds: dtype {text[:40]!r} is unknown; choose one of {', '.join(DTYPE_BYTES)}{meant}"
        )
    return name


def kind_entry(kind: DeviceKind) -> KindEntry:
    """Return the table of a kind."""
    model = None if kind.model is None else kind.model.name
    return KindEntry(
        name=kind.name,
        machines=kind.machines,
        speed=speed_text(kind.speed),
        devices=kind.devices,
        memory=bytes_text(kind.memory),
        efficiency=kind.efficiency,
        model=model,
        speeds={dtype: speed_text(speed) for dtype, speed in kind.speeds},
        quota=kind.quota,
    )


def profile_of(entry: ProfileEntry) -> Profile:
    """Return the profile described by a table. Raises ProblemError for values without a unit."""
    return Profile(
        all_reduce=read_rate(entry.all_reduce, "profile: all_reduce"),
        all_gather=read_rate(entry.all_gather, "profile: all_gather"),
        all_gather_grouped=read_rate(entry.all_gather_grouped, "profile: all_gather_grouped"),
        reduce_scatter=read_rate(entry.reduce_scatter, "profile: reduce_scatter"),
        reduce_scatter_grouped=read_rate(entry.reduce_scatter_grouped, "profile: reduce_scatter_grouped"),
        all_to_all=read_rate(entry.all_to_all, "profile: all_to_all"),
        latency=read_time(entry.latency, "profile: latency"),
    )


def profile_entry(profile: Profile) -> ProfileEntry:
    """Return the table of a profile."""
    return ProfileEntry(
        all_reduce=rate_text(profile.all_reduce),
        all_gather=rate_text(profile.all_gather),
        all_gather_grouped=rate_text(profile.all_gather_grouped),
        reduce_scatter=rate_text(profile.reduce_scatter),
        reduce_scatter_grouped=rate_text(profile.reduce_scatter_grouped),
        all_to_all=rate_text(profile.all_to_all),
        latency=time_text(profile.latency),
    )


def timings_of(entry: TimingsEntry) -> Timings:
    """Return the timings described by a table. Raises ProblemError for values without a unit."""
    return Timings(
        **{
            name: tuple(
                (read_bytes(count, f"timings: {name}") or 0, read_time(time, f"timings: {name}"))
                for count, time in getattr(entry, name)
            )
            for name in COLLECTIVES
        }
    )


def timings_entry(timings: Timings) -> TimingsEntry:
    """Return the table of timings."""
    return TimingsEntry(
        **{
            name: tuple((bytes_text(count) or "", time_text(seconds)) for count, seconds in getattr(timings, name))
            for name in COLLECTIVES
        }
    )
