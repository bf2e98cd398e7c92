"""The options that describe a problem, the same for every command that takes one."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from p2smt.errors import ProblemError
from p2smt.problem.build import build_problem
from p2smt.problem.file import AxisEntry, LevelEntry, PayloadEntry, ProblemFile, SearchEntry, read_problem_file
from p2smt.problem.links import default_link
from p2smt.problem.model import Axis, Engine, Grammar, HierarchyKind, Level, Link, Payload, Problem, Search
from p2smt.problem.quantity import parse_bandwidth, parse_bytes, parse_seconds
from p2smt.problem.text import parse_axis_names, parse_per_level, parse_sizes

MAX_TIMEOUT_S = 1_000_000

_OPTIONS = [
    click.argument("problem_file", required=False, type=click.Path(path_type=Path), metavar="[PROBLEM.toml]"),
    click.option("--system", metavar="LEVELS", help="Hardware levels, outermost first: node:4,gpu:16 or 4x16."),
    click.option("--axes", metavar="AXES", help="Parallelism axes: data:4,model:16 or 4,16."),
    click.option("--reduce", metavar="AXES", help="Axes to reduce over, by name or number: model or 0,2."),
    click.option("--bytes", "size", metavar="SIZE", help="Payload of every device [1GiB]."),
    click.option("--dtype", metavar="TYPE", help="Element type of the payload [float32]."),
    click.option("--bandwidth", metavar="PAIRS", help="Per level and direction: node=8GB/s,gpu=270GB/s."),
    click.option("--latency", metavar="PAIRS", help="Per level and hop: node=14us,gpu=3.4us."),
]
_SEARCH_OPTIONS = [
    click.option("--limit", type=int, help="Largest number of instructions [5]."),
    click.option(
        "--grammar",
        type=click.Choice([kind.value for kind in Grammar]),
        help="paper: Master carries AllReduce only [full].",
    ),
    click.option(
        "--engine", type=click.Choice([kind.value for kind in Engine]), help="How programs are found [levels]."
    ),
    click.option(
        "--hierarchy", type=click.Choice([kind.value for kind in HierarchyKind]), help="Synthesis hierarchy [d]."
    ),
    click.option("--collapse/--no-collapse", default=None, help="One level per hardware level in (d) [collapse]."),
]
TIMEOUT = click.option("--timeout", type=float, metavar="SECONDS", help="Stop then, with partial results (exit 3).")
JSON = click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")


def problem_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command everything that `read_problem` takes."""
    for option in reversed([*_OPTIONS, *_SEARCH_OPTIONS]):
        command = option(command)
    return command


def read_problem(given: dict[str, Any]) -> Problem:
    """The problem of a file, of flags, or of a file with flags that win over it; removes them from `given`."""
    path, flags = given.pop("problem_file"), {name: given.pop(name) for name in _FLAGS}
    entry = ProblemFile() if path is None else read_problem_file(path)
    levels = entry.level if flags["system"] is None else _entries(LevelEntry, flags["system"], "level")
    axes = entry.axis if flags["axes"] is None else _entries(AxisEntry, flags["axes"], "axis")
    reduce = entry.reduce if flags["reduce"] is None else parse_axis_names(flags["reduce"])
    for option, value in (("--system", levels), ("--axes", axes), ("--reduce", reduce)):
        if not value:
            raise ProblemError(f"{option} is missing; give it, or a problem file (`p2smt example` prints one)")
    return build_problem(
        _levels(levels, flags), [Axis(a.name, a.size) for a in axes], reduce, _payload(entry.payload, flags),
        _search(entry.search, flags),
    )  # fmt: skip


def deadline_after(timeout: float | None) -> float | None:
    """The time of `time.monotonic` at which a search has to stop."""
    if timeout is not None and not 0 < timeout <= MAX_TIMEOUT_S:
        raise ProblemError(
            f"timeout {timeout} is out of range; give the seconds to search for, at most {MAX_TIMEOUT_S}"
        )
    return None if timeout is None else time.monotonic() + timeout


_FLAGS = (
    "system", "axes", "reduce", "size", "dtype", "bandwidth", "latency",
    "limit", "grammar", "engine", "hierarchy", "collapse",
)  # fmt: skip


def _entries(kind: Callable[[str, int], Any], text: str, name: str) -> tuple[Any, ...]:
    return tuple(kind(label, size) for label, size in parse_sizes(text, name))


def _levels(entries: tuple[LevelEntry, ...], flags: dict[str, Any]) -> list[Level]:
    names = [entry.name for entry in entries]
    bandwidths = {e.name: parse_bandwidth(e.bandwidth) for e in entries if e.bandwidth is not None}
    latencies = {e.name: parse_seconds(e.latency) for e in entries if e.latency is not None}
    if flags["bandwidth"] is not None:
        bandwidths |= parse_per_level(flags["bandwidth"], names, parse_bandwidth, "--bandwidth")
    if flags["latency"] is not None:
        latencies |= parse_per_level(flags["latency"], names, parse_seconds, "--latency")
    levels = []
    for place, entry in enumerate(entries):
        default = default_link(place, len(entries))
        link = Link(bandwidths.get(entry.name, default.bandwidth), latencies.get(entry.name, default.latency))
        levels.append(Level(entry.name, entry.size, link))
    return levels


def _payload(entry: PayloadEntry, flags: dict[str, Any]) -> Payload:
    size = entry.bytes if flags["size"] is None else flags["size"]
    return Payload(size if isinstance(size, int) else parse_bytes(size), flags["dtype"] or entry.dtype)


def _search(entry: SearchEntry, flags: dict[str, Any]) -> Search:
    def chosen(name: str) -> Any:
        return getattr(entry, name) if flags[name] is None else flags[name]

    return Search(
        limit=chosen("limit"),
        grammar=Grammar(chosen("grammar")),
        engine=Engine(chosen("engine")),
        hierarchy=HierarchyKind(chosen("hierarchy")),
        collapse=chosen("collapse"),
    )
