"""Wording of messages, tables and reports: sizes, counts with their noun, numbers in a row."""

from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from fractions import Fraction
from itertools import islice
from math import log10
from typing import Protocol

MOST = 16
"""Devices of a group that are all named."""

FEW = 8
"""Numbers in a row before the dots."""


class SizedItem(Protocol):
    """A level or an axis."""

    @property
    def name(self) -> str:
        """Its name."""
        ...

    @property
    def size(self) -> int:
        """The number of units or shards."""
        ...


def sizes_text(parts: Iterable[SizedItem | tuple[str, int]], between: str = " x ") -> str:
    """Levels or axes with their sizes, as a product.

    >>> sizes_text([("node", 4), ("gpu", 8)])
    'node=4 x gpu=8'
    """
    return between.join(f"{name}={size}" for name, size in map(_pair, parts))


def option_text(parts: Iterable[SizedItem | tuple[str, int]]) -> str:
    """Levels or axes as options take them; `parse_sizes` reads it.

    >>> option_text([("node", 4), ("gpu", 8)])
    'node:4,gpu:8'
    """
    return ",".join(f"{name}:{size}" for name, size in map(_pair, parts))


def bare_sizes(sizes: Iterable[int]) -> str:
    """Sizes without names.

    >>> bare_sizes([4, 8])
    '4x8'
    """
    return "x".join(map(str, sizes))


def plural(noun: str, count: int) -> str:
    """The noun for so many of a thing.

    >>> plural("group", 1), plural("group", 0)
    ('group', 'groups')
    """
    return noun if count == 1 else f"{noun}s"


def counted(count: int, noun: str) -> str:
    """So many of a thing.

    >>> counted(1, "group"), counted(4, "group")
    ('1 group', '4 groups')
    """
    return f"{count} {plural(noun, count)}"


MOST_DIGITS = 200
"""Digits of a number that is written out; a longer one is rounded."""


def number_text(number: int | Fraction, most: int = MOST_DIGITS) -> str:
    """A number in at most so many digits, as a power of ten where it has more.

    >>> number_text(12), number_text(Fraction(1, 3)), number_text(-(7**1000))
    ('12', '1/3', 'about -1.253256 * 10^845')
    """
    if number.denominator > 1:
        return f"{number_text(number.numerator, most // 2)}/{number_text(number.denominator, most // 2)}"
    digits = int(abs(number.numerator).bit_length() * log10(2)) + 1
    if digits <= most:
        return str(number.numerator)
    leading = str(abs(number.numerator) // 10 ** (digits - 8))
    sign, exponent = "-" if number < 0 else "", digits - 8 + len(leading) - 1
    return f"about {sign}{leading[0]}.{leading[1:7]} * 10^{exponent}"


def first_few(numbers: Iterable[int], most: int = FEW) -> str:
    """Numbers in a row, with dots for those after the first few.

    >>> first_few(range(3)), first_few(range(1000), most=2)
    ('0, 1, 2', '0, 1, ...')
    """
    some = list(islice(numbers, most + 1))
    return ", ".join([*map(str, some[:most]), *(["..."] if len(some) > most else [])])


def listed(devices: Sequence[int]) -> str:
    """A group as plans write it; of a large one the first and last.

    >>> listed((0, 1, 8))
    '[0, 1, 8]'
    >>> listed(range(4096))
    '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, ..., 4095] (4096 devices)'
    """
    if len(devices) <= MOST:
        return str(list(devices))
    shown = ", ".join(map(str, devices[: MOST - 1]))
    return f"[{shown}, ..., {devices[-1]}] ({len(devices)} devices)"


def did_you_mean(text: str, names: Iterable[str], called: Callable[[str], str] = str) -> str:
    """The name nearest to a text that is none of them, as the end of a message; empty where none is near.

    `called` gives the name to say where others are compared, such as spellings.

    Capitals do not matter.

    >>> did_you_mean("DGX-H10", ["dgx-a100", "dgx-h100"]), did_you_mean("xyz", ["data"])
    ('; did you mean dgx-h100?', '')
    """
    lowered = {name.lower(): name for name in names}
    near = get_close_matches(text[:80].lower(), lowered, 1)
    return f"; did you mean {called(lowered[near[0]])}?" if near else ""


def _pair(part: SizedItem | tuple[str, int]) -> tuple[str, int]:
    return part if isinstance(part, tuple) else (part.name, part.size)
