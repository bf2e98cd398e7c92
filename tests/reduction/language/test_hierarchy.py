"""What a text over a hierarchy's levels stands for, also where two ways to write it name the same groups."""

import pytest
from support import refused
from unlike_plans import unlike_problem

from p2smt.collective import Collective
from p2smt.errors import ProgramError
from p2smt.placement.enumeration import all_placements
from p2smt.placement.hierarchy import synthesis_hierarchy
from p2smt.problem.model import Grammar
from p2smt.reduction.language.hierarchy import language_of, program_text, read_program
from p2smt.reduction.language.instruction import instruction_for
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
        assert "groups one device alone, or devices that do not reduce together" in message
