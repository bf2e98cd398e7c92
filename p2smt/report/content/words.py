"""Describe steps in words and numbers, identically for tables, drawings and screen readers."""

from collections.abc import Sequence
from itertools import islice

from p2smt.cost.bus_bandwidth import RATE, rate_cell
from p2smt.problem.quantity import format_bytes, format_seconds
from p2smt.report.content.content import ProgramContent, StepContent
from p2smt.report.content.group_letters import group_letter, groups_drawn
from p2smt.wording import counted, plural

_FEW_MEMBERS = 16


def amounts(sizes: Sequence[float]) -> str:
    """Return the amounts of data that devices hold, in words.

    >>> amounts((0.0, 1024.0)), amounts((512.0,))
    ('1 KiB or nothing', '512 B')
    """
    held = [format_bytes(size) for size in sizes if size]
    return " or ".join([*held, *(["nothing"] if 0.0 in sizes else [])])


def groups_text(step: StepContent) -> str:
    """Return the number and size of the groups that act together, in words."""
    if step.among == 1:
        return f"{counted(step.groups, 'device')}, each alone"
    sizes = " or ".join(map(str, step.sizes))
    return f"{counted(step.groups, 'group')} of {sizes} along {', '.join(step.along)}"


def share_text(share: float) -> str:
    """Return a fraction as a percentage.

    >>> share_text(0.123), share_text(0.0004)
    ('12 %', '<1 %')
    """
    return "<1 %" if 0 < share < 0.005 else f"{100 * share:.0f} %"


def step_cells_text(number: int, step: StepContent) -> tuple[str, ...]:
    """Return one row of the table of a program's steps, in the order of `STEP_COLUMNS`."""
    return (
        str(number),
        step.what,
        groups_text(step),
        amounts(step.before),
        amounts(step.after),
        f"{format_bytes(step.link_bytes)} on {step.link}" if step.link else "none",
        format_seconds(step.seconds),
        rate_cell(step.rate),
        share_text(step.share),
    )


STEP_COLUMNS = (
    "Step",
    "Collective",
    "Groups",
    "A device holds before",
    "and after",
    "Busiest link",
    "Time",
    RATE,
    "Share",
)


def step_sentence(program: ProgramContent, number: int, devices: Sequence[int]) -> str:
    """Return the description of a step for screen readers; `number` counts from 0, `devices` are those drawn."""
    step = program.steps[number]
    first = next(iter(members_drawn(step, devices)), None)
    group = "" if first is None else f" Group A is {_listed(first, _size(step, devices, first))}."
    link = f" The busiest link, {step.link}, carries {format_bytes(step.link_bytes)}." if step.link else ""
    return (
        f"Step {number + 1} of {len(program.steps)}: {step.what}, {groups_text(step)}.{group} "
        f"A device holds {amounts(step.before)} before and {amounts(step.after)} after.{link} "
        f"{format_seconds(step.seconds)}, {share_text(step.share)} of {format_seconds(program.seconds)}."
    )


def members_drawn(step: StepContent, devices: Sequence[int]) -> list[list[int]]:
    """Return the drawn members of every drawn group of a step; empty for a local step."""
    if step.among == 1:
        return []
    groups = groups_drawn(step.roots)
    found: list[list[int]] = [[] for _ in range(max(groups, default=-1) + 1)]
    for device, group in zip(devices, groups, strict=True):
        if group >= 0:
            found[group].append(device)
    return found


def group_lines(step: StepContent, devices: Sequence[int]) -> list[str]:
    """Return one line per drawn group, with its letter and members."""
    members = enumerate(members_drawn(step, devices))
    return [f"{group_letter(number)}: {_listed(own, _size(step, devices, own))}" for number, own in members]


def _size(step: StepContent, devices: Sequence[int], drawn: Sequence[int]) -> int:
    """Return the full size of a group whose members are drawn only in part (`drawn`)."""
    return step.members[devices.index(drawn[0])]


def _listed(members: Sequence[int], size: int) -> str:
    shown = list(islice(members, _FEW_MEMBERS))
    more = f" and {size - len(shown)} more" if size > len(shown) else ""
    return f"{plural('device', size)} {', '.join(map(str, shown))}{more}"
