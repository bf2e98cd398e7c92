"""Capacities of connections in messages, and a check that a schedule completes within them.

NCCL's connections have 8 slots; a message of protocol Simple takes 4 of them, a message of LL or LL128 one.
Between machines both the sender and the receiver have such a buffer, so twice as many messages of Simple fit.
More capacity never blocks a schedule: a schedule that completes with some capacities completes with greater ones.

That is monotone, so the least capacity with which a schedule completes is found by doubling and bisection. Capacities
depend on machine boundaries, and those on the number of GPUs per machine, which a file does not state: the smallest
capacity everywhere is tried first, then the greatest, and only between the two each size of machine.

    completes(capacity) is monotone:   least capacity = min { c : completes(c) }.

Complexity: O(log(least capacity) + `USUAL_MACHINE`) executions of the schedule (`order.py`).
Reference: Parks, "Bounded scheduling of process networks", 1995.

Example: two threadblocks that each send three messages before they receive any. Capacity 2 is a deadlock, 4 is not.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from p2smt.errors import VerifyError
from p2smt.frontend.msccl.order import CompletedStep, order_of
from p2smt.frontend.msccl.schedule import Connection, MscclSchedule, Protocol
from p2smt.verify.plan_verdict import NoPlan, PlanMistake, PlanRule
from p2smt.verify.verdict import Unknown
from p2smt.wording import listed

USUAL_MACHINE = 8
"""The largest number of GPUs per machine that is assumed if the number is not given."""


def messages_held(protocol: Protocol, between_machines: bool) -> int:
    """The number of messages that fit into a connection."""
    match protocol:
        case Protocol.SIMPLE:
            return 4 if between_machines else 2
        case Protocol.LL | Protocol.LL128:
            return 8


HELD = "Simple holds 2 inside a machine and 4 between machines, LL and LL128 hold 8"


@dataclass(frozen=True, slots=True)
class StepOrder:
    """All steps in an order in which they can run; `note` states the assumption made about machines."""

    order: tuple[CompletedStep, ...]
    note: str = ""


def ordered(schedule: MscclSchedule, per_machine: int | None) -> StepOrder | NoPlan:
    """Return an order of all steps on machines of `per_machine` GPUs each, numbered machine by machine.

    If None, the order has to work for machines of any size up to 8. Returns a mistake if no such size lets the
    schedule complete, and Unknown if only some do. Raises VerifyError for a number below 1.
    """
    if per_machine is not None:
        if per_machine < 1:
            raise VerifyError(f"{per_machine} devices per machine; it must be at least 1")
        order = order_of(schedule, _on_machines(schedule, per_machine))
        return _explained(schedule, order) if isinstance(order, PlanMistake) else StepOrder(order)
    order = order_of(schedule, _everywhere(messages_held(schedule.protocol, False)))
    if not _is_stuck(order):
        return order if isinstance(order, PlanMistake) else StepOrder(order)
    greatest = order_of(schedule, _everywhere(messages_held(schedule.protocol, True)))
    if isinstance(greatest, PlanMistake):
        return _explained(schedule, greatest)
    return _by_machines(schedule, greatest)


def _by_machines(schedule: MscclSchedule, order: tuple[CompletedStep, ...]) -> StepOrder | Unknown:
    """The verdict on a schedule that completes on machines of one GPU, but not if all GPUs share one machine."""
    sizes = range(1, min(schedule.gpus, USUAL_MACHINE) + 1)
    stuck = [size for size in sizes if _is_stuck(order_of(schedule, _on_machines(schedule, size)))]
    if not stuck:
        return StepOrder(
            order,
            f"machines: of at most {USUAL_MACHINE} GPUs each; on one of {schedule.gpus} the schedule waits for ever, "
            f"because {HELD}",
        )
    ends = [size for size in sizes if size not in stuck]
    return Unknown(
        f"whether the schedule ends depends on how many messages connections hold: {HELD}; with {listed(ends)} GPUs "
        f"in each machine it ends, with {listed(stuck)} ranks wait for each other; say how many there are "
        "(--devices-per-machine)"
    )


def _explained(schedule: MscclSchedule, stuck: PlanMistake) -> PlanMistake:
    """Return the deadlock, with the least capacity with which the schedule would complete, if there is one."""
    if stuck.rule is not PlanRule.ORDER:
        return stuck
    order = order_of(schedule, _everywhere(None))
    if isinstance(order, PlanMistake):
        return replace(order, message=f"{order.message}; however many messages connections hold")
    least = _least(schedule)
    return replace(stuck, message=f"{stuck.message}; it ends if every connection holds {least} messages; {HELD}")


def _least(schedule: MscclSchedule) -> int:
    """The least capacity of connections under which a schedule completes, for one that does without limit."""
    high = 1
    while _is_stuck(order_of(schedule, _everywhere(high))):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if _is_stuck(order_of(schedule, _everywhere(middle))) else (low, middle)
    return high


def _is_stuck(order: tuple[CompletedStep, ...] | PlanMistake) -> bool:
    return isinstance(order, PlanMistake) and order.rule is PlanRule.ORDER


def _everywhere(messages: int | None) -> Callable[[Connection], int | None]:
    return lambda _: messages


def _on_machines(schedule: MscclSchedule, per_machine: int) -> Callable[[Connection], int | None]:
    inside, between = (messages_held(schedule.protocol, apart) for apart in (False, True))
    return lambda connection: inside if connection[0] // per_machine == connection[1] // per_machine else between
