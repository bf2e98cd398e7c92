"""Replaying found programs in the concrete semantics before anyone sees them."""

from collections.abc import Iterable, Sequence
from math import prod

from p2smt.collective import Collective
from p2smt.reduction.language.language import Step
from p2smt.reduction.semantics.collectives import Violation
from p2smt.reduction.semantics.execution import machine
from p2smt.reduction.semantics.state import State

MOST_DEVICES = 16


def replay_sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    """The sizes to replay at: the real ones up to 16 devices, else 3 per level on two levels and 2 on more.

    >>> replay_sizes((2, 4)), replay_sizes((64, 1024)), replay_sizes((4, 8, 16))
    ((2, 4), (3, 3), (2, 2, 2))
    """
    if prod(sizes) <= MOST_DEVICES:
        return tuple(sizes)
    return tuple(min(size, 3 if len(sizes) <= 2 else 2) for size in sizes)


def invalid_programs(
    programs: Iterable[tuple[Step, ...]], sizes: Sequence[int], goal: Collective = Collective.ALL_REDUCE
) -> list[tuple[Step, ...]]:
    """The programs that do not reach the goal on a concrete hierarchy with these sizes; common parts run once."""
    concrete = machine(sizes, goal=goal)
    states: dict[tuple[Step, ...], State | Violation] = {(): concrete.goal.start}

    def reaches(state: State | Violation) -> bool:
        return not isinstance(state, Violation) and concrete.goal.is_reached(state)

    def after(steps: tuple[Step, ...]) -> State | Violation:
        if steps not in states:
            before = after(steps[:-1])
            if isinstance(before, Violation) or concrete.goal.is_reached(before):
                states[steps] = Violation.NO_CHANGE
            else:
                states[steps] = concrete.apply(before, steps[-1])
        return states[steps]

    return [steps for steps in programs if not reaches(after(steps))]
