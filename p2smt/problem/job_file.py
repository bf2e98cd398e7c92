"""Job files."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import tomli_w

from p2smt.errors import ProblemError
from p2smt.problem.build import axis_numbers, build_workload, parse_goal
from p2smt.problem.file import ProblemFile, ReductionEntry, read_problem_file
from p2smt.problem.model import Axis, Payload, Search, dtype_name
from p2smt.problem.problem_file import file_system, search_of
from p2smt.problem.quantity import parse_bytes
from p2smt.problem.system.file import system_text, without_none
from p2smt.problem.system.network import System
from p2smt.problem.transformer.file import of_entries
from p2smt.problem.transformer.model import Parallelism, Transformer
from p2smt.problem.workload import GOALS, Reduction, Workload


def read_job(path: Path | str, system: System | None = None, conditions: Sequence[str] = ()) -> Workload:
    """The job of a file, on `system` or the one that the file names, under the file's conditions and these too.

    Raises ProblemError, with the place of the mistake, also for a file without a system.
    """
    entry = read_problem_file(Path(path))
    chosen = file_system(entry, str(path)) if system is None else system
    if chosen is None:
        raise ProblemError(f"{path} has no system; write `system` or [[level]] tables, or give a system")
    return build_job(entry, str(path), chosen, (*entry.conditions, *conditions), search_of(entry.search))


def training_text(system: str | System, transformer: Transformer, parallelism: Parallelism) -> str:
    """The job file of a model's training; `system` is a short form, or its tables are written.

    Holds: reading it back gives the axes and reductions of the two.
    """
    tables = {"transformer": without_none(asdict(transformer)), "parallelism": asdict(parallelism)}
    first = system_text(system) if isinstance(system, System) else tomli_w.dumps({"system": system})
    return f"{first}\n{tomli_w.dumps(tables)}"


def is_job(entry: ProblemFile) -> bool:
    """True if a file has entries that only a job has."""
    return bool(entry.reduction or entry.transformer or entry.parallelism or entry.conditions)


def build_job(entry: ProblemFile, place: str, system: System, conditions: Sequence[str], search: Search) -> Workload:
    """The job of a file on a system, under these conditions; `place` is for messages.

    Raises ProblemError for anything that breaks a rule of `Workload` or of a transformer.
    """
    axes, reductions = _parts(entry, place)
    return build_workload(system, axes, reductions, conditions, search)


def _parts(entry: ProblemFile, place: str) -> tuple[tuple[Axis, ...], tuple[Reduction, ...]]:
    """The axes and reductions of a file; one with `reduce` and `[payload]` is one all-reduce per step.

    Raises ProblemError where nothing is reduced, or ways to say it are mixed.
    """
    if entry.transformer is not None or entry.parallelism is not None:
        return _transformer_parts(entry, place)
    axes = tuple(Axis(axis.name, axis.size) for axis in entry.axis)
    if not entry.reduction and not entry.reduce:
        raise ProblemError(f"{place} has no [[reduction]]; say what is reduced, `p2smt example job` shows how")
    if entry.reduction and entry.reduce:
        raise ProblemError(f"{place} has reduce and [[reduction]]; a job has [[reduction]] tables alone")
    entries = entry.reduction or (
        ReductionEntry(entry.reduce, entry.payload.bytes, dtype=entry.payload.dtype, collective=entry.goal),
    )
    return axes, tuple(_reduction(axes, number, one) for number, one in enumerate(entries))


def _transformer_parts(entry: ProblemFile, place: str) -> tuple[tuple[Axis, ...], tuple[Reduction, ...]]:
    if entry.transformer is None or entry.parallelism is None:
        raise ProblemError(f"{place}: [transformer] and [parallelism] need each other; give both")
    for given, what in ((entry.axis, "[[axis]]"), (entry.reduction, "[[reduction]]"), (entry.reduce, "reduce")):
        if given:
            raise ProblemError(f"{place} has [transformer] and {what}; the first says what axes and reductions are")
    return of_entries(entry.transformer, entry.parallelism)


def _reduction(axes: tuple[Axis, ...], number: int, entry: ReductionEntry) -> Reduction:
    try:
        size = entry.bytes if isinstance(entry.bytes, int) else parse_bytes(entry.bytes)
        over = axis_numbers(axes, entry.axes)
        goal = parse_goal(entry.collective, GOALS)
    except ProblemError as cause:
        raise ProblemError(f"reduction[{number}]: {cause}") from cause
    name = entry.name or f"{goal.hyphenated} over {', '.join(axes[axis].name for axis in over)}"
    return Reduction(
        name=name,
        axes=over,
        payload=Payload(size, dtype_name(entry.dtype)),
        times=entry.times,
        goal=goal,
        overlap=entry.overlap,
    )
