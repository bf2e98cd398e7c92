"""Parser of the text that nccl-tests prints: device lists and tables among other output."""

import re
from dataclasses import dataclass, field, replace

from p2smt.cost.calibration.launching import launched_ranks
from p2smt.cost.calibration.nccl_lines import Lines
from p2smt.cost.calibration.nccl_parts import parts_of
from p2smt.cost.calibration.nccl_rows import RawRow, extend, is_rest, raw_row, understood
from p2smt.cost.calibration.nccl_run import UNSAID, DeviceLine, Run
from p2smt.errors import ProblemError

_PROGRAM = re.compile(r"Collective test starting:\s*(\S+)")
_START = re.compile(r"\bnThread\s+\d+\s+n[Gg]pus\b")
_RANK = re.compile(r"\bRank\s+(\d{1,9})\s+(?:Group\s+(\d{1,18})\s+)?(?:Pid\s+\d+\s+)?(?:on\s+(\S+)\s+|uses\s+)device\b")
_HEADING = re.compile(r"\b(?:size|bytes)(?:\(B\))?\s+(?:count(?:\(elems\))?|N)\s+type\b.*")
_NCCOM = re.compile(r"\bcount\(elems\)")
"""The heading of AWS Neuron's nccom-test, whose rows never name an operation."""

_NCCOM_COMMAND = re.compile(r"\bnccom-test\b.*?\b(allr|allg|redsct|alltoall|sendrecv)\b")
_NCCOM_TESTS = {"allr": "all_reduce", "allg": "all_gather", "redsct": "reduce_scatter"}
_MENTION = re.compile(r"\b(\w+?)_(?:perf|test)(?:_mpi|_\d+)?\b")
_WORD = re.compile(
    r"(?<![a-z])(all[ _-]?reduce|all[ _-]?gather|reduce[ _-]?scatter|all[ _-]?to[ _-]?all|send[ _-]?recv)(?![a-z])",
    re.IGNORECASE,
)
"""The name of a test in a sentence, heading or script above its table, such as `/scripts/allgather.sh`."""

_ALGORITHM = re.compile(r"\bNCCL_ALGO\b[\s=:]+[\"']?([\w,^]+)")
_INIT = re.compile(r"\bnranks\s+(\d{1,9})\b", re.IGNORECASE)
_NODES = re.compile(r"\bnNodes\s+(\d{1,9})\b")
_ENDED = re.compile(r"Collective test concluded|Destroy COMPLETE|Abort COMPLETE")
_HEADING_WORDS = frozenset({"timestamp"})


@dataclass(slots=True)
class _Open:
    """A run being read."""

    program: str = ""
    columns: tuple[str, ...] = ()
    ranks: list[DeviceLine] = field(default_factory=list)
    rows: list[RawRow] = field(default_factory=list)
    mentioned: str = ""
    algorithm: str = ""
    nranks: int = 0
    nodes: int = 0
    launched: int = 0


@dataclass(slots=True)
class _Above:
    """The statements of the command lines above the next table."""

    program: str = ""
    algorithm: str = ""
    exported: bool = False
    command: str = ""
    launched: int = 0


def read_text_runs(lines: Lines, place: str) -> list[Run]:
    """Return the runs of a file that have rows; raises ProblemError for CPU times.

    Lines that are not from nccl-tests are skipped.
    """
    runs, above = [_Open()], _Above()
    for number, line in lines:
        row = raw_row(line, f"{place} line {number}")
        if row is not None:
            _enter_row(runs[-1], row, above)
        elif not _enter_comment(runs, line, above) and runs[-1].rows:
            # A line broken in two by a terminal: the second half holds cells only.
            last = runs[-1].rows[-1]
            if not last.is_whole and is_rest(line):
                extend(last, line.split())
    return [part for run in runs if run.rows for part in parts_of(_closed(run))]


def _closed(run: _Open) -> Run:
    place = run.rows[0].place
    if "cputime" in run.columns:
        raise ProblemError(f"{place}: the table has CPU times; measure without -C, for the time of the collective")
    rows, notes = understood(run.rows, run.columns)
    if any(_NCCOM.match(column) for column in run.columns):
        rows = [replace(row, redop=UNSAID) for row in rows]
    return Run(
        place=place,
        program=run.program,
        ranks=tuple(run.ranks),
        rows=tuple(rows),
        algorithm=run.algorithm or run.rows[0].algorithm,
        mentioned=run.mentioned,
        nranks=run.nranks,
        nodes=run.nodes,
        launched=run.launched,
        notes=tuple(notes),
    )


def _enter_row(run: _Open, row: RawRow, above: _Above) -> None:
    if not run.rows:
        run.mentioned, run.algorithm, run.launched = above.program, above.algorithm, above.launched
        above.algorithm = above.algorithm if above.exported else ""
    run.rows.append(row)


def _enter_comment(runs: list[_Open], line: str, above: _Above) -> bool:
    """Read a comment; True if it describes a run or the next run."""
    program, start, rank = _PROGRAM.search(line), _START.search(line), _RANK.search(line)
    heading = _HEADING.search(line)
    # Rows before a new heading, or a device list before a new program, belong to an earlier run.
    if ((program or start or rank or heading) and runs[-1].rows) or ((program or start) and runs[-1].ranks):
        runs.append(_Open())
    run = runs[-1]
    if program:
        run.program = program[1]
    if rank:
        run.ranks.append(DeviceLine(int(rank[1]), int(rank[2] or 0), rank[3] or ""))
    if heading:
        run.columns = tuple(word for word in heading[0].split() if word not in _HEADING_WORDS)
    if _ENDED.search(line):
        return True
    return any((program, start, rank, heading, _enter_init(run, line), _enter_command(line, above)))


def _enter_init(run: _Open, line: str) -> bool:
    """Read NCCL's own log line with the size of a communicator; True if the line is one."""
    found, nodes = _INIT.search(line), _NODES.search(line)
    if run.rows or not found:
        return False
    run.nranks = int(found[1])
    run.nodes = int(nodes[1]) if nodes else run.nodes
    return True


def _enter_command(line: str, above: _Above) -> bool:
    """Read a command line, or a heading of a web page, that names the next test."""
    above.command = f"{above.command[:-1]} {line}" if above.command.endswith("\\") else line
    above.launched = launched_ranks(above.command) or above.launched
    named = {word.rpartition("/")[2] for word in _MENTION.findall(line)}
    nccom = _NCCOM_COMMAND.search(line)
    if nccom:
        named = {_NCCOM_TESTS.get(nccom[1], nccom[1])}
    # A line that names a program says more than a line that only has the word.
    words = {re.sub("[^a-z]", "", word.lower()) for word in _WORD.findall(line)} if not named else set()
    algorithm = _ALGORITHM.search(line)
    if len(named or words) == 1:
        above.program = next(iter(named or words))
    if algorithm:
        above.algorithm, above.exported = algorithm[1], "export" in line
    return bool(named or algorithm)
