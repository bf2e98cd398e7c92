"""What a text over a hierarchy's levels stands for, also where two ways to write it name the same groups."""

import pytest
from looped import looped
from support import problem, refused
from unlike_plans import unlike_problem

from p2smt.collective import Collective
from p2smt.errors import ProgramError
from p2smt.placement.enumeration import all_placements
from p2smt.placement.hierarchy import synthesis_hierarchy
from p2smt.placement.tree import digits_of
from p2smt.problem.model import Grammar, HierarchyKind
from p2smt.reduction.language.hierarchy import language_of, program_text, read_program, written
from p2smt.reduction.language.instruction import grouping_of, instruction_for
from p2smt.reduction.language.language import all_groupings
from p2smt.reduction.semantics.groups import groups_of


@pytest.mark.parametrize(
    ("system", "devices"), [("node:[2,1]", 3), ("node:[3,1,1]", 5), ("node:[3,2]", 5), ("rack:2,node:[2,1],gpu:2", 6)]
)
def test_on_a_tree_a_grouping_is_read_as_the_one_of_the_language_that_has_its_groups(system, devices):
    asked = unlike_problem(system, (devices,))
    (matrix,) = all_placements(asked).items
    hierarchy = synthesis_hierarchy(asked, matrix)
    language, tree = language_of(hierarchy, Grammar.FULL), hierarchy.tree
    for grouping in all_groupings(language.levels):
        text = program_text(hierarchy, (instruction_for(grouping, Collective.ALL_REDUCE, language.levels),))
        if not any(len(group) > 1 for group in groups_of(tree, grouping)):
            continue
        (instruction,) = read_program(hierarchy, text)
        read = language.grouping(instruction)
        assert read in language.groupings
        assert groups_of(tree, read) == groups_of(tree, grouping)
        assert instruction.collective is Collective.ALL_REDUCE


def test_groups_of_devices_that_do_not_reduce_together_cannot_be_read():
    asked = unlike_problem("node:2,gpu:4", (2, 4))
    for matrix in all_placements(asked).items:
        hierarchy = synthesis_hierarchy(asked, matrix)
        if len(hierarchy.reduction_levels) == len(hierarchy.levels):
            continue
        message = refused(
            lambda hierarchy=hierarchy: read_program(hierarchy, "(gpu, InsideGroup, AllReduce)"), ProgramError
        )
        assert "groups one device, or devices of different reduction groups; choose" in message


@looped("kind", [HierarchyKind.COLUMNS, HierarchyKind.ROWS])
@looped(("axes", "reduce"), [((4, 2), (0,)), ((2, 4), (1,)), ((2, 2, 2), (0, 2))])
def test_groups_are_of_devices_that_reduce_together_and_masters_of_all_such_devices(axes, reduce, kind):
    """By the digits of the devices that no reduction axis has."""
    asked = problem((2, 2, 2), axes, reduce, hierarchy=kind)
    for matrix in all_placements(asked).items:
        hierarchy = synthesis_hierarchy(asked, matrix)
        language, levels = language_of(hierarchy, Grammar.FULL), len(hierarchy.levels)
        apart = [
            [digit for digit, level in zip(digits, hierarchy.levels, strict=True) if not level.reduces]
            for digits in digits_of(hierarchy.sizes)
        ]
        for grouping in all_groupings(language.levels):
            (outwards,) = written(hierarchy, (instruction_for(grouping, Collective.ALL_REDUCE, language.levels),))
            groups = groups_of(hierarchy.sizes, grouping_of(outwards.slice, outwards.form, levels))
            keys = [{tuple(apart[device]) for device in group} for group in groups]
            is_usable = all(len(one) == 1 for one in keys) and set().union(*keys) == set(map(tuple, apart))
            assert (grouping in language.groupings) == is_usable, (matrix, grouping)
