"""Kinds of files that commands read, recognised by content, with the commands that take them.

A command that cannot read its file says what kind of file it is, where that is another one than it takes.
"""

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

from p2smt.errors import P2Error, ProblemError
from p2smt.problem.typed import STDIN, read_bounded

_MOST_BYTES = 4_000_000
"""Larger files are not inspected: they are logs or programs, whose reader reports what is wrong."""


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file: a noun with its article, endings of its names, and arguments of commands that take it."""

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


def ending_of(path: Path) -> str:
    """The ending of a file's name; of standard input the one that its content calls for, .toml if nothing else."""
    if str(path) != STDIN:
        return path.suffix
    found = kind_of(path)
    return found.endings[0] if found is not None else ".toml"


def another_kind(path: Path, taken: tuple[FileKind, ...]) -> str | None:
    """A message for a file of another kind than those taken; None for those, and for what is not recognised."""
    found = kind_of(path)
    if found is None or not taken or found in taken:
        return None
    hint = " or ".join(f"p2smt {arguments.format(path)}" for arguments in found.commands[:2])
    name = "standard input" if str(path) == STDIN else f"{path}"
    return f"{name} is {found.noun}, not {taken[0].noun}; try {hint or 'a browser'}"


def kind_of(path: Path) -> FileKind | None:
    """The kind of a file by its content, or by its name where that says it; None for others."""
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
            return _of_text(data)
    return found


def _of_text(data: bytes) -> FileKind | None:
    """The kind of XML, JSON, TOML, a table of measured times, a page, or a store."""
    if data.startswith(b"SQLite format 3"):
        return STORE
    text = data.decode(errors="replace")
    if text.lstrip().startswith("<"):
        return PAGE if text.lstrip()[:14].lower() == "<!doctype html" else FOREIGN
    if text.lstrip().startswith("{"):
        return _of_keys(_json_keys(text))
    try:
        return _of_keys(frozenset(tomllib.loads(text)))
    except (ValueError, RecursionError):
        heading = text.partition("\n")[0]
        is_table = {"matrix", "program", "seconds"} <= {name.strip() for name in heading.split(",")}
        return MEASUREMENTS if is_table or "nccl-tests" in text or "nThread" in text else None


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
"""Keys that a file of a kind has, the first that are all there decide."""


def _of_keys(keys: frozenset[str]) -> FileKind | None:
    return next((kind for needed, kind in _KEYS if needed <= keys), None)
