"""Colours of figures and pages, by name, for light and dark themes; all text has sufficient contrast.

Paints are `ink`, `muted`, `line`, ...; the ramp `tint0` to `tint11` for ordered values; `group0` to `group7`
for groups; and `series0` to `series5` for lines of a chart. `accent` marks what is best, selected or a link, and
nothing else; `computing` and `sending` are the time of computation and of collectives in every chart. No information
is conveyed by colour alone.
"""

from itertools import pairwise

TINTS = 12
GROUPS = 8
SERIES = 6
_AXIS_GROUPS = (4, 0, 3, 6, 1, 5, 2, 7)
"""Group colours assigned to axes, chosen so that neighbouring axes differ clearly."""

_LIGHT = {
    "page": "#fbfaf7",
    "surface": "#ffffff",
    "inset": "#f3f1ea",
    "ink": "#1d2126",
    "muted": "#565d65",
    "line": "#d9d5cb",
    "edge": "#8b8578",
    "accent": "#0b6464",
    "onaccent": "#ffffff",
    "soft": "#c3d9d6",
    "computing": "#b0771a",
    "sending": "#3f6fb5",
}
_DARK = {
    "page": "#14171a",
    "surface": "#1b1f23",
    "inset": "#22272c",
    "ink": "#ebe8e2",
    "muted": "#a9aeb3",
    "line": "#363c43",
    "edge": "#7b838b",
    "accent": "#6accc4",
    "onaccent": "#0d1a1a",
    "soft": "#2c5654",
    "computing": "#c9953a",
    "sending": "#6f9be0",
}
_RAMPS = (("#f8f2e3", "#dfe7d6", "#86bfc0"), ("#2a2a27", "#22403f", "#1f6668"))
_GROUPS = (
    ("#f3d9d2", "#f4e3c1", "#e3e8c0", "#cfe6d2", "#cde5ea", "#d3dcf2", "#e2d8f0", "#f0d6e4"),
    ("#5a342c", "#54421a", "#414a1e", "#27492f", "#234851", "#2f3f63", "#473762", "#59304a"),
)
_SERIES = (
    ("#0b6464", "#9a3b26", "#3a56a0", "#6f5400", "#6b3f8f", "#4a661c"),
    ("#6accc4", "#f09a84", "#9ab1f2", "#e0bb5c", "#c9a2ea", "#a9c872"),
)


def _mixed(one: str, other: str, part: float) -> str:
    """Return the colour at fraction `part` between `one` and `other`."""
    pairs = zip(bytes.fromhex(one[1:]), bytes.fromhex(other[1:]), strict=True)
    return "#" + bytes(round(a + (b - a) * part) for a, b in pairs).hex()


def _ramp(stops: tuple[str, ...]) -> list[str]:
    legs = list(pairwise(stops))
    places = [number * len(legs) / (TINTS - 1) for number in range(TINTS)]
    return [_mixed(*legs[min(int(place), len(legs) - 1)], place - min(int(place), len(legs) - 1)) for place in places]


def _theme(dark: bool) -> dict[str, str]:
    families = (("tint", _ramp(_RAMPS[dark])), ("group", _GROUPS[dark]), ("series", _SERIES[dark]))
    numbered = {f"{name}{number}": colour for name, row in families for number, colour in enumerate(row)}
    return {**(_DARK if dark else _LIGHT), **numbered}


LIGHT = _theme(dark=False)
"""Map paint names to colours, for paper and light screens."""
DARK = _theme(dark=True)
"""Map paint names to colours, for dark screens."""


def tint(value: int, count: int) -> str:
    """Return the paint of `value` out of `range(count)`, spread over the whole ramp.

    >>> tint(0, 4), tint(1, 4), tint(3, 4), tint(0, 1)
    ('tint0', 'tint4', 'tint11', 'tint0')
    """
    last = max(count - 1, 1)
    return f"tint{(2 * (TINTS - 1) * value + last) // (2 * last)}"


def axis_paint(axis: int) -> str:
    """Return the paint that identifies an axis in drawings of placements."""
    return f"group{_AXIS_GROUPS[axis % GROUPS]}"


def palette_style() -> str:
    """Return the style sheet that defines the paints as variables and as classes `fill-NAME` and `stroke-NAME`."""
    light, dark = ("".join(f"--{name}:{colour};" for name, colour in theme.items()) for theme in (LIGHT, DARK))
    classes = "\n".join(
        f".fill-{name}{{fill:var(--{name})}}.stroke-{name}{{stroke:var(--{name})}}"
        f"{f'.ground-{name}{{background:var(--{name})}}' if name.startswith('group') else ''}"
        for name in LIGHT
    )
    return (
        f":root{{color-scheme:light dark;{light}}}\n"
        f"@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n{classes}\n"
    )
