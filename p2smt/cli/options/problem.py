"""The options that describe a problem, the same for every command that takes one."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from p2smt.collective import Collective
from p2smt.cost.network.backend import BACKENDS, LIBRARIES, chosen_backend
from p2smt.errors import ProblemError
from p2smt.problem.build import build_problem, parse_goal
from p2smt.problem.file import AxisEntry, PayloadEntry, ProblemFile, read_problem_file
from p2smt.problem.model import Axis, Engine, Grammar, HierarchyKind, Payload, Problem, Search
from p2smt.problem.quantity import parse_bandwidth, parse_bytes, parse_seconds
from p2smt.problem.system.build import build_system
from p2smt.problem.system.file import system_of
from p2smt.problem.system.network import Link, System
from p2smt.problem.system.text import SYSTEM_FORMS, find_system
from p2smt.problem.text import parse_axis_names, parse_per_name, parse_sizes

MAX_TIMEOUT_S = 1_000_000

_OPTIONS = [
    click.argument("problem_file", required=False, type=click.Path(path_type=Path), metavar="[PROBLEM.toml]"),
    click.option("--system", metavar="SYSTEM", help=f"{SYSTEM_FORMS}."),
    click.option("--axes", metavar="AXES", help="Parallelism axes: data:4,model:16 or 4,16."),
    click.option("--reduce", metavar="AXES", help="Axes to reduce over, by name or number: model or 0,2."),
    click.option("--bytes", "size", metavar="SIZE", help="Payload of every device [1GiB]."),
    click.option("--dtype", metavar="TYPE", help="Element type of the payload [float32]."),
]
FIGURE_OPTIONS = [
    click.option("--bandwidth", metavar="PAIRS", help="Per link, over the system's: node=8GB/s,gpu=270GB/s."),
    click.option("--latency", metavar="PAIRS", help="Per link and hop, over the system's: node=14us,gpu=3.4us."),
]
SEARCH_OPTIONS = [
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
_LIBRARY = "p2smt.cli.library"
TIMEOUT = click.option("--timeout", type=float, metavar="SECONDS", help="Stop then, with partial results (exit 3).")
JSON = click.option("--json", "as_json", is_flag=True, help="One JSON document on stdout.")


def backend_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `backend`: the library that carries collectives, and for NCCL its algorithm."""
    library = click.option(
        "--backend",
        "library",
        type=click.Choice(LIBRARIES),
        is_eager=True,
        expose_value=False,
        callback=lambda context, _, value: context.meta.__setitem__(_LIBRARY, value),
        help="The library that carries collectives [nccl].",
    )
    algorithm = click.option(
        "--algorithm",
        "backend",
        type=click.Choice([str(backend) for backend in BACKENDS]),
        callback=lambda context, _, value: chosen_backend(context.meta[_LIBRARY], value),
        help="What carries NCCL's AllReduces [ring]; gloo stands for --backend gloo.",
    )
    return library(algorithm(command))


def problem_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command everything that `read_problem` takes."""
    for option in reversed([*_OPTIONS, *FIGURE_OPTIONS, *SEARCH_OPTIONS]):
        command = option(command)
    return command


def read_problem(given: dict[str, Any]) -> Problem:
    """The problem of a file, of flags, or of a file with flags that win over it; removes them from `given`."""
    path, flags = given.pop("problem_file"), {name: given.pop(name) for name in ("axes", "reduce", "size", "dtype")}
    entry = ProblemFile() if path is None else read_problem_file(path)
    system, search = chosen_system(entry, path, given), chosen_search(entry, given)
    axes = entry.axis if flags["axes"] is None else _axes(flags["axes"])
    reduce = entry.reduce if flags["reduce"] is None else parse_axis_names(flags["reduce"])
    for option, value in (("--system", system), ("--axes", axes), ("--reduce", reduce)):
        if not value:
            raise ProblemError(f"{option} is missing; give it, or a problem file (`p2smt example` prints one)")
    assert system is not None
    named = [Axis(axis.name, axis.size) for axis in axes]
    return build_problem(
        system, named, reduce, _payload(entry.payload, flags), search, parse_goal(entry.goal, tuple(Collective))
    )


def chosen_system(entry: ProblemFile, path: Path | None, given: dict[str, Any]) -> System | None:
    """The system of the flags or of the file, with the flags' figures; None if neither names one."""
    text, bandwidth, latency = (given.pop(name) for name in ("system", "bandwidth", "latency"))
    if text is not None:
        system = find_system(text)
    elif entry.system is not None:
        system = _named_system(entry, str(path))
    elif entry.level:
        system = system_of(entry, str(path))
    else:
        return None
    return _with_figures(system, bandwidth, latency)


def chosen_search(entry: ProblemFile, given: dict[str, Any]) -> Search:
    """How to search, by the file and the flags that win over it; removes the flags from `given`."""
    flags = {name: given.pop(name) for name in ("limit", "grammar", "engine", "hierarchy", "collapse")}
    values = {name: getattr(entry.search, name) if flag is None else flag for name, flag in flags.items()}
    return Search(
        limit=values["limit"],
        grammar=Grammar(values["grammar"]),
        engine=Engine(values["engine"]),
        hierarchy=HierarchyKind(values["hierarchy"]),
        collapse=values["collapse"],
    )


def deadline_after(timeout: float | None) -> float | None:
    """The time of `time.monotonic` at which a search has to stop."""
    if timeout is not None and not 0 < timeout <= MAX_TIMEOUT_S:
        raise ProblemError(
            f"timeout {timeout} is out of range; give the seconds to search for, at most {MAX_TIMEOUT_S}"
        )
    return None if timeout is None else time.monotonic() + timeout


def _axes(text: str) -> tuple[AxisEntry, ...]:
    return tuple(AxisEntry(name, size) for name, size in parse_sizes(text, "axis"))


def _named_system(entry: ProblemFile, place: str) -> System:
    """The system that a file names; a file may not send p2smt to other files."""
    assert entry.system is not None
    if entry.level or entry.link:
        raise ProblemError(f"{place} has system and [[level]] or [[link]]; describe the system in one way")
    if entry.system.endswith(".toml"):
        raise ProblemError(f"{place}: system {entry.system[:80]!r} is a file; name a preset or levels, or use --system")
    return find_system(entry.system)


def _with_figures(system: System, bandwidth: str | None, latency: str | None) -> System:
    """The system with the bandwidths and latencies that flags give."""
    names = [link.name for link in system.network.links]
    rates = {} if bandwidth is None else parse_per_name(bandwidth, names, parse_bandwidth, "--bandwidth")
    times = {} if latency is None else parse_per_name(latency, names, parse_seconds, "--latency")

    def changed(link: Link) -> Link:
        return replace(link, bandwidth=rates.get(link.name, link.bandwidth), latency=times.get(link.name, link.latency))

    return build_system(
        replace(system, network=replace(system.network, links=tuple(map(changed, system.network.links))))
    )


def _payload(entry: PayloadEntry, flags: dict[str, Any]) -> Payload:
    size = entry.bytes if flags["size"] is None else flags["size"]
    return Payload(size if isinstance(size, int) else parse_bytes(size), flags["dtype"] or entry.dtype)
