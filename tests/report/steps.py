"""What a drawing of a step must show, by listing groups, and what devices hold after it."""

from p2smt.collective import Collective
from p2smt.reduction.plan.model import CollectiveStep
from p2smt.report.content.group_letters import group_letter


def letters_of(plan, step):
    """The letter of every device's group, by listing the groups."""
    groups = sorted(plan.groups(plan.steps[step].groups))
    letters = {member: group_letter(number) for number, group in enumerate(groups) for member in group}
    return [letters.get(device, "") for device in range(plan.devices)]


def longest(shown):
    """A placement and a program with three steps or more."""
    results = enumerate(shown.results)
    return next(
        (number, place, program)
        for number, result in results
        for place, program in enumerate(result.programs)
        if len(program.steps) >= 3
    )


def lengths_after(plan):
    """What every device holds after every step, device by device and group by group; 0 for given away."""
    held = [plan.payload.bytes] * plan.devices
    for step in plan.steps:
        if isinstance(step, CollectiveStep):
            for members in plan.groups(step.groups):
                root = held[members[0]]
                for member in members:
                    match step.collective:
                        case Collective.REDUCE_SCATTER:
                            held[member] = root / len(members)
                        case Collective.ALL_GATHER:
                            held[member] = root * len(members)
                        case Collective.REDUCE if member != members[0]:
                            held[member] = 0
                        case _:
                            held[member] = root
        yield tuple(held)
