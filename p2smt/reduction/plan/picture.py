"""A plan as an HTML table: a row per step and a column per device; cells have the letter of the device's group."""

from collections.abc import Iterable, Sequence
from html import escape
from string import ascii_uppercase

MOST_DEVICES = 64
"""The most devices with a column; of a larger plan the first ones are shown."""

_HUES = (210, 25, 140, 280, 50, 330, 180, 0)

Roots = Sequence[int | None]
"""The root of each shown device's group in a step; None for a device that is idle."""


def shown_devices(devices: int) -> range:
    """Return the devices that have a column.

    >>> shown_devices(4), shown_devices(1000)
    (range(0, 4), range(0, 64))
    """
    return range(min(devices, MOST_DEVICES))


def groups_table(program: str, devices: int, steps: Iterable[tuple[str, Roots | None]]) -> str:
    """Return the table of a program's steps, each with its name and roots; None for one that devices do on their own.

    The cell of a device that is idle in a step is empty.
    """
    shown = shown_devices(devices)
    head = "".join(f"<th>{device}</th>" for device in shown)
    rows = "".join(_row(number, name, roots, len(shown)) for number, (name, roots) in enumerate(steps, start=1))
    more = "" if len(shown) == devices else f"; the first {len(shown)} of {devices} devices"
    caption = f"{program or 'nothing to do'}: groups of every step, by letter{more}"
    return f"<table><caption>{escape(caption)}</caption><tr><th>step</th>{head}</tr>{rows}</table>"


def _row(number: int, name: str, roots: Roots | None, shown: int) -> str:
    if roots is None:
        return f'<tr><th>{number} {name}</th><td colspan="{shown}">every device, on its own</td></tr>'
    letters = {root: letter for letter, root in enumerate(sorted({root for root in roots if root is not None}))}
    cells = "".join(_cell(None if root is None else letters[root]) for root in roots)
    return f"<tr><th>{number} {name}</th>{cells}</tr>"


def _cell(group: int | None) -> str:
    if group is None:
        return "<td></td>"
    rounds, letter = divmod(group, len(ascii_uppercase))
    name = ascii_uppercase[letter] + (str(rounds) if rounds else "")
    return f'<td style="background:hsl({_HUES[group % len(_HUES)]} 70% 80%);color:#111">{name}</td>'
