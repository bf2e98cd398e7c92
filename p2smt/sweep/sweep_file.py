"""Sweep files in TOML: their structure, reading, and JSON Schema."""

import re
from collections.abc import Callable, Iterable
from importlib import resources
from itertools import product
from pathlib import Path
from typing import Annotated, Any, TypeVar  # Any: a user's file before it is checked

import msgspec

from p2smt.collective import Collective
from p2smt.cost.network.backend import BACKENDS, Nccl, backend_named, check_backend
from p2smt.errors import P2Error, StudyError
from p2smt.problem.build import parse_goal
from p2smt.problem.dtype import dtype_name
from p2smt.problem.model import Axis, Engine, Grammar, HierarchyKind, Payload, Search
from p2smt.problem.names import check_names
from p2smt.problem.quantity import parse_bytes
from p2smt.problem.system.file import read_system, read_toml, resized
from p2smt.problem.system.network import System
from p2smt.problem.system.text import find_system
from p2smt.problem.text import parse_axis_names, parse_sizes, printable
from p2smt.problem.typed import convert_checked
from p2smt.sweep.job_grid import JobGrid
from p2smt.sweep.job_grid_file import JobEntry, job_grid
from p2smt.sweep.sweep import Axes, EachAxis, EveryAxes, EverySubset, GivenAxes, GivenReduction, Grid, Reduction, Sweep

MOST_PAIRS = 1_000_000
"""Maximum number of pairs of a system and an entry of `axes` in one grid."""

MAX_NAME = 200
"""Maximum number of characters in the name of a system."""

MAX_TIMEOUT_S = 1_000_000

_Value = TypeVar("_Value")
_List = Annotated[tuple[_Value, ...], msgspec.Meta(min_length=1, max_length=100_000)]
_Few = Annotated[tuple[_Value, ...], msgspec.Meta(min_length=1, max_length=64)]
_Backends = Annotated[_Few[str], msgspec.Meta(extra_json_schema={"items": {"enum": [*map(str, BACKENDS)]}})]
_FILE = re.compile(r"(?s)(.*\.toml)(?::(\d+(?:x\d+)*))?")


class GridEntry(msgspec.Struct, frozen=True):
    """One `[[grid]]` table, whose lists are combined with each other."""

    systems: _List[str]
    axes: _List[str]
    reduce: _List[str | int]
    goals: _Few[str] = (Collective.ALL_REDUCE.hyphenated,)
    bytes: _List[int | str] = ("1GiB",)
    dtypes: _Few[str] = ("float32",)
    algorithms: _Backends = (str(Nccl()),)
    grammars: _Few[Grammar] = (Search().grammar,)
    limits: _Few[int] = (Search().limit,)
    engines: _Few[Engine] = (Search().engine,)
    hierarchies: _Few[HierarchyKind] = (Search().hierarchy,)
    collapse: _Few[bool] = (Search().collapse,)


class SweepFile(msgspec.Struct, frozen=True):
    """The content of a sweep file; `timeout` is in seconds per problem or job."""

    grid: tuple[GridEntry, ...] = ()
    job: tuple[JobEntry, ...] = ()
    timeout: float | int | None = None


def read_sweep(path: Path) -> Sweep:
    """Read a sweep file of at most 1 MB; system files that it names are relative to its folder.

    Raises StudyError with the location of the error.
    """
    try:
        entry = convert_checked(read_toml(path, "sweep file"), SweepFile, str(path), StudyError)
        if entry.timeout is not None and not 0 < entry.timeout <= MAX_TIMEOUT_S:
            raise StudyError(f"{path}: timeout {entry.timeout} is out of range; give seconds, at most {MAX_TIMEOUT_S}")
        if not entry.grid and not entry.job:
            raise StudyError(f"{path} has no [[grid]] and no [[job]]; `p2smt example study` shows both")
        grids = tuple(_grid(grid, path.parent, f"{path}: grid {number}") for number, grid in enumerate(entry.grid, 1))
        jobs = tuple(_jobs(job, path.parent, f"{path}: job {number}") for number, job in enumerate(entry.job, 1))
    except P2Error as cause:
        raise StudyError(printable(str(cause))) from cause
    return Sweep(grids, None if entry.timeout is None else float(entry.timeout), jobs)


def sweep_example_text() -> str:
    """Return an annotated sweep file with all keys."""
    return resources.files("p2smt.sweep").joinpath("example.toml").read_text(encoding="utf-8")


def parse_axes(text: str) -> Axes:
    """Parse axes with sizes, or names of axes that take every size.

    >>> parse_axes("every data,model")
    EveryAxes(names=('data', 'model'))
    >>> parse_axes("every 2")
    EveryAxes(names=('axis0', 'axis1'))
    """
    word, _, names = text.strip().partition(" ")
    if word != "every":
        return GivenAxes(tuple(Axis(name, size) for name, size in parse_sizes(text, "axis")))
    if re.fullmatch(r"\s*\d{1,2}", names):
        named = tuple(f"axis{place}" for place in range(int(names)))
    else:
        named = tuple(name.strip() for name in names.split(","))
    check_names("axis", named)
    return EveryAxes(named)


def parse_reduction(value: str | int) -> Reduction:
    """Parse reduction axes: `model`, `0,2`, `each` axis alone, or `every` set of axes.

    >>> parse_reduction("0,model")
    GivenReduction(axes=(0, 'model'))
    """
    if isinstance(value, int):
        return GivenReduction((value,))
    match value.strip():
        case "each":
            return EachAxis()
        case "every":
            return EverySubset()
        case text:
            return GivenReduction(tuple(parse_axis_names(text)))


def _grid(entry: GridEntry, folder: Path, place: str) -> Grid:
    if len(entry.systems) * len(entry.axes) > MOST_PAIRS:
        raise StudyError(
            f"{place}: {len(entry.systems)} systems x {len(entry.axes)} axes are too many; the limit "
            f"is {MOST_PAIRS} pairs, so split the table"
        )
    try:
        sizes = _once(entry.bytes, lambda size: size if isinstance(size, int) else parse_bytes(size))
        systems = _once(_once(entry.systems), lambda text: _system(text, folder))
        backends = _once(entry.algorithms, backend_named)
        for system, backend in product(systems, backends):
            check_backend(system, backend)
        axes, reductions = _once(entry.axes, parse_axes), _once(entry.reduce, parse_reduction)
        goals = _once(entry.goals, lambda text: parse_goal(text, tuple(Collective)))
    except P2Error as cause:
        raise StudyError(f"{place}: {cause}") from cause
    payloads = tuple(Payload(size, dtype) for size, dtype in product(sizes, _once(entry.dtypes, dtype_name)))
    choices = (entry.limits, entry.grammars, entry.engines, entry.hierarchies, entry.collapse)
    searches = tuple(Search(*one) for one in product(*map(_once, choices)))  # in the order of the fields of `Search`
    return Grid(
        systems=systems,
        axes=axes,
        reductions=reductions,
        goals=goals,
        payloads=payloads,
        searches=searches,
        backends=backends,
    )


def _jobs(entry: JobEntry, folder: Path, place: str) -> JobGrid:
    try:
        return job_grid(entry, lambda text: _system(text, folder))
    except P2Error as cause:
        raise StudyError(f"{place}: {cause}") from cause


def _once(values: Iterable[Any], read: Callable[[Any], Any] = lambda value: value) -> tuple[Any, ...]:
    """Return the parsed values without duplicates, in order."""
    return tuple(dict.fromkeys(map(read, values)))


def _system(text: str, folder: Path) -> System:
    match = _FILE.fullmatch(text)
    if match is None:
        return find_system(text)
    system = read_system(folder / match[1])
    if len(system.name) > MAX_NAME:
        raise StudyError(
            f"the name of system {text[:80]!r} has {len(system.name)} characters; the limit is "
            f"{MAX_NAME}, so give it a shorter one"
        )
    return resized(system, [int(size) for size in match[2].split("x")]) if match[2] else system
