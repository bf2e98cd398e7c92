"""Groupings, the instructions that stand for them, and the steps of a language."""

import pytest

from p2smt.collective import Collective
from p2smt.problem.model import Grammar
from p2smt.reduction.language.instruction import InsideGroup, Master, Parallel, grouping_of, instruction_for
from p2smt.reduction.language.language import all_groupings, full_language
from p2smt.reduction.semantics.groups import groups_of


def forms(level):
    return [InsideGroup(), *(form(ancestor) for form in (Parallel, Master) for ancestor in range(level))]


def groups_by_definition(level, form, sizes):
    """The groups of (slice, form) as the specification says it, those of one device left out."""
    from itertools import product

    found = {}
    for device, own in enumerate(product(*map(range, sizes))):
        match form:
            case InsideGroup():
                key = own[:level]
            case Parallel(ancestor) | Master(ancestor):
                key = own[:ancestor], own[level:]
        if not (isinstance(form, Master) and any(own[level:])):
            found.setdefault(key, []).append(device)
    return tuple(sorted(tuple(group) for group in found.values() if len(group) > 1))


@pytest.mark.parametrize("levels", [1, 2, 3, 4])
def test_groupings_are_those_of_all_slices_and_forms(levels):
    of_forms = {grouping_of(level, form, levels) for level in range(levels + 1) for form in forms(level)} - {None}
    assert of_forms == set(all_groupings(levels))
    assert len(all_groupings(levels)) == levels * (levels + 1) // 2 + levels * (levels - 1) // 2


@pytest.mark.parametrize("sizes", [(3,), (2, 3), (2, 3, 2)])
def test_a_forms_grouping_has_the_groups_of_the_definition(sizes):
    for level in range(len(sizes) + 1):
        for form in forms(level):
            grouping = grouping_of(level, form, len(sizes))
            assert groups_by_definition(level, form, sizes) == (groups_of(sizes, grouping) if grouping else ())


@pytest.mark.parametrize("levels", [1, 2, 3, 4])
def test_a_grouping_comes_back_from_its_instruction(levels):
    for grouping in all_groupings(levels):
        instruction = instruction_for(grouping, Collective.REDUCE, levels)
        assert grouping_of(instruction.slice, instruction.form, levels) == grouping
        assert full_language(levels).grouping(instruction) == grouping


def test_an_ancestor_must_lie_outside_the_slice():
    assert grouping_of(1, Parallel(1), 2) is None
    assert grouping_of(1, Master(2), 2) is None


def test_masters_of_the_paper_grammar_only_allreduce():
    full, paper = (list(full_language(2, grammar).steps()) for grammar in (Grammar.FULL, Grammar.PAPER))
    assert len(full) == 4 * 5
    assert set(full) - set(paper) == {(g, c) for g, c in full if g.masters and c is not Collective.ALL_REDUCE}
