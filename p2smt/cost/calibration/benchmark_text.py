"""Tables of collectives in other formats: other benchmarks, and nccl-tests with columns removed.

The parser reads tables under a heading (`heading.py`): DeepSpeed's communication benchmark, PARAM, all_reduce_bench.py,
OSU with NCCL, and web pages that list size, time and bandwidth. A line above the table names the collective. The number
of ranks comes from that line, a command, or busbw / algbw.

    size / time = algbw
determines the unit of times without one, and gives the times if only algbw is listed.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from p2smt.cost.calibration.heading import Cells, Heading, is_rule, parse_cells, parse_heading
from p2smt.cost.calibration.launching import launched_ranks
from p2smt.cost.calibration.nccl_lines import Lines
from p2smt.cost.calibration.nccl_rows import raw_row
from p2smt.cost.calibration.nccl_run import PrintedNumber, Row, Run

_NAMES = {
    "all_reduce": r"all[_ -]?reduce",
    "all_gather": r"all[_ -]?gather(?:_base|_into_tensor)?",
    "reduce_scatter": r"reduce[_ -]?scatter(?:_base|_tensor)?",
    "alltoall": r"all[_ -]?to[_ -]?all(?:_single|_base)?",
    "broadcast": r"broadcast|bcast",
    "sendrecv": r"send[_ -]?recv",
}
_ANY_NAME = re.compile("|".join(_NAMES.values()), re.IGNORECASE)
_NAMED = {name: re.compile(rf"(?<![a-z])(?:{spelled})(?![a-z])", re.IGNORECASE) for name, spelled in _NAMES.items()}
_RANKS = re.compile(r"\bon (\d{1,7}) devices|\b(\d{1,7}) ranks\b", re.IGNORECASE)
_AVERAGE = re.compile(r"bandwidth of (\w+) with a ([\d.]+) ?GB payload")
_ALGBW = re.compile(r"\balgbw: ([\d.]+) GBps")
_NOISE = "NCCL INFO"
_OSU = re.compile(r"#\s*OSU (\S+) (\S+) (?:Latency )?Test")
_OF_NCCL = re.compile(r"[NR]CCL|XCCL", re.IGNORECASE)
OSU = " of OSU"
"""The suffix of the names of OSU benchmarks that are not supported."""

_OSU_READ = frozenset({"all_reduce", "broadcast"})
"""Collectives whose sizes OSU counts as nccl-tests does."""

_PLAUSIBLE = (0.45, 2.01)
"""The plausible range of busbw x time / size for two or more ranks."""


@dataclass(slots=True)
class _Open:
    """A table being read, and what the lines above it state about the next table."""

    place: str = ""
    program: str = ""
    ranks: int = 0
    launched: int = 0
    heading: Heading | None = None
    rows: list[tuple[str, Cells]] = field(default_factory=list)
    payload: float = 0.0


def read_benchmark_runs(lines: Lines, place: str) -> Iterator[Run]:
    """Yield one run per table with a heading in a text."""
    table, command = _Open(), ""
    for number, line in lines:
        if _NOISE in line:
            continue
        # A shell command may continue on the next line.
        command = f"{command[:-1]} {line}" if command.endswith("\\") else line
        # A row of nccl-tests ends a table of another benchmark.
        if table.heading is not None and raw_row(line, place) is not None:
            table.heading = None
            continue
        where = f"{place} line {number}"
        cells = parse_cells(line, table.heading) if table.heading is not None else None
        if cells is not None:
            named = _program(line)
            if named and named != table.program and table.rows:
                yield from _closed(table)
                table = _Open(ranks=table.ranks, heading=table.heading)
            table.program = named or table.program
            table.rows.append((where, cells))
            continue
        average = _ALGBW.search(line)
        if average and table.payload:
            yield _averaged(table, where, float(average[1]))
            table.payload = 0.0
        # A statement below rows belongs to the next table.
        elif not is_rule(line) and _says(line, command, table) and table.rows:
            yield from _closed(table)
            table = _Open()
            _says(line, command, table)
    yield from _closed(table)


def _says(line: str, command: str, table: _Open) -> bool:
    """Record what a line above a table states (heading, collective, number of ranks). True if it states anything."""
    heading = parse_heading(line)
    units = table.heading.with_units(line) if table.heading is not None and not table.rows else table.heading
    if units is not table.heading and heading is None:
        table.heading = units
        return True
    program = _program(line)
    ranks = _RANKS.search(line) if program else None
    started = launched_ranks(command)
    if table.rows:
        return heading is not None or bool(program)
    table.heading = heading or table.heading
    table.program = program or table.program
    table.ranks = int(next(filter(None, ranks.groups()))) if ranks else table.ranks
    table.launched = started or table.launched
    average = _AVERAGE.search(line)
    if average:
        table.payload = float(average[2]) * 1e9
    return bool(heading or program or ranks or started)


def _program(line: str) -> str:
    """Return the collective that a line names, if it names one alone; of OSU's, only supported ones on NCCL."""
    if not _ANY_NAME.search(line) and "OSU" not in line:
        return ""
    named = [name for name, pattern in _NAMED.items() if pattern.search(line)]
    osu = _OSU.search(line)
    if osu is None:
        return named[0] if len(named) == 1 else ""
    read = bool(_OF_NCCL.search(osu[1])) and len(named) == 1 and named[0] in _OSU_READ
    return named[0] if read else f"{osu[1]} {osu[2]}{OSU}"


def _closed(table: _Open) -> Iterator[Run]:
    if not table.rows:
        return
    scale = _time_scale([cells for _, cells in table.rows])
    rows = tuple(filter(None, (_row(where, cells, scale) for where, cells in table.rows)))
    if rows:
        rows = _whole_buffers(rows, table)
        yield _run(table, rows)


def _averaged(table: _Open, where: str, algbw: float) -> Run:
    """Return the run of an all_reduce_bench.py that printed a single mean; its payload is in powers of ten."""
    row = Row(
        place=where,
        size=round(table.payload),
        count=0,
        type="",
        redop=None,
        root=None,
        seconds=table.payload / (algbw * 1e9),
    )
    return _run(table, (row,))


def _run(table: _Open, rows: tuple[Row, ...]) -> Run:
    """Return the run made of these rows; the table's own rates take precedence over the text above it."""
    osu = table.program.endswith(OSU)
    return Run(
        place=rows[0].place,
        program=table.program if osu else "",
        mentioned="" if osu else table.program,
        ranks=(),
        rows=rows,
        nranks=table.ranks,
        launched=table.launched,
    )


def _time_scale(rows: list[Cells]) -> float:
    """Return the factor of times without a unit, relative to microseconds, that fits most rows."""
    found = {1.0: 0, 1e3: 0, 1e6: 0}
    for row in rows:
        if row.time is None or row.unit:
            continue
        for scale in found:
            # Times without a unit can be seconds, milliseconds or microseconds: the unit under
            # which most rows satisfy size / time = algbw wins.
            rate = row.size / (row.time * scale) / 1e9 if row.time else 0.0
            if row.algbw is not None and row.algbw.value >= 0.1:
                found[scale] += abs(rate / row.algbw.value - 1) < 0.05
            elif row.algbw is None and row.busbw is not None and rate:
                found[scale] += _PLAUSIBLE[0] <= row.busbw.value / rate <= _PLAUSIBLE[1]
    return max(found, key=lambda scale: found[scale])


def _row(where: str, cells: Cells, scale: float) -> Row | None:
    """Return a row; None if its rates violate size / time = algbw, or if it has no time."""
    algbw, size = cells.algbw, cells.size
    if cells.time is None:
        if algbw is None or algbw.value <= 0:
            return None
        seconds = size / (algbw.value * 1e9)
    else:
        seconds = cells.time * (1.0 if cells.unit else scale)
        if seconds <= 0:
            return None
        if algbw is None:
            rate = size / seconds / 1e9
            # A rate computed from rounded times is known to about 0.2 %.
            algbw = PrintedNumber(rate, 2e-3 * rate)
        elif algbw.value > 0.1 and abs(size / seconds / 1e9 / algbw.value - 1) > 0.1:
            return None
    return Row(
        place=where, size=size, count=0, type="", redop=None, root=None, seconds=seconds, algbw=algbw, busbw=cells.busbw
    )


def _whole_buffers(rows: tuple[Row, ...], table: _Open) -> tuple[Row, ...]:
    """Convert sizes to those of the larger buffer: DeepSpeed and PARAM list one rank's input of an all-gather.

    For such tables busbw x time / size is n - 1, where nccl-tests has (n - 1) / n.
    """
    row = rows[-1]
    if table.program not in ("all_gather", "reduce_scatter") or row.busbw is None or row.algbw is None:
        return rows
    # With sizes per rank, busbw / algbw is n - 1 instead of (n - 1) / n.
    ranks = round(row.busbw.value / row.algbw.value) + 1
    if ranks < 3 or table.ranks not in (0, ranks) or abs(row.busbw.value / row.algbw.value / (ranks - 1) - 1) > 0.02:
        return rows
    return tuple(
        Row(
            place=one.place,
            size=one.size * ranks,
            count=0,
            type="",
            redop=None,
            root=None,
            seconds=one.seconds,
            algbw=None if one.algbw is None else PrintedNumber(one.algbw.value * ranks, one.algbw.half * ranks),
            busbw=one.busbw,
        )
        for one in rows
    )
