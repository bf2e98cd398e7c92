"""The steps of a reduction program along an axis, as patterns of groups on the system's levels."""

from collections.abc import Iterator
from math import prod
from typing import NamedTuple

from p2smt.collective import Collective
from p2smt.cost.network.pattern import Pattern, Role, merged
from p2smt.errors import ProgramError
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.semantics.collectives import Violation
from p2smt.reduction.semantics.execution import machine
from p2smt.reduction.semantics.groups import groups_of
from p2smt.schedule.instructions import instructions
from p2smt.schedule.scheduled import Implementation


class ProgramStep(NamedTuple):
    """A collective in all groups of a pattern.

    `share` is the largest root's data, relative to its initial data.
    """

    collective: Collective
    pattern: Pattern
    share: float


def program_steps(noted: Implementation, along: Pattern) -> Iterator[ProgramStep]:
    """Yield the steps in order. ProgramError if the program's levels are not those that the axis spans."""
    sizes = tuple(size for _, size in noted.levels)
    spanned = tuple(size for digits in along.levels for role, size in digits if role is Role.VARYING)
    if tuple(size for size in sizes if size > 1) != spanned:
        raise ProgramError(
            f"{noted.statement} has levels of {' x '.join(map(str, sizes))} units, but its ranks span "
            f"{' x '.join(map(str, spanned))}; --rates need programs over the levels of the system, so "
            "leave --rates or the program out"
        )
    running = machine(sizes, goal=noted.goal)
    state, parts = running.goal.start, prod(sizes) if noted.goal.gathers else 1
    for grouping, collective in instructions(noted.program, noted.levels):
        roots = [state[members[0]] for members in groups_of(sizes, grouping)]
        share = max(sum(map(bool, rows)) / len(rows) for rows in roots) * parts
        pattern = _pattern(along, sizes, grouping)
        if pattern.group_size > 1:
            yield ProgramStep(collective, pattern, share)
        after = running.apply(state, (grouping, collective))
        assert not isinstance(after, Violation), "the step that notes a program has proved it"
        state = after


def _pattern(along: Pattern, sizes: tuple[int, ...], grouping: Grouping) -> Pattern:
    """Return the groups of a step.

    A level along the axis varies in them, tells them apart, or is fixed at 0.
    """
    roles = iter([_role(number, grouping) for number, size in enumerate(sizes, 1) if size > 1])
    return Pattern(
        tuple(
            merged(tuple((next(roles) if role is Role.VARYING else role, size) for role, size in digits))
            for digits in along.levels
        )
    )


def _role(level: int, grouping: Grouping) -> Role:
    if level in grouping.levels:
        return Role.VARYING
    return Role.ZERO if grouping.masters and level > grouping.inner else Role.FREE
