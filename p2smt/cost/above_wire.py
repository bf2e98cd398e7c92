"""Overhead of predicted times over the lower bound that the link capacities impose."""

from p2smt.collective import Collective, Exchange, NeighbourSend
from p2smt.cost.network.pattern import Pattern, pattern_of
from p2smt.cost.network.wire import LinkBound, wire
from p2smt.problem.workload import Goal
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import CollectiveStep

_ROUNDED = 1 - 1e-9
"""Relative slack on bounds, because prices are rounded to ten digits."""


def placement_wire(lowering: Lowering, goal: Goal | None = None) -> LinkBound:
    """Return the link lower bound of the reduction on a placement.

    `goal` replaces the problem's goal if given. All seconds are 0 if there is nothing to reduce, and on systems with
    units of different sizes, for which no bound is implemented.
    """
    problem, pattern = lowering.problem, _pattern(lowering)
    if pattern is None or pattern.present is not None:
        return LinkBound(0.0, (0.0,) * len(problem.system.network.links))
    return wire(pattern, goal or problem.goal, problem.payload.bytes, problem.system)


def least_seconds(lowering: Lowering, goal: Goal | None = None) -> tuple[float, tuple[float, ...]]:
    """Return lower bounds on a program's seconds, and on the busy seconds of each link and of the device memory.

    Besides the link lower bound, every program launches at least one collective, and every device reads its input and
    writes its output. The last entry of the busy seconds is the memory.
    """
    bound, problem, pattern = placement_wire(lowering, goal), lowering.problem, _pattern(lowering)
    if pattern is None:
        return 0.0, (*bound.busy, 0.0)
    network = problem.system.network
    touched = _touched(goal or problem.goal, pattern.group_size) * problem.payload.bytes
    memory = touched / network.memory_bandwidth
    busy = (*bound.busy, memory)
    # Schedules may replace a collective by an exchange, so the shorter start is the least that any program pays.
    begun = min(network.launch, network.exchange_launch)
    return (bound.seconds + begun + memory) * _ROUNDED, tuple(seconds * _ROUNDED for seconds in busy)


def above_wire(seconds: float, wire_seconds: float) -> float | None:
    """Relative overhead over the lower bound, `seconds / wire_seconds - 1`; None if no bytes cross a link."""
    return seconds / wire_seconds - 1 if wire_seconds else None


def above_text(seconds: float, wire_seconds: float) -> str:
    """The relative overhead over the lower bound as text; empty if no bytes cross a link.

    >>> above_text(1.0, 1.0), above_text(1.0436, 1.0), above_text(1.25, 1.0), above_text(1.0, 0.0)
    ('0.0 %', '4.4 %', '25 %', '')
    """
    above = above_wire(seconds, wire_seconds)
    if above is None:
        return ""
    percent = 100 * above
    # Two digits: below 9.95 one decimal place, above none (9.97 would print as 10.0).
    return f"{percent:.1f} %" if percent < 9.95 else f"{percent:.0f} %"


def above_cell(seconds: float, wire_seconds: float) -> str:
    """Return the relative overhead over the link lower bound for a table column, with a plus sign.

    >>> above_cell(1.25, 1.0), above_cell(1.0, 0.0)
    ('+25 %', '')
    """
    text = above_text(seconds, wire_seconds)
    return f"+{text}" if text else ""


def _pattern(lowering: Lowering) -> Pattern | None:
    """Return the pattern of the reduction's groups; None if every group has one device."""
    direct = lowering.direct
    rules = [step.groups for step in direct.steps if isinstance(step, CollectiveStep)]
    return pattern_of(direct, rules[0]) if rules else None


def _touched(goal: Goal, size: int) -> float:
    """Return the payloads that the busiest device must at least read and write: its initial and its final buffer."""
    match goal:
        case Collective.ALL_REDUCE | Collective.REDUCE | Collective.BROADCAST:
            return 2.0
        case Collective.REDUCE_SCATTER | Collective.ALL_GATHER:
            return 1 + 1 / size
        case Exchange.ALL_TO_ALL | Exchange.SEND | NeighbourSend.NEXT | NeighbourSend.AROUND:
            return 2.0
