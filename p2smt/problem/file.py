"""Problem files: TOML in, `Problem` out, and the JSON Schema of the format."""

import tomllib
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from p2smt.errors import ProblemError
from p2smt.problem.model import Engine, Grammar, HierarchyKind, Search
from p2smt.problem.typed import convert_checked, read_bounded

MAX_FILE_BYTES = 1_000_000


class LevelEntry(msgspec.Struct, frozen=True):
    """One `[[level]]` table; bandwidth and latency as text with a unit."""

    name: str
    size: int
    bandwidth: str | None = None
    latency: str | None = None


class AxisEntry(msgspec.Struct, frozen=True):
    """One `[[axis]]` table."""

    name: str
    size: int


class PayloadEntry(msgspec.Struct, frozen=True):
    """The `[payload]` table; bytes as a number or as text with a unit."""

    bytes: int | str = "1GiB"
    dtype: str = "float32"


class SearchEntry(msgspec.Struct, frozen=True):
    """The `[search]` table."""

    limit: int = Search().limit
    grammar: Grammar = Search().grammar
    engine: Engine = Search().engine
    hierarchy: HierarchyKind = Search().hierarchy
    collapse: bool = True


class ProblemFile(msgspec.Struct, frozen=True):
    """A problem file as it stands on disk, before the rules of `build_problem` are checked."""

    level: tuple[LevelEntry, ...] = ()
    axis: tuple[AxisEntry, ...] = ()
    reduce: tuple[str | int, ...] = ()
    payload: PayloadEntry = PayloadEntry()
    search: SearchEntry = SearchEntry()


def read_problem_file(path: Path) -> ProblemFile:
    """Read a problem file of at most 1 MB.

    Raises ProblemError with the place of the mistake: not TOML, unknown key (with the nearest known one),
    wrong type.
    """
    data = read_bounded(path, MAX_FILE_BYTES, ProblemError)
    try:
        table = tomllib.loads(data.decode())
    except UnicodeDecodeError as cause:
        raise ProblemError(f"{path} is not UTF-8 text; a problem file is TOML") from cause
    except (ValueError, RecursionError) as cause:
        reason = str(cause).splitlines()[0] if str(cause) else "nested too deeply"
        raise ProblemError(f"{path} is not TOML: {reason}; `p2smt example` prints a file to start from") from cause
    return convert_checked(table, ProblemFile, str(path), ProblemError)


def example_text() -> str:
    """An annotated problem file with every key."""
    return resources.files("p2smt.problem").joinpath("example.toml").read_text(encoding="utf-8")


def problem_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a problem file."""
    schema = msgspec.json.schema(ProblemFile)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "p2smt problem", **schema}
