"""The JSON formats of nccl-tests (option -J) and rccl-tests (option -Z json)."""

import re
from typing import Any, TypeAlias, TypeVar  # Any: a user's file before it is checked

import msgspec

from p2smt.cost.calibration.nccl_run import (
    DeviceLine,
    PrintedNumber,
    Row,
    Run,
    parse_printed,
    parse_seconds_of,
    parse_whole,
)
from p2smt.errors import ProblemError
from p2smt.problem.typed import why_malformed


class _Device(msgspec.Struct, frozen=True):
    rank: int
    group: int = 0
    hostname: str | None = None


class _Config(msgspec.Struct, frozen=True):
    devices: tuple[_Device, ...] = ()


class _TableTimes(msgspec.Struct, frozen=True):
    time: int | float | str | None = None
    alg_bw: int | float | str | None = None
    bus_bw: int | float | str | None = None
    nwrong: int | float | str | None = None
    cpu_time: int | float | str | None = None


class _Result(msgspec.Struct, frozen=True):
    size: int
    count: int = 0
    type: str = ""
    redop: str | None = None
    root: int | str | None = None
    out_of_place: _TableTimes | None = None


class _File(msgspec.Struct, frozen=True):
    """The fields in use of nccl-tests' JSON file (version 3); the device list is in `config` or beside it."""

    results: tuple[_Result, ...]
    args: tuple[str | None, ...] = ()
    env: tuple[str | None, ...] | dict[str, Any] = ()
    config: _Config = _Config()
    devices: tuple[_Device, ...] = ()


class _RcclRow(msgspec.Struct, frozen=True):
    """A row of rccl-tests, out of place or in place; `ranks` and `nodes` exist only if it was built with MPI."""

    name: str
    size: int | str
    time: int | float | str
    type: str = ""
    redop: str | None = None
    in_place: int = msgspec.field(default=0, name="inPlace")
    alg_bw: int | float | str | None = msgspec.field(default=None, name="algBw")
    bus_bw: int | float | str | None = msgspec.field(default=None, name="busBw")
    wrong: int | float | str | None = None
    ranks: int = 0
    nodes: int = 0


_RcclRows: TypeAlias = list[_RcclRow]
_Kind = TypeVar("_Kind", _File, _RcclRows)


def read_json_runs(data: bytes, place: str) -> list[Run]:
    """Return the runs of a file (for rccl-tests one per test); raises ProblemError for other formats."""
    data = data.removeprefix(b"\xef\xbb\xbf")
    return _rccl_runs(data, place) if data.lstrip()[:1] == b"[" else [_nccl_run(data, place)]


def _decoded(data: bytes, place: str, kind: type[_Kind]) -> _Kind:
    try:
        return msgspec.json.decode(data, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as cause:
        reason = re.sub("`", "", why_malformed(cause))
        raise ProblemError(
            f"{place} is not JSON of nccl-tests: {reason}; write it with -J FILE, and let the test end"
        ) from cause


def _rccl_runs(data: bytes, place: str) -> list[Run]:
    tests: dict[str, list[Row]] = {}
    read = _decoded(data, place, _RcclRows)
    for number, row in enumerate(read):
        if row.in_place == 0:
            tests.setdefault(row.name, []).append(_rccl_row(row, f"{place} [{number}]"))
    ranks, nodes = max((row.ranks for row in read), default=0), max((row.nodes for row in read), default=0)
    return [
        Run(place=rows[0].place, program=test, ranks=(), rows=tuple(rows), nranks=ranks, nodes=nodes)
        for test, rows in tests.items()
    ]


def _rccl_row(row: _RcclRow, place: str) -> Row:
    return Row(
        place=place,
        size=parse_whole(str(row.size), "size", place),
        count=0,
        type="",
        redop=row.redop,
        root=None,
        seconds=parse_seconds_of(row.time, place),
        algbw=_rate(row.alg_bw),
        busbw=_rate(row.bus_bw),
        wrong=_wrong(row.wrong),
    )


def _nccl_run(data: bytes, place: str) -> Run:
    file = _decoded(data, place, _File)
    ranks = [DeviceLine(entry.rank, entry.group, entry.hostname or "") for entry in file.config.devices or file.devices]
    rows = [_row(result, f"{place} results[{number}]") for number, result in enumerate(file.results)]
    return Run(
        place=place,
        program=(file.args[0] or "") if file.args else "",
        ranks=tuple(ranks),
        rows=tuple(row for row in rows if row is not None),
        algorithm=_algorithm(file.env),
    )


def _row(result: _Result, place: str) -> Row | None:
    timing = result.out_of_place
    if timing is None:
        return None
    if timing.time is None and timing.cpu_time is not None:
        raise ProblemError(f"{place} has a CPU time; measure without -C, for the time of the collective")
    return Row(
        place=place,
        size=parse_whole(str(result.size), "size", place),
        count=parse_whole(str(result.count), "count", place),
        type=result.type,
        redop=result.redop,
        root=None if result.root is None else parse_whole(str(result.root).strip(), "root", place, -1),
        seconds=parse_seconds_of(timing.time, place),
        algbw=_rate(timing.alg_bw),
        busbw=_rate(timing.bus_bw),
        wrong=_wrong(timing.nwrong),
    )


def _rate(cell: object) -> PrintedNumber | None:
    """Return a computed rate, whose factor is known to a few parts in ten thousand."""
    rate = parse_printed(cell)
    return None if rate is None else PrintedNumber(rate.value, max(rate.half, 2e-4 * rate.value))


def _wrong(cell: object) -> float:
    found = parse_printed(cell)
    return found.value if found is not None and found.value >= 1 else 0.0


def _algorithm(env: tuple[str | None, ...] | dict[str, Any]) -> str:
    if isinstance(env, dict):
        return str(env.get("NCCL_ALGO", ""))
    values = [entry.partition("=")[2] for entry in env if entry and entry.startswith("NCCL_ALGO=")]
    return values[-1] if values else ""
