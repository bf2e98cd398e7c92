"""Kinds of input file, recognised by content, and the commands that read them.

A command that cannot parse its input uses this to name the file's actual kind and the command that reads it.
"""

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

from p2smt.errors import P2Error, ProblemError
from p2smt.problem.typed import STDIN, read_bounded

_MOST_BYTES = 4_000_000
"""Larger files are not inspected: they are logs or programs, whose reader reports what is wrong."""
_MARKUP = 1000
"""The letters at the beginning of a file of markup that tell which it is."""


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file: a noun with its article, file name suffixes, and example arguments of commands that read it."""

    noun: str
    endings: tuple[str, ...]
    commands: tuple[str, ...]


PLAN = FileKind("a plan", (".json",), ("explain {}", "verify {}", "emit {}", "run {}"))
HAND_WRITTEN = FileKind("a hand-written plan", (".toml", ".json"), ("verify {}",))
FOREIGN = FileKind("a program for a compiler or a runtime", (".hlo", ".mlir", ".xml"), ("verify {}",))
PROGRAM = FileKind("a tensor program", (".tp",), ("show {}", "shard {} --system SYSTEM"))
STEPS = FileKind("the steps of a schedule", (".steps",), ("schedule PROGRAM.tp --steps {}",))
PROBLEM = FileKind("a problem file", (".toml",), ("synth {}",))
JOB = FileKind("a job file", (".toml",), ("optimize {}", "mesh {} --to devicemesh"))
SYSTEM = FileKind("a system file", (".toml",), ("synth --system {} --axes AXES --reduce AXES",))
MODEL = FileKind("the description of a model", (".toml", ".json"), ("advise --model {} --system SYSTEM",))
SWEEP = FileKind("a sweep file", (".toml",), ("study {}",))
STORE = FileKind("the store of a study", (".sqlite",), ("study query {}",))
MEASUREMENTS = FileKind("a table of measured times", (".csv", ".txt", ".json"), ("calibrate --system SYSTEM {}",))
PYTHON = FileKind("a Python file", (".py",), ("verify {} --run-python", "capture {}:FUNCTION --run-python"))
PAGE = FileKind("a page", (".html",), ())
DRAWING = FileKind("a drawing", (".svg",), ())
PROSE = FileKind("a text for people", (".md", ".rst"), ())


def ending_of(path: Path) -> str:
    """Return a file's suffix; for standard input, the suffix that matches its content, by default .toml."""
    if str(path) != STDIN:
        return path.suffix
    found = kind_of(path)
    return found.endings[0] if found is not None else ".toml"


def another_kind(path: Path, taken: tuple[FileKind, ...]) -> str | None:
    """Return a message if the file's kind is not in `taken`; None if it is, if it is unknown, or `taken` is empty."""
    found = kind_of(path)
    if found is None or not taken or found in taken:
        return None
    name = "standard input" if str(path) == STDIN else f"{path}"
    return f"{name} is {found.noun}, not {taken[0].noun}; {_way_out(found, taken[0], path)}"


def _way_out(found: FileKind, taken: FileKind, path: Path) -> str:
    """Return the commands that read the file; for one that none reads, the name of a file that the command takes."""
    if found.commands:
        return "try " + " or ".join(f"p2smt {arguments.format(path)}" for arguments in found.commands[:2])
    if found in (PAGE, DRAWING):
        return "try a browser"
    return f"give a file such as NAME{taken.endings[0]}"


def kind_of(path: Path) -> FileKind | None:
    """Return the kind of a file, from its content or from a characteristic name; None if it is not recognised."""
    from p2smt.frontend.format import Format
    from p2smt.frontend.recognition import format_of

    try:
        data = read_bounded(path, _MOST_BYTES, ProblemError)
    except P2Error:
        return None
    if path.suffix == STEPS.endings[0]:
        return STEPS
    match format_of(path, data):
        case Format.P2SMT:
            found = PLAN
        case Format.TENSOR:
            found = PROGRAM
        case Format.TORCH:
            found = PYTHON
        case Format.HLO | Format.STABLEHLO | Format.MSCCLPP:
            found = FOREIGN
        case Format.MSCCL | Format.HAND:
            return _of_text(path, data)
    return found


def _of_text(path: Path, data: bytes) -> FileKind | None:
    """Return the kind of some content: markup, JSON, TOML, a table of timings, a SQLite store, or prose by its name."""
    if data.startswith(b"SQLite format 3"):
        return STORE
    text = data.decode(errors="replace")
    if text.lstrip().startswith("<"):
        return _of_markup(text.lstrip()[:_MARKUP].lower())
    if text.lstrip().startswith("{"):
        return _of_keys(_json_keys(text))
    try:
        return _of_keys(frozenset(tomllib.loads(text)))
    except (ValueError, RecursionError):
        heading = text.partition("\n")[0]
        is_table = {"matrix", "program", "seconds"} <= {name.strip() for name in heading.split(",")}
        if is_table or _has_timings(text):
            return MEASUREMENTS
        return PROSE if path.suffix in PROSE.endings else None


def _has_timings(text: str) -> bool:
    """True if a line is a row of nccl-tests, to the reader of `calibrate`, or a heading of its tables is there."""
    from p2smt.cost.calibration.nccl_lines import plain_lines
    from p2smt.cost.calibration.nccl_rows import raw_row

    return any(line.lstrip().startswith("# nThread") or raw_row(line, "") is not None for _, line in plain_lines(text))


def _of_markup(beginning: str) -> FileKind:
    if beginning.startswith(("<!doctype html", "<html")):
        return PAGE
    return DRAWING if "<svg" in beginning else FOREIGN


# Only the top-level keys matter; a file that is no JSON object has none.
def _json_keys(text: str) -> frozenset[str]:
    try:
        table = json.loads(text)
    except (ValueError, RecursionError):
        return frozenset()
    return frozenset(table) if isinstance(table, dict) else frozenset()


_KEYS = (
    (frozenset({"model_type"}), MODEL),
    (frozenset({"grid"}), SWEEP),
    (frozenset({"devices", "chunks"}), HAND_WRITTEN),
    (frozenset({"reduction"}), JOB),
    (frozenset({"transformer", "parallelism"}), JOB),
    (frozenset({"axis"}), PROBLEM),
    (frozenset({"reduce"}), PROBLEM),
    (frozenset({"transformer"}), MODEL),
    (frozenset({"job"}), SWEEP),
    (frozenset({"level"}), SYSTEM),
)
"""Keys that identify each kind of file; the first entry whose keys are all present decides."""


def _of_keys(keys: frozenset[str]) -> FileKind | None:
    return next((kind for needed, kind in _KEYS if needed <= keys), None)
