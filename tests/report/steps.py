"""What a drawing of a step must show, by listing groups."""

from p2smt.report.figures.cluster_drawing import group_letter


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
