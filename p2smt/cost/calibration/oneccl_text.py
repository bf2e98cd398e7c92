"""Parser of the tables of Intel's oneCCL benchmark: times of a collective by number of processes."""

import re

from p2smt.cost.calibration.nccl_lines import Lines
from p2smt.cost.calibration.nccl_run import Row, Run

_NAME = re.compile(r"#\s*Benchmarking:\s*(\w+)")
_PROCESSES = re.compile(r"(?:#\s*#)?\bprocesses:\s*(\d{1,9})\b")
_HEADING = re.compile(r"#?bytes\b.*\bt_avg\[usec\]")


def read_oneccl_runs(lines: Lines, place: str) -> list[Run]:
    """Return the runs in a text of oneCCL's benchmark, one per collective; none for other texts.

    A row has the bytes of one rank's buffer, so only an allreduce has the same meaning as in nccl-tests.
    """
    runs: list[Run] = []
    name, processes, columns = "", 0, list[str]()
    rows: list[Row] = []

    def close() -> None:
        if rows:
            runs.append(Run(place=rows[0].place, program=name, ranks=(), rows=tuple(rows), nranks=processes))
            rows.clear()

    for number, line in lines:
        named, count = _NAME.search(line), _PROCESSES.search(line)
        if named:
            close()
            name, columns = named[1] if named[1] == "allreduce" else f"{named[1]} of oneCCL", []
        if count and not rows:
            processes = int(count[1])
        if _HEADING.search(line):
            columns = [word.lstrip("#") for word in line.split()]
            continue
        cells = line.split()
        if (
            name
            and columns
            and len(cells) >= len(columns) - 1
            and all(map(_is_number, cells[: columns.index("t_avg[usec]") + 1]))
        ):
            named_cells = dict(zip(columns, cells, strict=False))
            size, seconds = int(float(named_cells["bytes"])), float(named_cells["t_avg[usec]"]) / 1e6
            rows.append(
                Row(place=f"{place} line {number}", size=size, count=0, type="", redop=None, root=None, seconds=seconds)
            )
    close()
    return runs


def _is_number(cell: str) -> bool:
    return re.fullmatch(r"\d+(?:\.\d+)?", cell) is not None
