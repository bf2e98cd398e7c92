"""Read problem files into checked `Problem` values."""

from pathlib import Path

from p2smt.argument_types import path_of
from p2smt.collective import Collective, Exchange, NeighbourSend
from p2smt.errors import ProblemError
from p2smt.problem.build import build_problem, parse_goal
from p2smt.problem.dtype import dtype_name
from p2smt.problem.file import PayloadEntry, ProblemFile, SearchEntry, read_problem_file
from p2smt.problem.model import Axis, Payload, Problem, Search
from p2smt.problem.quantity import parse_bytes
from p2smt.problem.system.file import system_of
from p2smt.problem.system.network import System
from p2smt.problem.system.text import find_system
from p2smt.problem.workload import GOALS


def read_problem(path: Path | str, system: System | None = None) -> Problem:
    """Return the problem in a file, on `system` or by default on the file's own system.

    Raises ProblemError, with the location of the error, also if a system, axes or `reduce` are missing.
    """
    entry = read_problem_file(path_of(path, "problem.toml"))
    chosen = file_system(entry, str(path)) if system is None else system
    if chosen is None:
        raise ProblemError(f"{path} has no system; write `system` or [[level]] tables")
    for key, value in (("[[axis]] tables", entry.axis), ("reduce", entry.reduce)):
        if not value:
            raise ProblemError(f"{path} has no {key}; `p2smt example` prints a problem file to start from")
    return build_problem_of(entry, chosen)


def build_problem_of(entry: ProblemFile, system: System) -> Problem:
    """Return the problem described by a file's entries, on a system. Raises ProblemError as `build_problem`."""
    axes = [Axis(axis.name, axis.size) for axis in entry.axis]
    payload, search, goal = payload_of(entry.payload), search_of(entry.search), parse_goal(entry.goal, GOALS)
    match goal:
        case Collective():
            return build_problem(system, axes, entry.reduce, payload, search, goal)
        case Exchange() | NeighbourSend():
            raise ProblemError(
                f"{goal.hyphenated} does not reduce, so it has no reduction program; use p2smt plan --goal "
                f"{goal.hyphenated}, or a job"
            )


def file_system(entry: ProblemFile, place: str) -> System | None:
    """Return the system that a file names or describes; None if it does neither. `place` is for messages.

    Raises ProblemError if the system is another file, as files may not refer to other files.
    """
    if entry.system is None:
        return system_of(entry, place) if entry.level else None
    if entry.level or entry.link:
        raise ProblemError(f"{place} has system and [[level]] or [[link]]; keep one of the two")
    if entry.system.endswith(".toml"):
        raise ProblemError(f"{place}: system {entry.system[:80]!r} is a file; name a preset or levels, or use --system")
    return find_system(entry.system)


def payload_of(entry: PayloadEntry) -> Payload:
    """Return the payload of a `[payload]` table. Raises ProblemError for a malformed size."""
    return Payload(entry.bytes if isinstance(entry.bytes, int) else parse_bytes(entry.bytes), dtype_name(entry.dtype))


def search_of(entry: SearchEntry) -> Search:
    """Return the search options of a `[search]` table."""
    return Search(
        limit=entry.limit,
        grammar=entry.grammar,
        engine=entry.engine,
        hierarchy=entry.hierarchy,
        collapse=entry.collapse,
    )
