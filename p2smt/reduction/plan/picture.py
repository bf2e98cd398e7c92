"""A plan as an HTML table: a row per step and a column per device; cells have the letter of the device's group."""

from collections.abc import Sequence
from html import escape
from string import ascii_uppercase

from p2smt.reduction.plan.model import CollectiveStep, PermuteStep, Plan, Portion, applies

MOST_DEVICES = 64
"""The most devices with a column; of a larger plan the first ones are shown."""

_HUES = (210, 25, 140, 280, 50, 330, 180, 0)


def plan_picture(plan: Plan) -> str:
    """Return the table; the cell of a device that is idle in a step is empty."""
    shown = range(min(plan.devices, MOST_DEVICES))
    head = "".join(f"<th>{device}</th>" for device in shown)
    rows = "".join(_row(plan, number, shown) for number in range(len(plan.steps)))
    more = "" if len(shown) == plan.devices else f"; the first {len(shown)} of {plan.devices} devices"
    caption = f"{plan.program or 'nothing to do'}: groups of every step, by letter{more}"
    return f"<table><caption>{escape(caption)}</caption><tr><th>step</th>{head}</tr>{rows}</table>"


def _row(plan: Plan, number: int, shown: range) -> str:
    match plan.steps[number]:
        case CollectiveStep(collective, rule, portions):
            roots = [plan.groups(rule).root_of(device) for device in shown]
            taking = {root for root in roots if root is not None and _takes_part(plan, root, portions)}
            place = {root: number for number, root in enumerate(sorted(taking))}
            cells = "".join(_cell(None if root is None else place.get(root)) for root in roots)
            return f"<tr><th>{number + 1} {collective}</th>{cells}</tr>"
        case PermuteStep():
            return f'<tr><th>{number + 1} permute</th><td colspan="{len(shown)}">every device, on its own</td></tr>'


def _takes_part(plan: Plan, root: int, portions: Sequence[Portion]) -> bool:
    return any(applies(portion, plan.device_class(root)) for portion in portions)


def _cell(group: int | None) -> str:
    if group is None:
        return "<td></td>"
    rounds, letter = divmod(group, len(ascii_uppercase))
    name = ascii_uppercase[letter] + (str(rounds) if rounds else "")
    return f'<td style="background:hsl({_HUES[group % len(_HUES)]} 70% 80%);color:#111">{name}</td>'
