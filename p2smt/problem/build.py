"""Construct checked `Problem` and `Workload` values; this module contains all rules for them."""

from collections.abc import Sequence
from math import log10, prod
from typing import TypeVar

from p2smt.argument_types import require
from p2smt.collective import Collective, Communication, NeighbourSend
from p2smt.errors import ProblemError
from p2smt.problem.condition_text import parse_condition
from p2smt.problem.dtype import DTYPE_BYTES
from p2smt.problem.model import Axis, HierarchyKind, Payload, Problem, Search
from p2smt.problem.names import check_names
from p2smt.problem.spellings import axes_given, axis_names_given, payload_given, system_given
from p2smt.problem.system.build import check_alike
from p2smt.problem.system.network import System
from p2smt.problem.workload import Reduction, Workload
from p2smt.wording import did_you_mean, sizes_text

MAX_DEVICES = 2**31 - 1
MAX_LIMIT = 64
MAX_REDUCTIONS = 64
MAX_CONDITIONS = 32
MAX_TEXT = 200
MAX_TIMES = 1e9
_DEFAULT_SEARCH = Search()

_Goal = TypeVar("_Goal", bound=Communication | NeighbourSend)


def build_problem(
    system: System | str,
    axes: Sequence[Axis | str] | str,
    reduce: Sequence[str | int] | str,
    payload: Payload | str,
    search: Search = _DEFAULT_SEARCH,
    goal: Collective | str = Collective.ALL_REDUCE,
) -> Problem:
    """Check the parts of a problem and combine them; `build_system` must have checked the system.

    `reduce` gives axes by name or index. All arguments except `search` may be texts, as on the command line.
    Raises ProblemError if a rule of `Problem` is violated (names, sizes, products, reduction axes, payload,
    limit), and ArgumentTypeError for values of other types.

    >>> build_problem("dgx-h100:4x8", ["data:32"], ["data"], "1GiB").devices
    32
    """
    system, axes, reduce, payload = (
        system_given(system),
        axes_given(axes),
        axis_names_given(reduce),
        payload_given(payload),
    )
    require(search, Search, "search", "write Search(limit=5)")
    require(goal, (Collective, str), "goal", "write a collective such as 'reduce-scatter'")
    if not isinstance(goal, Collective):
        goal = parse_goal(goal, tuple(Collective))
    _check_axes(system, axes)
    _check_payload(payload)
    _check_search(search)
    return Problem(
        system=system,
        axes=tuple(axes),
        reduce=axis_numbers(axes, reduce),
        payload=payload,
        search=search,
        goal=goal,
    )


def build_workload(
    system: System | str,
    axes: Sequence[Axis | str] | str,
    reductions: Sequence[Reduction],
    conditions: Sequence[str] = (),
    search: Search = _DEFAULT_SEARCH,
) -> Workload:
    """Check the parts of a job and combine them; `build_system` must have checked the system.

    `conditions` are texts. Raises ProblemError if a rule of `Workload` is violated.
    """
    system, axes = system_given(system), axes_given(axes)
    check_alike(system, "a job is placed as a whole")
    _check_axes(system, axes)
    _check_search(search)
    if search.hierarchy is not HierarchyKind.REDUCTION or not search.collapse:
        raise ProblemError(
            f"a job is searched on hierarchy {HierarchyKind.REDUCTION}, collapsed, not on {search.hierarchy}"
            f"{'' if search.collapse else ', not collapsed'}; leave hierarchy and collapse out"
        )
    if not 1 <= len(reductions) <= MAX_REDUCTIONS:
        raise ProblemError(f"{len(reductions)} reductions; a job has 1 to {MAX_REDUCTIONS}, so split the job")
    for number, reduction in enumerate(reductions):
        try:
            _check_reduction(reduction)
        except ProblemError as cause:
            raise ProblemError(f"reduction {number} ({reduction.name[:80]!r}): {cause}") from cause
    if len(conditions) > MAX_CONDITIONS:
        raise ProblemError(f"{len(conditions)} conditions are too many; a job has at most {MAX_CONDITIONS}")
    read = dict.fromkeys(parse_condition(text, axes, system.levels) for text in conditions)
    return Workload(
        system=system,
        axes=tuple(axes),
        reductions=tuple(reductions),
        conditions=tuple(read),
        search=search,
    )


def _check_axes(system: System, axes: Sequence[Axis]) -> None:
    check_names("axis", [axis.name for axis in axes])
    for axis in axes:
        if axis.size < 1:
            raise ProblemError(f"axis {axis.name} has size {axis.size}; a size is a whole number >= 1")
    _check_products(system, axes)


def _check_payload(payload: Payload) -> None:
    if payload.dtype not in DTYPE_BYTES:
        raise ProblemError(
            f"dtype {payload.dtype!r} is unknown; choose one of {', '.join(DTYPE_BYTES)}"
            f"{did_you_mean(payload.dtype, DTYPE_BYTES)}"
        )
    if payload.bytes < 1 or payload.bytes % DTYPE_BYTES[payload.dtype]:
        raise ProblemError(
            f"bytes {payload.bytes} is not a whole number of {payload.dtype} elements; "
            f"use a positive multiple of {DTYPE_BYTES[payload.dtype]}"
        )


def _check_search(search: Search) -> None:
    if not 1 <= search.limit <= MAX_LIMIT:
        raise ProblemError(f"limit {search.limit} is out of range; a program has 1 to {MAX_LIMIT} instructions")


def _check_reduction(reduction: Reduction) -> None:
    require(reduction, Reduction, "a reduction", "write Reduction(name='g', axes=(0,), payload=Payload('1GiB'))")
    require(reduction.payload, Payload, "its payload", "write Payload('1GiB', 'bfloat16')")
    if max(len(reduction.name), len(reduction.overlap)) > MAX_TEXT:
        raise ProblemError(f"a name or overlap group is longer than {MAX_TEXT} characters; shorten it")
    if not 0 < reduction.times <= MAX_TIMES:
        raise ProblemError(
            f"times {reduction.times} is out of range; give the number of times per step, 1 to {MAX_TIMES:g}"
        )
    _check_payload(reduction.payload)


def _check_products(system: System, axes: Sequence[Axis]) -> None:
    have, need = system.devices, prod(axis.size for axis in axes)
    if max(have, need) > MAX_DEVICES:
        raise ProblemError(
            f"{_count(max(have, need))} devices are too many; ranks are 32-bit numbers, so the limit is {MAX_DEVICES}"
        )
    if have != need:
        raise ProblemError(
            f"axes {sizes_text(axes)} need {need} devices, but {_levels_text(system)} has {have}; "
            "the two products must be equal"
        )


def _levels_text(system: System) -> str:
    return sizes_text(system.levels) if system.tree is None else f"a system of units of unlike size {system.tree}"


def _count(number: int) -> str:
    """Return a number as text, or its order of magnitude if it has more than 12 digits."""
    return str(number) if number < 10**12 else f"about 10^{int(number.bit_length() * log10(2))}"


def parse_goal(text: str, choices: Sequence[_Goal]) -> _Goal:
    """Return the goal with this name, in any spelling. Raises ProblemError for an unknown name.

    >>> parse_goal("reduce-scatter", tuple(Collective))
    <Collective.REDUCE_SCATTER: 'ReduceScatter'>
    """
    for goal in choices:
        if text.lower() in (goal.value.lower(), goal.hyphenated, goal.underscored):
            return goal
    names = [goal.hyphenated for goal in choices]
    raise ProblemError(f"goal {text[:80]!r} is unknown; choose one of {', '.join(names)}{did_you_mean(text, names)}")


def axis_numbers(axes: Sequence[Axis], reduce: Sequence[str | int]) -> tuple[int, ...]:
    """Return the indices, ascending, of axes given by name or index.

    Raises ProblemError for an unknown or repeated axis, and for an empty list.
    """
    names = [axis.name for axis in axes]
    choice = ", ".join(f"{i}={name}" for i, name in enumerate(names))
    found: list[int] = []
    for entry in reduce:
        if isinstance(entry, int) and not 0 <= entry < len(names):
            raise ProblemError(f"reduce axis {entry} does not exist; the axes are {choice}")
        if isinstance(entry, str) and entry not in names:
            meant = did_you_mean(entry, names)
            raise ProblemError(f"reduce axis {entry[:80]!r} does not exist; the axes are {choice}{meant}")
        index = names.index(entry) if isinstance(entry, str) else entry
        if index in found:
            raise ProblemError(f"reduce axis {names[index]} is given twice; name every axis once")
        found.append(index)
    if not found:
        raise ProblemError(f"no axis to reduce over; name at least one of {choice}")
    return tuple(sorted(found))
