"""The `[[model]]` tables of system files, and the device models included in p2smt (`models/`)."""

import tomllib
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources

import msgspec

from p2smt.errors import ProblemError
from p2smt.problem.system.device_model import (
    IN_STEP,
    PEAK_DTYPES,
    DeviceModel,
    OperationFigures,
    OperationKind,
    check_model,
)
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
from p2smt.problem.typed import convert_checked
from p2smt.wording import did_you_mean

Value = str | int | float


class ModelOperationEntry(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One `[[model.operation]]` table: a device's parameters for a kind of operations and a data type."""

    kind: OperationKind
    dtype: str
    least: Value | None = None
    launch: Value | None = None
    computing: float = 1.0
    memory: float = 1.0
    row: Value = "0us"
    unaligned: float = 1.0


class DeviceModelEntry(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One `[[model]]` table, which describes a device."""

    name: str
    peak: dict[str, Value]
    memory: str
    bandwidth: Value
    launch: Value
    least: Value
    source: str = ""
    overlap_loss: float = 0.1
    in_step: float = IN_STEP
    operation: tuple[ModelOperationEntry, ...] = ()


def model_of(entry: DeviceModelEntry) -> DeviceModel:
    """Return the device described by a table. Raises ProblemError for values without a unit or out of range."""
    where = f"device model {entry.name[:64]}"
    model = DeviceModel(
        name=entry.name,
        source=entry.source,
        peaks=tuple((_dtype(dtype, where), read_speed(peak, f"{where}: peak")) for dtype, peak in entry.peak.items()),
        memory=read_bytes(entry.memory, f"{where}: memory") or 0,
        bandwidth=read_rate(entry.bandwidth, f"{where}: bandwidth"),
        launch=read_time(entry.launch, f"{where}: launch"),
        least=read_time(entry.least, f"{where}: least"),
        overlap_loss=entry.overlap_loss,
        in_step=entry.in_step,
        measured=tuple(
            (each.kind, _dtype(each.dtype, where), _figures(each, f"{where}: {each.kind}")) for each in entry.operation
        ),
    )
    check_model(model)
    return model


def _figures(entry: ModelOperationEntry, where: str) -> OperationFigures:
    return OperationFigures(
        least=None if entry.least is None else read_time(entry.least, f"{where}: least"),
        launch=None if entry.launch is None else read_time(entry.launch, f"{where}: launch"),
        computing=entry.computing,
        memory=entry.memory,
        row=read_time(entry.row, f"{where}: row"),
        unaligned=entry.unaligned,
    )


def _dtype(text: str, where: str) -> str:
    if text not in PEAK_DTYPES:
        meant = did_you_mean(text, PEAK_DTYPES)
        raise ProblemError(f"{where}: dtype {text[:40]!r} is unknown; choose one of {', '.join(PEAK_DTYPES)}{meant}")
    return text


def model_entry(model: DeviceModel) -> DeviceModelEntry:
    """Return the table of a device; the inverse of `model_of`."""
    return DeviceModelEntry(
        name=model.name,
        source=model.source,
        peak={dtype: speed_text(peak) for dtype, peak in model.peaks},
        memory=bytes_text(model.memory) or "",
        bandwidth=rate_text(model.bandwidth),
        launch=time_text(model.launch),
        least=time_text(model.least),
        overlap_loss=model.overlap_loss,
        in_step=model.in_step,
        operation=tuple(_operation_entry(kind, dtype, figures) for kind, dtype, figures in model.measured),
    )


def _operation_entry(kind: OperationKind, dtype: str, figures: OperationFigures) -> ModelOperationEntry:
    return ModelOperationEntry(
        kind=kind,
        dtype=dtype,
        least=None if figures.least is None else time_text(figures.least),
        launch=None if figures.launch is None else time_text(figures.launch),
        computing=figures.computing,
        memory=figures.memory,
        row=time_text(figures.row),
        unaligned=figures.unaligned,
    )


def model_names() -> tuple[str, ...]:
    """Return the names of the device models included in p2smt."""
    files = resources.files("p2smt.problem.system").joinpath("models").iterdir()
    return tuple(sorted(file.name.removesuffix(".toml") for file in files if file.name.endswith(".toml")))


@lru_cache(maxsize=64)
def device_model(name: str) -> DeviceModel:
    """Return a device model included in p2smt. Raises ProblemError for an unknown name.

    >>> device_model("h100").peak("bfloat16")
    989000000000000.0
    """
    names = model_names()
    if name not in names:
        meant = did_you_mean(name, names)
        raise ProblemError(f"device model {name[:80]!r} is unknown; choose one of {', '.join(names)}{meant}")
    text = resources.files("p2smt.problem.system").joinpath("models", f"{name}.toml").read_text(encoding="utf-8")
    return model_of(convert_checked(tomllib.loads(text), DeviceModelEntry, name, ProblemError))


def named_model(name: str | None, own: Sequence[DeviceModel]) -> DeviceModel | None:
    """Return the device with a name, preferring the file's `own` models; None if `name` is None."""
    if name is None:
        return None
    mine = {model.name: model for model in own}
    return mine[name] if name in mine else device_model(name)


def own_models(models: Sequence[DeviceModel | None]) -> tuple[DeviceModelEntry, ...]:
    """Return the tables of the devices that are not included in p2smt, without duplicates."""
    given = dict.fromkeys([model for model in models if model is not None])
    return tuple(
        model_entry(model) for model in given if model.name not in model_names() or device_model(model.name) != model
    )
