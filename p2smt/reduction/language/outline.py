"""Outlines: sketches resolved on the levels of one hierarchy, and the conditions that a sketch imposes."""

from dataclasses import dataclass
from typing import assert_never

from p2smt.collective import Collective
from p2smt.errors import ProgramError
from p2smt.placement.hierarchy import SynthesisHierarchy
from p2smt.problem.model import Grammar
from p2smt.reduction.language.hierarchy import language_of, read_program
from p2smt.reduction.language.instruction import Grouping, grouping_of, instruction_for
from p2smt.reduction.language.sketch import (
    AllLevels,
    Gap,
    InnermostLevel,
    LevelSpan,
    Sketch,
    SketchStep,
    Where,
    WrittenGrouping,
    format_piece,
    format_where,
)
from p2smt.reduction.language.text import format_program
from p2smt.wording import counted


@dataclass(frozen=True, slots=True)
class OutlineStep:
    """One step of a sketch, with its grouping on the program's levels 1..n; a field that is None is a hole."""

    grouping: Grouping | None
    collective: Collective | None


Outline = tuple[OutlineStep | Gap, ...]


@dataclass(frozen=True, slots=True)
class CollectiveIs:
    """Condition: piece `piece` (counted from 0) has the collective of the sketch. If relaxed, it may have any."""

    piece: int


@dataclass(frozen=True, slots=True)
class GroupingIs:
    """Condition: piece `piece` has the grouping of the sketch. If relaxed, it may have any."""

    piece: int


@dataclass(frozen=True, slots=True)
class GapAtMost:
    """Condition: the gap at `piece` has at most its number of steps. If relaxed, it may have any number."""

    piece: int


@dataclass(frozen=True, slots=True)
class LengthAtMost:
    """Condition: the program has at most `limit` steps. If relaxed, it may have `LONGER` more (`rules/conflict.py`)."""


@dataclass(frozen=True, slots=True)
class GoalCondition:
    """Condition: the program reaches the goal. If relaxed, the sketch may be a prefix of a valid program."""


@dataclass(frozen=True, slots=True)
class MastersReduceAll:
    """Condition: masters only perform AllReduce. If relaxed, they may perform any collective."""


Condition = CollectiveIs | GroupingIs | GapAtMost | LengthAtMost | GoalCondition | MastersReduceAll


def outline_of(sketch: Sketch, hierarchy: SynthesisHierarchy) -> Outline:
    """Return the outline of a sketch on a hierarchy.

    Raises ProgramError if the hierarchy has no level of a given name, or if a grouping has single devices or joins
    devices that do not reduce together.
    """

    def meaning(piece: SketchStep | Gap) -> OutlineStep | Gap:
        if isinstance(piece, Gap):
            return piece
        return OutlineStep(None if piece.where is None else _grouping(piece.where, hierarchy), piece.collective)

    return tuple(map(meaning, sketch))


def conditions_of(outline: Outline, grammar: Grammar) -> tuple[Condition, ...]:
    """Return all conditions on a program apart from the rules of the collectives, in the order of the sketch."""
    found: list[Condition] = []
    for place, piece in enumerate(outline):
        match piece:
            case Gap(most):
                found += [GapAtMost(place)] if most is not None else []
            case OutlineStep(grouping, collective):
                found += [CollectiveIs(place)] if collective is not None else []
                found += [GroupingIs(place)] if grouping is not None else []
            case _:
                assert_never(piece)
    masters = [MastersReduceAll()] if grammar is Grammar.PAPER else []
    return (*found, LengthAtMost(), GoalCondition(), *masters)


def condition_text(condition: Condition, sketch: Sketch, hierarchy: SynthesisHierarchy, limit: int) -> str:
    """Describe a condition in the terms of the sketch; pieces and gaps are counted from 1."""
    match condition:
        case CollectiveIs(place):
            piece = sketch[place]
            assert isinstance(piece, SketchStep)
            return f"step {place + 1} is {piece.collective}"
        case GroupingIs(place):
            piece = sketch[place]
            assert isinstance(piece, SketchStep)
            assert piece.where is not None
            return f"step {place + 1} is {_where_text(piece.where, hierarchy)}"
        case GapAtMost(place):
            return _gap_text(sketch, place)
        case LengthAtMost():
            return f"at most {counted(limit, 'step')} in all"
        case GoalCondition():
            return "the reduction is complete at the end"
        case MastersReduceAll():
            return "grammar paper: masters carry AllReduce only"
        case _:
            assert_never(condition)


def _where_text(where: Where, hierarchy: SynthesisHierarchy) -> str:
    if isinstance(where, LevelSpan):
        return format_where(where)
    grouping = _grouping(where, hierarchy)
    levels = tuple(hierarchy.reduction_levels[level - 1].name for level in grouping.levels)
    return f"{format_where(where)}, {format_where(LevelSpan(levels, grouping.masters))}"


def _gap_text(sketch: Sketch, place: int) -> str:
    gap = sketch[place]
    assert isinstance(gap, Gap)
    assert gap.most is not None
    most = f"at most {counted(gap.most, 'step')}"
    around = [other for other in (place - 1, place + 1) if 0 <= other < len(sketch)]
    if any(isinstance(sketch[other], Gap) for other in around):
        return f"{most} in place of piece {place + 1}, {format_piece(gap)}"
    if len(around) == 2:
        return f"{most} between step {place} and step {place + 2}"
    if not around:
        return most
    return f"{most} {'before' if place == 0 else 'after'} step {around[0] + 1}"


def _grouping(where: Where, hierarchy: SynthesisHierarchy) -> Grouping:
    match where:
        case WrittenGrouping(name, form, ancestor):
            shown = form if ancestor is None else f"{form}({ancestor})"
            # The collective does not matter: an AllReduce stands in, so that the one parser checks
            # levels and devices.
            return _read(f"({name}, {shown}, {Collective.ALL_REDUCE})", hierarchy)
        case LevelSpan():
            outward = _interval(where, hierarchy)
            instruction = instruction_for(outward, Collective.ALL_REDUCE, len(hierarchy.levels))
            return _read(format_program((instruction,), hierarchy.names), hierarchy)
        case InnermostLevel() | AllLevels():
            count = len(hierarchy.reduction_levels)
            grouping = Grouping(max(count - 1, 0) if isinstance(where, InnermostLevel) else 0, count)
            if grouping not in language_of(hierarchy, Grammar.FULL).groupings:
                raise ProgramError(
                    f"grouping {format_where(where)!r} groups one device, or devices of different reduction "
                    f"groups; choose others; the levels are {_levels(hierarchy)}"
                )
            return grouping
        case _:
            assert_never(where)


def _read(text: str, hierarchy: SynthesisHierarchy) -> Grouping:
    (instruction,) = read_program(hierarchy, text)
    grouping = grouping_of(instruction.slice, instruction.form, len(hierarchy.reduction_levels))
    assert grouping is not None
    return grouping


def _interval(where: LevelSpan, hierarchy: SynthesisHierarchy) -> Grouping:
    """Return the grouping along the named levels, in the hierarchy's own level numbers."""
    known = hierarchy.names[1:]
    for name in where.levels:
        if name not in known:
            raise ProgramError(f"level {name[:80]!r} is unknown; the levels are {_levels(hierarchy)}")
    first = known.index(where.levels[0])
    if where.levels != known[first : first + len(where.levels)]:
        raise ProgramError(
            f"{format_where(where)!r} is not an interval of levels; name neighbours, outermost first: "
            f"{_levels(hierarchy)}"
        )
    last = first + len(where.levels)
    if where.masters and last == len(known):
        raise ProgramError(
            f"{format_where(where)!r} has no masters, because no level is below {where.levels[-1]}; "
            "leave (among masters) out"
        )
    return Grouping(first, last, where.masters)


def _levels(hierarchy: SynthesisHierarchy) -> str:
    return ", ".join(hierarchy.names[1:]) or "none"
