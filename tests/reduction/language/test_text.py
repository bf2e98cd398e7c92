"""Programs as text: parsing what was printed gives it back, and mistakes are named."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from looped import looped
from support import problem, programs

from p2smt.collective import Collective
from p2smt.errors import ProgramError
from p2smt.placement.hierarchy import synthesis_hierarchy
from p2smt.placement.matrix import parse_matrix
from p2smt.problem.model import Engine, Grammar, HierarchyKind
from p2smt.reduction.language.hierarchy import language_of, program_text, read_program
from p2smt.reduction.language.instruction import InsideGroup, Instruction, Master, Parallel
from p2smt.reduction.language.language import full_language
from p2smt.reduction.language.text import format_program, parse_program

NAMES = ("root", "node", "gpu-x", "gpu.axis_1")


@looped("grammar", Grammar)
@looped("levels", [1, 2, 3])
def test_every_program_comes_back_from_its_text(levels, grammar):
    language, names = full_language(levels, grammar), NAMES[: levels + 1]
    found = [language.program(steps) for steps in programs(Engine.EXPLICIT, (2,) * levels, 5, grammar)]
    texts = [format_program(program, names) for program in found]
    assert [parse_program(text, names) for text in texts] == found
    assert len(set(texts)) == len(found)


@st.composite
def instructions(draw):
    level = draw(st.integers(0, 3))
    above = st.integers(0, level - 1)
    forms = [st.just(InsideGroup()), *([st.builds(Parallel, above), st.builds(Master, above)] if level else [])]
    return Instruction(level, draw(st.one_of(forms)), draw(st.sampled_from(Collective)))


@given(st.lists(instructions(), max_size=4).map(tuple))
def test_any_instructions_come_back_even_those_of_no_valid_program(program):
    assert parse_program(format_program(program, NAMES), NAMES) == program


def test_text_is_as_the_paper_writes_it():
    text = "(gpu-x, Parallel(root), ReduceScatter); (node, InsideGroup, Reduce); (node, Master(root), AllReduce)"
    program = (
        Instruction(2, Parallel(0), Collective.REDUCE_SCATTER),
        Instruction(1, InsideGroup(), Collective.REDUCE),
        Instruction(1, Master(0), Collective.ALL_REDUCE),
    )
    assert format_program(program, NAMES) == text
    assert parse_program(text.replace(" ", "").replace("(", "( "), NAMES) == program


def test_the_program_without_instructions_is_skip():
    assert format_program((), NAMES) == "skip"
    assert parse_program(" skip ", NAMES) == ()


@looped(
    ("text", "message"),
    [
        (
            "",
            "instruction '' does not parse; write (slice, form, collective) such as (root, InsideGroup, AllReduce)",
        ),
        (
            "(root, InsideGroup, AllReduce);",
            "instruction '' does not parse; write (slice, form, collective) such as (root, InsideGroup, AllReduce)",
        ),
        (
            "root InsideGroup",
            "instruction 'root InsideGroup' does not parse; "
            "write (slice, form, collective) such as (root, InsideGroup, AllReduce)",
        ),
        (
            "(root, InsideGroup, Allreduce)",
            "collective 'Allreduce' is unknown; choose one of AllReduce, ReduceScatter, Reduce, AllGather, Broadcast",
        ),
        ("(rack, InsideGroup, Reduce)", "level 'rack' is unknown; the levels are root, node, gpu-x, gpu.axis_1"),
        ("(node, Parallel(rack), Reduce)", "level 'rack' is unknown; the levels are root, node, gpu-x, gpu.axis_1"),
        (
            "(node, Paralel(root), Reduce)",
            "form 'Paralel' is unknown; write InsideGroup, Parallel(level) or Master(level)",
        ),
        ("(node, Master, Reduce)", "form 'Master' is unknown; write InsideGroup, Parallel(level) or Master(level)"),
        (
            "(node, InsideGroup(root), Reduce)",
            "form 'InsideGroup' is unknown; write InsideGroup, Parallel(level) or Master(level)",
        ),
        (
            "(node, Parallel(node), Reduce)",
            (
                "Parallel(node) needs a level outside node; the levels, outermost first, are root, node, "
                "gpu-x, gpu.axis_1"
            ),
        ),
        (
            "(node, Master(gpu-x), Reduce)",
            (
                "Master(gpu-x) needs a level outside node; the levels, outermost first, are root, node, "
                "gpu-x, gpu.axis_1"
            ),
        ),
    ],
)
def test_mistakes_are_named(text, message):
    with pytest.raises(ProgramError) as error:
        parse_program(text, NAMES)
    assert str(error.value) == message


def placed(kind, matrix="2x2/2x2", reduce=(0,), sizes=(4, 4), axes=(4, 4)):
    return synthesis_hierarchy(problem(sizes, axes, reduce, hierarchy=HierarchyKind(kind)), parse_matrix(matrix))


HIERARCHIES = {
    "columns": placed("b"),
    "rows": placed("c"),
    "rows, reduce last": placed("c", reduce=(1,)),
    "reduction axes": placed("d"),
    "columns, two axes": placed("b", "1x2/2x2/2x1", (0, 2), axes=(2, 4, 2)),
    "system": placed("a", "4x1/1x4"),
}


@looped("hierarchy", HIERARCHIES.values())
def test_programs_come_back_from_the_text_over_their_hierarchys_own_levels(hierarchy):
    language = language_of(hierarchy, Grammar.FULL)
    possible = programs(Engine.EXPLICIT, (2,) * language.levels)
    found = [language.program(steps) for steps in possible if {g for g, _ in steps} <= set(language.groupings)]
    assert found
    assert [read_program(hierarchy, program_text(hierarchy, program)) for program in found] == found


@pytest.mark.parametrize(
    "instruction",
    [
        "(root, InsideGroup, AllReduce)",  # mixes reduction groups
        "(level0.axis1, Parallel(level0.axis0), AllReduce)",  # varies on a level that does not reduce
        "(level1.axis1, InsideGroup, AllReduce)",  # one device
        "(level0.axis0, Master(root), AllReduce)",  # leaves reduction groups out
    ],
)
def test_instructions_that_mix_reduction_groups_are_refused(instruction):
    with pytest.raises(ProgramError) as error:
        read_program(HIERARCHIES["columns"], instruction)
    wanted = f"{instruction} groups one device, or devices of different reduction groups;"
    assert str(error.value).startswith(wanted)
