"""The steps that a synthesis hierarchy allows, and the translation of programs to and from its level names.

Engines work on the levels on which reduction axes lie, numbered 1..n. In hierarchies (a), (b) and (c) there are other
levels between them. An instruction whose groups vary on such a level mixes devices that must not be reduced together
(paper, lemma B.3), and a Master form above such a level omits some reduction groups (lemma B.6). Neither can be part of
a valid program, with one useless exception that is left out: a Broadcast among the masters of some reduction groups,
which a later Broadcast to all of them makes superfluous.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from p2smt.collective import Collective, Exchange, NeighbourSend
from p2smt.errors import ProgramError
from p2smt.placement.hierarchy import SynthesisHierarchy
from p2smt.problem.model import Grammar
from p2smt.reduction.language.instruction import (
    Grouping,
    InsideGroup,
    Instruction,
    Program,
    grouping_of,
    instruction_for,
    slice_and_form,
)
from p2smt.reduction.language.language import Language, all_groupings, one_of_like, shape_language
from p2smt.reduction.language.text import format_program, format_step, parse_program

_Reducing = tuple[tuple[bool, bool], ...]
"""For each level of a hierarchy, whether all of its digits belong to reduction axes, and whether some do."""


def language_of(hierarchy: SynthesisHierarchy, grammar: Grammar, goal: Collective = Collective.ALL_REDUCE) -> Language:
    """Return the language of steps that can be part of a valid program and treat all reduction groups alike."""
    if hierarchy.tree is not None:
        return shape_language(hierarchy.tree, grammar, goal)
    return _regular_language(_reducing(hierarchy), grammar, goal)


# The placements of a problem have one of a few languages; as one object each, equal ones are known at once.
@lru_cache(maxsize=64)
def _regular_language(reduces: _Reducing, grammar: Grammar, goal: Collective) -> Language:
    return Language(len(_places(reduces)), tuple(_usable(reduces)), grammar, goal)


def written(hierarchy: SynthesisHierarchy, program: Program) -> Program:
    """Return the program with the hierarchy's own level numbers; on hierarchy (d) these are the same."""
    count, places = len(hierarchy.reduction_levels), _places(_reducing(hierarchy))

    def rewritten(instruction: Instruction) -> Instruction:
        grouping = grouping_of(instruction.slice, instruction.form, count)
        assert grouping is not None
        return instruction_for(_outwards(places, grouping), instruction.collective, len(hierarchy.levels))

    return tuple(rewritten(instruction) for instruction in program)


def program_text(hierarchy: SynthesisHierarchy, program: Program) -> str:
    """Return the text of a program with the hierarchy's own level names."""
    return format_program(written(hierarchy, program), hierarchy.names)


def all_to_all_text(hierarchy: SynthesisHierarchy, groupings: Sequence[Grouping]) -> str:
    """Return the text of a sequence of AllToAll steps, one per grouping."""
    names, levels, places = hierarchy.names, len(hierarchy.levels), _places(_reducing(hierarchy))
    written = (slice_and_form(_outwards(places, grouping), levels) for grouping in groupings)
    steps = [format_step(number, form, Exchange.ALL_TO_ALL, names) for number, form in written]
    return "; ".join(steps) or format_program((), names)


def send_text(hierarchy: SynthesisHierarchy, send: NeighbourSend) -> str:
    """Return the text of a send among all devices that differ on the reduction axes; `skip` for a single device."""
    if not hierarchy.reduction_levels:
        return format_program((), hierarchy.names)
    return format_step(0, InsideGroup(), send, hierarchy.names)


def read_program(hierarchy: SynthesisHierarchy, text: str) -> Program:
    """Parse a text with the hierarchy's level names into a program over the levels 1..n.

    Raises ProgramError if the text does not parse, or if an instruction's groups have a single device or contain
    devices that do not reduce together.
    """
    # On a tree two groupings can have the same groups; the language offers only the first of them,
    # but a user may write either.
    like = {} if hierarchy.tree is None else one_of_like(hierarchy.tree)
    reduces = _reducing(hierarchy)
    places = _places(reduces)
    inwards = {_outwards(places, grouping): like.get(grouping, grouping) for grouping in _usable(reduces)}
    found = []
    for instruction in parse_program(text, hierarchy.names):
        outward = grouping_of(instruction.slice, instruction.form, len(hierarchy.levels))
        if outward is None or outward not in inwards:
            alone = format_program((instruction,), hierarchy.names)
            levels = ", ".join(hierarchy.names)
            raise ProgramError(
                f"{alone} groups one device, or devices of different reduction groups; choose another "
                f"slice or form; slices are {levels}"
            )
        count = len(hierarchy.reduction_levels)
        found.append(instruction_for(inwards[outward], instruction.collective, count))
    return tuple(found)


def _reducing(hierarchy: SynthesisHierarchy) -> _Reducing:
    return tuple((level.reduces, level.reduces_some) for level in hierarchy.levels)


def _places(reduces: _Reducing) -> list[int]:
    return [place for place, (_, some) in enumerate(reduces, start=1) if some]


def _outwards(places: Sequence[int], grouping: Grouping) -> Grouping:
    # `outer` is a boundary between levels, not a level: the boundary just outside the outermost
    # varying level. Levels that reduce nothing may lie between, so it is counted from the varying
    # level itself, not from the level before it.
    return Grouping(places[grouping.outer] - 1, places[grouping.inner - 1], grouping.masters)


def _usable(reduces: _Reducing) -> Iterator[Grouping]:
    places = _places(reduces)
    return (grouping for grouping in all_groupings(len(places)) if _is_usable(reduces, _outwards(places, grouping)))


def _is_usable(reduces: _Reducing, outward: Grouping) -> bool:
    varying = reduces[outward.outer : outward.inner]
    below = reduces[outward.inner :] if outward.masters else ()
    return all(every for every, _ in (*varying, *below))
