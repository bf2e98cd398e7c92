"""Problem files: TOML in, `Problem` out, and the JSON Schema of the format."""

from importlib import resources
from pathlib import Path
from typing import Any

import msgspec

from p2smt.errors import ProblemError
from p2smt.problem.model import Engine, Grammar, HierarchyKind, Search
from p2smt.problem.system_file import SystemFile, read_toml
from p2smt.problem.typed import convert_checked


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


class ProblemFile(SystemFile, frozen=True, omit_defaults=True, kw_only=True):
    """A problem file as it stands on disk: a system file and the rest of the problem."""

    axis: tuple[AxisEntry, ...] = ()
    reduce: tuple[str | int, ...] = ()
    payload: PayloadEntry = PayloadEntry()
    search: SearchEntry = SearchEntry()


def read_problem_file(path: Path) -> ProblemFile:
    """Read a problem file of at most 1 MB.

    Raises ProblemError with the place of the mistake: not TOML, unknown key (with the nearest known one),
    wrong type.
    """
    return convert_checked(read_toml(path, "problem file"), ProblemFile, str(path), ProblemError)


def example_text() -> str:
    """An annotated problem file with every key."""
    return resources.files("p2smt.problem").joinpath("example.toml").read_text(encoding="utf-8")


def problem_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a problem file."""
    schema = msgspec.json.schema(ProblemFile)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "p2smt problem", **schema}
