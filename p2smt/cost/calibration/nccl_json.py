"""The JSON documents of nccl-tests (-J, version 3)."""

import msgspec

from p2smt.cost.algorithm import Algorithm
from p2smt.cost.calibration.measurement import Measurement
from p2smt.cost.calibration.nccl_groups import Rank
from p2smt.cost.calibration.nccl_rows import collective_named, collective_of_columns, measurement, table_pattern
from p2smt.errors import CalibrationError
from p2smt.problem.network import System
from p2smt.program.collective import Collective


class _Device(msgspec.Struct):
    rank: int
    group: int = 0
    hostname: str = ""


class _Timing(msgspec.Struct):
    time: float | None = None
    cpu_time: float | None = None


class _Result(msgspec.Struct):
    size: int
    out_of_place: _Timing
    redop: str = ""
    root: int | str = -1


class _Document(msgspec.Struct):
    results: list[_Result]
    devices: list[_Device]
    args: list[str] | str = ""
    env: dict[str, object] | list[object] | None = None


def read_nccl_json(
    data: bytes, place: str, system: System, algorithm: Algorithm, collective: Collective | None = None
) -> list[Measurement]:
    """The out-of-place times of a document, on the system that was measured.

    The algorithm is that of its NCCL_ALGO where this is plainly Ring or Tree, else `algorithm`. Raises ProblemError or
    CalibrationError as `read_nccl_text` does.
    """
    try:
        document = msgspec.json.decode(data, type=_Document)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as cause:
        raise CalibrationError(f"{place} is no JSON document of nccl-tests -J: {cause}") from cause
    named = table_pattern([Rank(one.rank, one.group, one.hostname) for one in document.devices], system, place)
    arguments = document.args if isinstance(document.args, str) else " ".join(document.args)
    started = collective_named(arguments, place)
    algorithm = _algorithm(document.env) or algorithm
    found = []
    for number, result in enumerate(document.results):
        here = f"{place} results[{number}]"
        timing = result.out_of_place
        seconds = timing.cpu_time if timing.time is None else timing.time
        if seconds is None:
            raise CalibrationError(f"{here} has no time out of place")
        kind = started or collective or collective_of_columns(result.redop, str(result.root), here)
        one = measurement(kind, named, system, algorithm, float(result.size), seconds, here)
        found += [] if one is None else [one]
    if not found:
        raise CalibrationError(f"{place} holds no result of nccl-tests")
    return found


def _algorithm(environment: dict[str, object] | list[object] | None) -> Algorithm | None:
    """Ring or Tree, when that is all that NCCL_ALGO allows; nccl-tests has written it as a table and as a list."""
    entries = environment if isinstance(environment, list) else [f"{k}={v}" for k, v in (environment or {}).items()]
    for entry in entries:
        name, _, value = str(entry).partition("=")
        if name == "NCCL_ALGO" and value.strip().lower() in list(Algorithm):
            return Algorithm(value.strip().lower())
    return None
