"""Texts of programs with one thing changed: a device in a group or a pair, a dimension, a number, a comparison."""

import re
from random import Random

_GROUPS = re.compile(r"(?:replica_groups|source_target_pairs) ?= ?(?:dense<\[\[.*?\]\]>|\{\{.*?\}\})")
_DIMENSIONS = re.compile(
    r"(?:dimensions|dims|permutation) ?= ?[\[{][0-9, ]+[\]}]|(?:dim|dimension)(?:s?) = [0-9]+(?= :)"
)
_NUMBERS = re.compile(r"(?:dense<|constant\()-?[0-9.e+-]+(?=[>)])")
_COMPARED = re.compile(r"(?<=compare )[A-Z]{2}(?=,)|(?<=direction=)[A-Z]{2}")
_RANGES = re.compile(r"\[[0-9]+:[0-9]+\]")
_ADDED = re.compile(r" (?:stablehlo\.)?(?:add|subtract|multiply|divide)(?=[ (])")


def mutated(text: str, random: Random) -> str:
    """The text with one change; the same text where there is nothing to change."""
    kinds = [kind for kind in CHANGES if kind.search(text)]
    if not kinds:
        return text
    kind = random.choice(kinds)
    match = random.choice(list(kind.finditer(text)))
    return text[: match.start()] + CHANGES[kind](match[0], random) + text[match.end() :]


def _device(found: str, random: Random) -> str:
    """Two devices change places, or one is named in the place of another."""
    places = list(re.finditer(r"(?<![a-z0-9])[0-9]+", found))
    one, other = sorted(random.sample(places, min(2, len(places))) * 2, key=lambda place: place.start())[::3]
    swapped = random.random() < 0.7
    first = other[0] if swapped else str(random.randrange(len(places)))
    second = one[0] if swapped else other[0]
    return found[: one.start()] + first + found[one.end() : other.start()] + second + found[other.end() :]


def _number(found: str, random: Random) -> str:
    """Another number where one stands."""
    match = random.choice(list(re.finditer(r"[0-9]+(?:\.[0-9]+)?(?:e[+-][0-9]+)?", found)))
    if "." in match[0]:
        new = repr(float(match[0]) * random.choice([0.5, 2, 3]) or 1.0)
    else:
        new = str(abs(int(match[0]) + random.choice([-2, -1, 1, 2])))
    return found[: match.start()] + new + found[match.end() :]


def _other(*words: str):
    def changed(found: str, random: Random) -> str:
        word = next(word for word in words if found.endswith(word))
        return found.removesuffix(word) + random.choice([one for one in words if one != word])

    return changed


def _moved(found: str, random: Random) -> str:
    """A range of the same length, elsewhere."""
    start, limit = map(int, found[1:-1].split(":"))
    by = random.choice([-2, -1, 1, 2])
    return f"[{max(start + by, 0)}:{max(start + by, 0) + limit - start}]"


CHANGES = {
    _GROUPS: _device,
    _DIMENSIONS: _number,
    _NUMBERS: _number,
    _COMPARED: _other("EQ", "NE", "LT", "LE", "GT", "GE"),
    _RANGES: _moved,
    _ADDED: _other("add", "subtract", "multiply", "divide"),
}
