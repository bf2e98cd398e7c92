"""A sweep: grids of problems and of jobs, and the different ones that they stand for."""

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
"""Problems in one sweep."""


@dataclass(frozen=True, slots=True)
class GivenAxes:
    """These axes; for the systems with as many devices."""

    axes: tuple[Axis, ...]


@dataclass(frozen=True, slots=True)
class EveryAxes:
    """Axes of these names in all sizes >= 2 whose product is the system's number of devices."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GivenReduction:
    """Reduce over these axes, by name or number; for the axes that have them."""

    axes: tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class EachAxis:
    """Reduce over one axis alone, each in turn."""


@dataclass(frozen=True, slots=True)
class EverySubset:
    """Reduce over every set of axes that is not empty."""


Axes = GivenAxes | EveryAxes
Reduction = GivenReduction | EachAxis | EverySubset


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Every system with every choice of axes that fits it, every reduction, goal, payload, search and backend."""

    systems: tuple[System, ...]
    axes: tuple[Axes, ...]
    reductions: tuple[Reduction, ...]
    goals: tuple[Collective, ...]
    payloads: tuple[Payload, ...]
    searches: tuple[Search, ...]
    backends: tuple[Backend, ...]


@dataclass(frozen=True, slots=True)
class Sweep:
    """Grids of problems and of jobs, and the seconds after which the search for one stops (None: never)."""

    grids: tuple[Grid, ...]
    timeout_s: float | None = None
    jobs: tuple[JobGrid, ...] = ()


@dataclass(frozen=True, slots=True)
class Expansion:
    """The problems of a sweep by key, in the order of the grids, then its jobs.

    `left_out` counts combinations that do not agree: of a system, axes and a reduction (another number of devices, or
    no such axis), of a model, a system and a split. `too_large` counts splits that were searched for and need more
    memory than a device has, `repeated` problems and jobs that were there before.
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
    """All different problems and jobs of a sweep.

    Raises StudyError when there are more than `MOST_PROBLEMS`, when a grid has none, or when a reduction fits no
    axes of its grid, or a split no system; ProblemError for a problem that breaks a rule.
    """
    tasks: dict[str, AnyTask] = {}
    left_out = given = too_large = 0
    for number, grid in enumerate(sweep.grids, start=1):
        places, outside = _places(grid, number)
        left_out += outside
        rest = len(grid.goals) * len(grid.payloads) * len(grid.searches) * len(grid.backends)
        given += len(places) * rest
        if given > MOST_PROBLEMS:
            raise StudyError(f"grids 1 to {number} have {given} problems; a sweep has at most {MOST_PROBLEMS}")
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
            raise StudyError(f"the grids up to job {number} have {given} tasks; a sweep has at most {MOST_PROBLEMS}")
        for job, backend in product(found.jobs, jobs.backends):
            asked = JobTask(job, backend, sweep.timeout_s)
            tasks.setdefault(asked.key, asked)
    return Expansion(tasks, left_out, given - len(tasks), too_large)


_Place = tuple[System, tuple[Axis, ...], tuple[str | int, ...]]


def _places(grid: Grid, number: int) -> tuple[list[_Place], int]:
    """System, axes and reduction where the three agree, and how many combinations do not."""
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
                raise StudyError(f"grid {number} has more than {MOST_PROBLEMS} problems, the most of a sweep")
    if not fits:
        raise StudyError(f"grid {number} has no problem: no axes fit a system; the two products must be equal")
    if unused:
        named = ", ".join(
            sorted(str(axis)[:80] for one in unused if isinstance(one, GivenReduction) for axis in one.axes)
        )
        raise StudyError(f"grid {number}: reduce {named!r} fits none of the grid's axes; name axes that are there")
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
                raise StudyError(f"axes {','.join(names)} take {devices} devices in more than {MOST_PROBLEMS} ways")
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
