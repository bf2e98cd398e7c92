"""Read and write job files."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import tomli_w

from p2smt.argument_types import path_of
from p2smt.errors import ProblemError
from p2smt.problem.build import axis_numbers, build_workload, parse_goal
from p2smt.problem.dtype import dtype_name
from p2smt.problem.file import ProblemFile, ReductionEntry, read_problem_file
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.problem_file import file_system, search_of
from p2smt.problem.quantity import parse_bytes
from p2smt.problem.system.file import system_text, without_none
from p2smt.problem.system.network import System
from p2smt.problem.transformer.file import described
from p2smt.problem.transformer.model import Parallelism, Transformer
from p2smt.problem.transformer.traffic import axes_and_reductions
from p2smt.problem.workload import GOALS, Reduction, Workload


def read_job(path: Path | str, system: System | None = None, conditions: Sequence[str] = ()) -> Workload:
    """Return the job in a file, on `system` or by default on the file's own system.

    `conditions` are added to those in the file. Raises ProblemError, with the location of the error, also if
    there is no system.
    """
    entry = read_problem_file(path_of(path, "job.toml"))
    chosen = file_system(entry, str(path)) if system is None else system
    if chosen is None:
        raise ProblemError(f"{path} has no system; write `system` or [[level]] tables, or give a system")
    return build_job(entry, str(path), chosen, (*entry.conditions, *conditions), search_of(entry.search))


def training_text(system: str | System, transformer: Transformer, parallelism: Parallelism) -> str:
    """Return the job file of a model's training; `system` is written as its name or as tables.

    Reading the file back yields the axes and reductions of `transformer` and `parallelism`.
    """
    tables = {"transformer": without_none(asdict(transformer)), "parallelism": asdict(parallelism)}
    first = system_text(system) if isinstance(system, System) else tomli_w.dumps({"system": system})
    return f"{first}\n{tomli_w.dumps(tables)}"


def is_job(entry: ProblemFile) -> bool:
    """True if a file has entries that only jobs have."""
    return bool(entry.reduction or entry.transformer or entry.parallelism or entry.conditions)


def build_job(entry: ProblemFile, place: str, system: System, conditions: Sequence[str], search: Search) -> Workload:
    """Return the job in a file on a system, under the given conditions; `place` names the file in messages.

    Raises ProblemError if a rule of `Workload` or of the transformer is violated.
    """
    axes, reductions = _parts(entry, place)
    return build_workload(system, axes, reductions, conditions, search)


def _parts(entry: ProblemFile, place: str) -> tuple[tuple[Axis, ...], tuple[Reduction, ...]]:
    """Return the axes and reductions in a file; `reduce` with `[payload]` means one reduction per step.

    Raises ProblemError if there is no reduction, or if several forms are mixed.
    """
    if entry.transformer is not None or entry.parallelism is not None:
        return _transformer_parts(entry, place)
    axes = tuple(Axis(axis.name, axis.size) for axis in entry.axis)
    if not entry.reduction and not entry.reduce:
        raise ProblemError(f"{place} has no [[reduction]]; add one per reduction (`p2smt example job` shows how)")
    if entry.reduction and entry.reduce:
        raise ProblemError(f"{place} has both reduce and [[reduction]]; keep the [[reduction]] tables alone")
    entries = entry.reduction or (
        ReductionEntry(entry.reduce, entry.payload.bytes, dtype=entry.payload.dtype, collective=entry.goal),
    )
    return axes, tuple(_reduction(axes, number, one) for number, one in enumerate(entries))


def _transformer_parts(entry: ProblemFile, place: str) -> tuple[tuple[Axis, ...], tuple[Reduction, ...]]:
    if entry.transformer is None or entry.parallelism is None:
        raise ProblemError(f"{place}: [transformer] and [parallelism] need each other; give both")
    for given, what in ((entry.axis, "[[axis]]"), (entry.reduction, "[[reduction]]"), (entry.reduce, "reduce")):
        if given:
            raise ProblemError(
                f"{place} has [transformer] and {what}; leave the latter out, because [transformer] "
                "determines axes and reductions"
            )
    return axes_and_reductions(described(entry.transformer), entry.parallelism)


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
