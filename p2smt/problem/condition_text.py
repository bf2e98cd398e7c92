"""Parse and print conditions as text: `tp inside node`, `dp not split`, `at most 8 communicators`."""

import re
from collections.abc import Sequence
from typing import assert_never

from p2smt.errors import ProblemError
from p2smt.problem.condition import (
    Alike,
    Condition,
    FewCommunicators,
    InnerAxis,
    LittleMemory,
    Off,
    PinnedAxis,
    PlacementCondition,
    Unsplit,
)
from p2smt.problem.model import Axis
from p2smt.problem.quantity import parse_bytes
from p2smt.problem.system.network import Level
from p2smt.wording import counted

PLACEMENT_FORMS = (
    "AXIS on LEVEL, AXIS inside LEVEL, AXIS not on LEVEL, AXIS not split, AXIS not split between LEVEL and LEVEL, "
    "AXIS like AXIS"
)
CONDITION_FORMS = f"{PLACEMENT_FORMS}, at most NUMBER communicators, at most SIZE for communicators"
_NAME = r"[\w-]+"
_PLACED = re.compile(rf"({_NAME}) (on|inside|not on) ({_NAME})")
_UNSPLIT = re.compile(rf"({_NAME}) not split(?: between ({_NAME}(?: and {_NAME})+))?")
_ALIKE = re.compile(rf"({_NAME}) like ({_NAME})")
_COUNT = re.compile(r"at most ([0-9]{1,9}) communicators?")
_MEMORY = re.compile(r"at most (.{1,40}) for communicators")
_PLACINGS: dict[str, type[PinnedAxis | InnerAxis | Off]] = {"on": PinnedAxis, "inside": InnerAxis, "not on": Off}


def parse_condition(
    text: str, axes: Sequence[Axis], levels: Sequence[Level], forms: str = CONDITION_FORMS
) -> Condition:
    """Parse a condition on named axes and levels.

    Raises ProblemError for malformed text, with the `forms` to choose from, and for unknown names.

    >>> parse_condition("tp inside node", [Axis("tp", 8)], [Level("node", 4), Level("gpu", 8)])
    InnerAxis(axis=0, level=0)
    """
    words = " ".join(text[:400].split())
    axis_names, level_names = [axis.name for axis in axes], [level.name for level in levels]

    def axis(name: str) -> int:
        return _number(words, "axis", name, axis_names)

    def level(name: str) -> int:
        return _number(words, "level", name, level_names)

    if found := _COUNT.fullmatch(words):
        return FewCommunicators(int(found[1]))
    if found := _MEMORY.fullmatch(words):
        return LittleMemory(parse_bytes(found[1]))
    if found := _PLACED.fullmatch(words):
        return _PLACINGS[found[2]](axis(found[1]), level(found[3]))
    if found := _UNSPLIT.fullmatch(words):
        return Unsplit(axis(found[1]), tuple(sorted({level(name) for name in (found[2] or "").split(" and ") if name})))
    if found := _ALIKE.fullmatch(words):
        return Alike(axis(found[1]), axis(found[2]))
    raise ProblemError(f"condition {words[:80]!r} does not parse; write one of {forms}")


def parse_placement_conditions(
    texts: Sequence[str], axes: Sequence[Axis], levels: Sequence[Level]
) -> tuple[PlacementCondition, ...]:
    """Parse conditions on placements alone, without repetitions.

    Raises ProblemError as `parse_condition` does, and for conditions on programs.

    >>> parse_placement_conditions(["tp not split"], [Axis("tp", 8)], [Level("gpu", 8)])
    (Unsplit(axis=0, levels=()),)
    """
    found: dict[PlacementCondition, None] = {}
    for text in texts:
        match parse_condition(text, axes, levels, PLACEMENT_FORMS):
            case FewCommunicators() | LittleMemory():
                raise ProblemError(
                    f"condition {text[:80]!r} limits programs, not placements; give it to p2smt optimize"
                )
            case condition:
                found[condition] = None
    return tuple(found)


def condition_text(condition: Condition, axes: Sequence[Axis], levels: Sequence[Level]) -> str:
    """Return a condition as text; the inverse of `parse_condition`.

    >>> condition_text(Unsplit(0), [Axis("tp", 8)], [Level("node", 4)])
    'tp not split'
    """
    match condition:
        case PinnedAxis() | InnerAxis() | Off():
            word = next(word for word, kind in _PLACINGS.items() if isinstance(condition, kind))
            return f"{axes[condition.axis].name} {word} {levels[condition.level].name}"
        case Unsplit(axis, between):
            where = " and ".join(levels[level].name for level in between)
            return f"{axes[axis].name} not split between {where}" if between else f"{axes[axis].name} not split"
        case Alike(axis, other):
            return f"{axes[axis].name} like {axes[other].name}"
        case FewCommunicators(most):
            return f"at most {counted(most, 'communicator')}"
        case LittleMemory(most_bytes):
            return f"at most {most_bytes}B for communicators"
        case _:
            assert_never(condition)


def _number(words: str, kind: str, name: str, names: Sequence[str]) -> int:
    if name not in names:
        there = ", ".join(names)
        raise ProblemError(f"condition {words[:80]!r}: {kind} {name[:64]!r} does not exist; there are {there}")
    return names.index(name)
