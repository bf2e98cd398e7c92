"""A sweep: grids of problems and of jobs, and their expansion into distinct tasks.

    tasks = union over grids of  systems x matching axes x reductions x goals x payloads x searches x backends,
keyed by a digest of the problem (`digest.py`), so a problem that several grids describe is solved once. Axes in all
sizes come from ordered factorisations of the number of devices (`factorisation.py`), reductions over every subset from
the 2^n - 1 non-empty sets of axes. Counts are checked before a grid is expanded.
Complexity: O(problems given); `MOST_PROBLEMS` bounds them.
Reference: Knuth, "The Art of Computer Programming 4A", section 7.2.1 (generating all tuples and combinations).

Example: two systems of 4 and 8 devices with axes a x b in every size: 2 x 2 for the first, 2 x 4 and 4 x 2 for the
second.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, islice, product
from math import prod
from typing import assert_never

from p2smt.collective import Collective
from p2smt.cost.network.backend import Backend
from p2smt.errors import StudyError
from p2smt.problem.build import MAX_DEVICES, build_problem
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.system.network import System
from p2smt.sweep.factorisation import factorisations
from p2smt.sweep.job_grid import JobGrid, jobs_of
from p2smt.sweep.task import AnyTask, JobTask, ProblemTask

MOST_PROBLEMS = 1_000_000
"""Maximum number of problems in one sweep."""


@dataclass(frozen=True, slots=True)
class GivenAxes:
    """Given axes, which apply to systems with as many devices."""

    axes: tuple[Axis, ...]


@dataclass(frozen=True, slots=True)
class EveryAxes:
    """Axes with these names in all sizes >= 2 whose product is the system's number of devices."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GivenReduction:
    """Reduction over these axes, by name or index; applies if all of them exist."""

    axes: tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class EachAxis:
    """Reduction over each single axis."""


@dataclass(frozen=True, slots=True)
class EverySubset:
    """Reduction over every non-empty set of axes."""


Axes = GivenAxes | EveryAxes
Reduction = GivenReduction | EachAxis | EverySubset


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """The product of systems, matching axes, reductions, goals, payloads, searches and backends."""

    systems: tuple[System, ...]
    axes: tuple[Axes, ...]
    reductions: tuple[Reduction, ...]
    goals: tuple[Collective, ...]
    payloads: tuple[Payload, ...]
    searches: tuple[Search, ...]
    backends: tuple[Backend, ...]


@dataclass(frozen=True, slots=True)
class Sweep:
    """Grids of problems and of jobs, and the time limit per task in seconds (None: no limit)."""

    grids: tuple[Grid, ...]
    timeout_s: float | None = None
    jobs: tuple[JobGrid, ...] = ()


@dataclass(frozen=True, slots=True)
class Expansion:
    """The tasks of a sweep by key: problems in the order of the grids, then jobs.

    `left_out` counts incompatible combinations: of a system, axes and a reduction (different number of devices,
    or missing axis), or of a model, a system and a split. `too_large` counts enumerated splits that exceed a
    device's memory, and `repeated` counts duplicates.
    """

    tasks: dict[str, AnyTask]
    left_out: int
    repeated: int
    too_large: int = 0

    @property
    def jobs(self) -> int:
        """The number of tasks that are jobs."""
        return sum(isinstance(task, JobTask) for task in self.tasks.values())


def expand(sweep: Sweep) -> Expansion:
    """Return all distinct problems and jobs of a sweep.

    Raises StudyError for more than `MOST_PROBLEMS` problems, for a grid without any, and if a reduction matches
    no axes of its grid or a split no system. Raises ProblemError for an invalid problem.
    """
    tasks: dict[str, AnyTask] = {}
    left_out = given = too_large = 0
    for number, grid in enumerate(sweep.grids, start=1):
        places, outside = _places(grid, number)
        left_out += outside
        rest = len(grid.goals) * len(grid.payloads) * len(grid.searches) * len(grid.backends)
        given += len(places) * rest
        if given > MOST_PROBLEMS:
            raise StudyError(
                f"grids 1 to {number} have {given} problems; the limit is {MOST_PROBLEMS}, so split the sweep"
            )
        for (system, axes, reduce), goal, payload, search, backend in product(
            places, grid.goals, grid.payloads, grid.searches, grid.backends
        ):
            task = ProblemTask(build_problem(system, axes, reduce, payload, search, goal), backend, sweep.timeout_s)
            tasks.setdefault(task.key, task)
    for number, jobs in enumerate(sweep.jobs, start=1):
        found = jobs_of(jobs, f"job {number}")
        left_out, too_large = left_out + found.left_out, too_large + found.too_large
        given += len(found.jobs) * len(jobs.backends)
        if given > MOST_PROBLEMS:
            raise StudyError(
                f"the grids up to job {number} have {given} tasks; the limit is {MOST_PROBLEMS}, so split the sweep"
            )
        for job, backend in product(found.jobs, jobs.backends):
            asked = JobTask(job, backend, sweep.timeout_s)
            tasks.setdefault(asked.key, asked)
    return Expansion(tasks, left_out, given - len(tasks), too_large)


_Place = tuple[System, tuple[Axis, ...], tuple[str | int, ...]]


def _places(grid: Grid, number: int) -> tuple[list[_Place], int]:
    """Return the compatible combinations of system, axes and reduction, and the number of incompatible ones."""
    found: list[_Place] = []
    left_out = 0
    unused = set(grid.reductions)
    fits = False
    for system, choice in product(grid.systems, grid.axes):
        fitting = _axes(choice, system.devices)
        fits = fits or bool(fitting)
        left_out += 0 if fitting else len(grid.reductions)
        for axes, reduction in product(fitting, grid.reductions):
            reductions = _reductions(reduction, axes)
            left_out += 0 if reductions else 1
            if reductions:
                unused.discard(reduction)
            found += ((system, axes, reduce) for reduce in reductions)
            if len(found) > MOST_PROBLEMS:
                raise StudyError(
                    f"grid {number} has more than {MOST_PROBLEMS} problems, the limit of a sweep; make it smaller"
                )
    if not fits:
        raise StudyError(
            f"grid {number} has no problem, because no axes fit a system; their product must be the number of devices"
        )
    if unused:
        named = ", ".join(
            sorted(str(axis)[:80] for one in unused if isinstance(one, GivenReduction) for axis in one.axes)
        )
        raise StudyError(f"grid {number}: reduce {named!r} names no axes of the grid; name axes that exist")
    return found, left_out


@lru_cache(maxsize=256)
def _axes(choice: Axes, devices: int) -> tuple[tuple[Axis, ...], ...]:
    match choice:
        case GivenAxes(axes):
            return (axes,) if prod(axis.size for axis in axes) == devices else ()
        case EveryAxes(names):
            if devices > MAX_DEVICES:
                raise StudyError(f"a system has {devices} devices; ranks are 32-bit numbers, so at most {MAX_DEVICES}")
            sizes = list(islice(factorisations(devices, len(names)), MOST_PROBLEMS + 1))
            if len(sizes) > MOST_PROBLEMS:
                raise StudyError(
                    f"axes {','.join(names)} divide {devices} devices in more than {MOST_PROBLEMS} ways, the "
                    "limit; fix the size of an axis"
                )
            return tuple(tuple(map(Axis, names, one)) for one in sizes)
        case _:
            assert_never(choice)


def _reductions(choice: Reduction, axes: Sequence[Axis]) -> tuple[tuple[str | int, ...], ...]:
    names = [axis.name for axis in axes]
    match choice:
        case GivenReduction(wanted):
            there = all(one in names if isinstance(one, str) else one < len(names) for one in wanted)
            return (wanted,) if there else ()
        case EachAxis():
            return tuple((place,) for place in range(len(names)))
        case EverySubset():
            return tuple(_subsets(len(names)))
        case _:
            assert_never(choice)


def _subsets(count: int) -> Iterator[tuple[int, ...]]:
    for size in range(1, count + 1):
        yield from combinations(range(count), size)
