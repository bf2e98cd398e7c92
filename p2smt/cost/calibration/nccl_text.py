"""The text tables of nccl-tests."""

import re
from collections.abc import Sequence

from p2smt.cost.algorithm import Algorithm
from p2smt.cost.calibration.measurement import Measurement
from p2smt.cost.calibration.nccl_groups import Rank
from p2smt.cost.calibration.nccl_rows import collective_named, collective_of_columns, measurement, table_pattern
from p2smt.cost.pattern import Pattern
from p2smt.errors import CalibrationError
from p2smt.problem.network import System
from p2smt.program.collective import Collective

_RANK = re.compile(r"#\s+Rank\s+(\d{1,9})(?:\s+Group\s+(\d{1,9}))?\s+Pid\s+\d+\s+on\s+(\S+)")
_BEGIN = re.compile(r"#\s*(?:Collective test starting|nThread)\b")
_ESCAPE = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
_TYPES = r"(?:u?int(?:8|32|64)|half|float|double|bfloat16|fp?8\w*|f8e\dm\d)"
_ROW = re.compile(
    r"(?:\S+\s+\S+\s+|\S+\s+)?"  # a date and a time, or a stamp, with -S
    r"(?P<size>-?\d+)\s+(?P<count>\d+)\s+" + _TYPES + r"\s+(?P<redop>[A-Za-z]+)\s+"
    r"(?:(?P<root>-?\d+)\s+)?(?P<time>-?[\d.]+(?:e[+-]?\d+)?|nan|inf)\s+(?P<algbw>[\d.]+)\s+(?P<busbw>[\d.]+)(?:\s|$)"
)


def read_nccl_text(
    text: str, place: str, system: System, algorithm: Algorithm, collective: Collective | None = None
) -> list[Measurement]:
    """The out-of-place times of all tables in a text, on the system that was measured.

    The collective is taken from the table's heading (`Collective test starting: ...`), else `collective`, else from
    the columns redop and root; the groups from its list of devices. Raises ProblemError or CalibrationError with the
    file and line: no rows, no collective, groups that NCCL_TESTS_SPLIT does not make, another number of ranks.
    """
    found: list[Measurement] = []
    ranks: list[Rank] = []
    named: tuple[Pattern, str] | None = None
    started: Collective | None = None
    for number, raw in enumerate(text.splitlines(), start=1):
        line, here = _ESCAPE.sub("", raw).strip(), f"{place} line {number}"
        if rank := _RANK.match(line):
            if named is not None:
                ranks, named = [], None
            ranks.append(Rank(int(rank[1]), int(rank[2] or 0), rank[3]))
        elif line.startswith("#"):
            if _BEGIN.match(line) and named is not None:
                ranks, named, started = [], None, None
            started = collective_named(line, here) or started
        elif row := _ROW.match(line):
            named = named or table_pattern(ranks, system, place)
            kind = started or collective or collective_of_columns(row["redop"], row["root"] or "", here)
            one = measurement(kind, named, system, algorithm, float(row["size"]), float(row["time"]), here)
            found += [] if one is None else [one]
        elif _looks_like_a_row(line.split()):
            raise CalibrationError(
                f"{here}: {line[:80]!r} is no row of nccl-tests; its first columns are size and count"
            )
    if not found:
        raise CalibrationError(f"{place} holds no row of nccl-tests; give what all_reduce_perf and its like print")
    return found


def _looks_like_a_row(words: Sequence[str]) -> bool:
    return len(words) > 6 and all(word.lstrip("-").isdigit() for word in words[:2])
