"""A sweep: grids of problems, and the different problems that they stand for."""

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
from p2smt.problem.model import Axis, Payload, Problem, Search
from p2smt.problem.system.network import System
from p2smt.sweep.digest import task_key
from p2smt.sweep.factorisation import factorisations

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
class Task:
    """A problem, what carries its collectives, and the seconds after which its search stops."""

    problem: Problem
    backend: Backend
    timeout_s: float | None = None

    @property
    def key(self) -> str:
        """SHA-256 over the resolved problem; the time limit is no part of it."""
        return task_key(self.problem, self.backend)


@dataclass(frozen=True, slots=True)
class Sweep:
    """Grids, and the seconds after which the search for one problem stops (None: never)."""

    grids: tuple[Grid, ...]
    timeout_s: float | None = None


@dataclass(frozen=True, slots=True)
class Expansion:
    """The problems of a sweep by key, in the order of the grids.

    `left_out` counts combinations of a system, axes and a reduction that do not agree: another number of
    devices, or no such axis. `repeated` counts problems that were there before.
    """

    tasks: dict[str, Task]
    left_out: int
    repeated: int


def expand(sweep: Sweep) -> Expansion:
    """All different problems of a sweep.

    Raises StudyError when there are more than `MOST_PROBLEMS`, when a grid has none, or when a reduction fits no
    axes of its grid; ProblemError for a problem that breaks a rule.
    """
    tasks: dict[str, Task] = {}
    left_out = given = 0
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
            task = Task(build_problem(system, axes, reduce, payload, search, goal), backend, sweep.timeout_s)
            tasks.setdefault(task.key, task)
    return Expansion(tasks, left_out, given - len(tasks))


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
