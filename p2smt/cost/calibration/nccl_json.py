"""The file that nccl-tests writes with -J."""

import re
from typing import Any  # Any: a user's file before it is checked

import msgspec

from p2smt.cost.calibration.nccl_run import PrintedNumber, Rank, Row, Run, parse_printed, parse_seconds_of, parse_whole
from p2smt.errors import ProblemError


class _Device(msgspec.Struct, frozen=True):
    rank: int
    group: int = 0
    hostname: str | None = None


class _Config(msgspec.Struct, frozen=True):
    devices: tuple[_Device, ...] = ()


class _Timing(msgspec.Struct, frozen=True):
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
    out_of_place: _Timing | None = None


class _File(msgspec.Struct, frozen=True):
    """The used part of the file (JSON version 3); the device list stands in `config`, or beside it."""

    results: tuple[_Result, ...]
    args: tuple[str | None, ...] = ()
    env: tuple[str | None, ...] | dict[str, Any] = ()
    config: _Config = _Config()
    devices: tuple[_Device, ...] = ()


def read_json_run(data: bytes, place: str) -> Run:
    """The run of a file; raises ProblemError when it is none of nccl-tests."""
    try:
        file = msgspec.json.decode(data, type=_File)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as cause:
        reason = re.sub("`", "", str(cause).splitlines()[0])
        raise ProblemError(
            f"{place} is no JSON of nccl-tests: {reason}; write it with -J FILE, and let the test end"
        ) from cause
    ranks = [Rank(entry.rank, entry.group, entry.hostname or "") for entry in file.config.devices or file.devices]
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
    """A rate, whose digits are those of a calculation: it tells the factor to a few in ten thousand."""
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
