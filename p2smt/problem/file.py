"""Problem files in TOML: their structure, reading, and JSON Schema."""

from importlib import resources
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from p2smt.collective import Collective
from p2smt.errors import ProblemError
from p2smt.problem.model import Engine, Grammar, HierarchyKind, Search
from p2smt.problem.system.file import SystemFile, read_toml
from p2smt.problem.transformer.file import TransformerEntry
from p2smt.problem.transformer.model import Parallelism
from p2smt.problem.typed import convert_checked
from p2smt.problem.workload import GOALS


class AxisEntry(msgspec.Struct, frozen=True):
    """One `[[axis]]` table."""

    name: str
    size: int


class PayloadEntry(msgspec.Struct, frozen=True):
    """The `[payload]` table; `bytes` is a number, or text with a unit."""

    bytes: int | str = "1GiB"
    dtype: str = "float32"


class SearchEntry(msgspec.Struct, frozen=True):
    """The `[search]` table."""

    limit: int = Search().limit
    grammar: Grammar = Search().grammar
    engine: Engine = Search().engine
    hierarchy: HierarchyKind = Search().hierarchy
    collapse: bool = True


class ReductionEntry(msgspec.Struct, frozen=True):
    """One `[[reduction]]` table of a job; `Reduction` documents the keys."""

    axes: tuple[str | int, ...]
    bytes: int | str
    name: str = ""
    dtype: str = "float32"
    times: float = 1.0
    collective: Annotated[str, Meta(extra_json_schema={"enum": [goal.hyphenated for goal in GOALS]})] = "all-reduce"
    overlap: str = ""


class ProblemFile(SystemFile, frozen=True, omit_defaults=True, kw_only=True):
    """The content of a problem file: a system file plus the rest of the problem.

    `system` names a preset or bare levels, as `--system` does, instead of `[[level]]` tables. Instead of
    `reduce` and `[payload]`, a job has `[[reduction]]` tables, or `[transformer]` and `[parallelism]` tables
    from which axes and reductions are derived. A job may also have `conditions`.
    """

    system: str | None = None
    axis: tuple[AxisEntry, ...] = ()
    reduce: tuple[str | int, ...] = ()
    goal: Annotated[str, Meta(extra_json_schema={"enum": [goal.hyphenated for goal in Collective]})] = "all-reduce"
    reduction: tuple[ReductionEntry, ...] = ()
    transformer: TransformerEntry | None = None
    parallelism: Parallelism | None = None
    conditions: tuple[str, ...] = ()
    payload: PayloadEntry = PayloadEntry()
    search: SearchEntry = SearchEntry()


def read_problem_file(path: Path) -> ProblemFile:
    """Read a problem file of at most 1 MB.

    Raises ProblemError, with the location, for malformed TOML, an unknown key (suggesting the nearest known
    one) or a wrong type.
    """
    return convert_checked(read_toml(path, "problem file"), ProblemFile, str(path), ProblemError)


def example_text() -> str:
    """Return an annotated problem file for a single reduction, with all keys."""
    return resources.files("p2smt.problem").joinpath("example.toml").read_text(encoding="utf-8")


JOB_EXAMPLES = ("job", "dense-70b", "moe", "long-context")
"""Names of the annotated job files included in p2smt."""


def job_example_text(name: str) -> str:
    """Return the annotated job file with a name from `JOB_EXAMPLES`."""
    return resources.files("p2smt.problem").joinpath("examples", f"{name}.toml").read_text(encoding="utf-8")
