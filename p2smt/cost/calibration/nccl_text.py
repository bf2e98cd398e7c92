"""The text that nccl-tests prints: device lists and tables, among whatever else was printed."""

import re
from dataclasses import dataclass, field

from p2smt.cost.calibration.nccl_run import Rank, Row, Run, parse_seconds_of, parse_whole
from p2smt.errors import ProblemError

_NOISE = re.compile(
    r"\x1b\[[0-9;?]*[ -/]*[@-~]"  # colours
    r"|^\s*\[\d+,\d+\]<std(?:out|err)>:"  # mpirun --tag-output
    r"|\b\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d\b"  # nccl-tests -S
)
_PROGRAM = re.compile(r"#\s*Collective test starting:\s*(\S+)")
_START = re.compile(r"#\s*nThread\s+\d+\s+nGpus\b")
_RANK = re.compile(r"#\s*Rank\s+(\d{1,9})\s+(?:Group\s+(\d{1,18})\s+)?Pid\s+\d+\s+on\s+(\S+)\s+device\b")


@dataclass(slots=True)
class _Open:
    """A run that is being read."""

    program: str = ""
    columns: tuple[str, ...] = ()
    ranks: list[Rank] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)


def read_text_runs(text: str, place: str) -> list[Run]:
    """The runs of a file that have rows; raises ProblemError for a row that is no row of its table.

    A table's heading says where its columns stand, so tables with and without `redop`, `root`, `#wrong` (or
    `error`), per-iteration columns and timestamps are read alike. Lines that are not of nccl-tests are passed over.
    """
    runs = [_Open()]
    for number, raw in enumerate(text.split("\n"), 1):
        line = _NOISE.sub("", raw).strip()
        if line.startswith("#"):
            _enter_comment(runs, line)
        elif runs[-1].columns and line:
            _enter_row(runs[-1], line.split(), f"{place} line {number}")
    return [
        Run(run.rows[0].place, run.program, tuple(run.ranks), tuple(run.rows)) for run in runs if run.rows
    ]  # fmt: skip


def _enter_comment(runs: list[_Open], line: str) -> None:
    program, start, rank = _PROGRAM.match(line), _START.match(line), _RANK.match(line)
    if ((program or start or rank) and runs[-1].rows) or ((program or start) and runs[-1].ranks):
        runs.append(_Open())
    if program:
        runs[-1].program = program[1]
    if rank:
        runs[-1].ranks.append(Rank(int(rank[1]), int(rank[2] or 0), rank[3]))
    words = tuple(word for word in line.removeprefix("#").split() if word != "timestamp")
    if words[:3] == ("size", "count", "type"):
        runs[-1].columns = words


def _enter_row(run: _Open, cells: list[str], place: str) -> None:
    columns = run.columns
    if not _is_row(columns, cells):
        return
    if "cputime" in columns:
        raise ProblemError(f"{place}: the table has CPU times; measure without -C, for the time of the collective")
    if len(cells) != len(columns):
        raise ProblemError(f"{place}: a row of {len(cells)} cells stands under {len(columns)} columns; is it cut off?")
    named = dict(zip(reversed(columns), reversed(cells), strict=True))  # the first of a name counts: out-of-place
    run.rows.append(
        Row(
            place=place,
            size=parse_whole(named["size"], "size", place),
            count=parse_whole(named["count"], "count", place),
            type=named["type"],
            redop=named.get("redop"),
            root=parse_whole(named["root"], "root", place, -1) if "root" in named else None,
            seconds=parse_seconds_of(named.get("time"), place),
        )
    )


def _is_row(columns: tuple[str, ...], cells: list[str]) -> bool:
    """Other programs print lines as well: a row starts with numbers, or fits the columns and ends with numbers."""
    if len(cells) > 1 and _is_number(cells[0]) and _is_number(cells[1]):
        return True
    rates = [cell for name, cell in zip(columns, cells, strict=False) if name in {"algbw", "busbw"}]
    return len(cells) == len(columns) and all(map(_is_number, rates))


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
