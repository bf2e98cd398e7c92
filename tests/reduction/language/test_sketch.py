"""Sketches: one text form, mistakes by their message, and what a sketch means on a hierarchy."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from looped import looped
from support import problem
from tiers import is_full

from p2smt.collective import Collective
from p2smt.errors import ProgramError
from p2smt.placement.hierarchy import synthesis_hierarchy
from p2smt.placement.matrix import parse_matrix
from p2smt.problem.model import Grammar, HierarchyKind
from p2smt.reduction.language.hierarchy import language_of, program_text
from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.outline import OutlineStep, condition_text, conditions_of, outline_of
from p2smt.reduction.language.sketch import (
    MAX_SKETCH_CHARACTERS,
    AllLevels,
    Gap,
    InnermostLevel,
    LevelSpan,
    SketchStep,
    WrittenGrouping,
    format_sketch,
    least_length,
    most_length,
    parse_sketch,
    parse_sketch_lines,
)

NAMES = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,8}(\.[a-z]{1,3})?", fullmatch=True) | st.sampled_from(
    ["local", "global", "along", "among", "masters", "skip"]
)
WHERES = st.one_of(
    st.builds(WrittenGrouping, NAMES, st.just("InsideGroup")),
    st.builds(WrittenGrouping, NAMES, st.sampled_from(["Parallel", "Master"]), NAMES),
    st.just(InnermostLevel()),
    st.just(AllLevels()),
    st.builds(LevelSpan, st.lists(NAMES, min_size=1, max_size=3).map(tuple), st.booleans()),
)
STEPS = st.builds(SketchStep, st.none() | WHERES, st.none() | st.sampled_from(Collective))
SKETCHES = st.lists(STEPS | st.builds(Gap, st.none() | st.integers(1, 64)), max_size=6).map(tuple)


@settings(max_examples=200 if is_full() else 3)
@given(SKETCHES)
def test_parsing_what_was_printed_is_the_identity(sketch):
    assert parse_sketch(format_sketch(sketch)) == sketch
    assert parse_sketch_lines(format_sketch(sketch).replace("; ", ";  # and then\n\n")) == sketch


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("ReduceScatter local;??;AllGather   local", "ReduceScatter local; ??; AllGather local"),
        ("(??, AllReduce); ?? ??; ?? * 3;...", "AllReduce ??; ??; ??*3; ..."),
        ("( node ,Parallel( root ), ?? )", "(node, Parallel(root), ??)"),
        ("?? along node , gpu  among masters", "?? along node,gpu among masters"),
        (" skip ", "skip"),
    ],
)
def test_other_spellings_are_printed_in_one_way(text, printed):
    assert format_sketch(parse_sketch(text)) == printed


def test_a_sketch_has_as_many_pieces_as_a_program_has_instructions():
    assert most_length(parse_sketch(";".join(["??"] * 64))) == 64


def test_lengths():
    sketch = parse_sketch("AllReduce local; ??; ??*3; ...; ??*2")
    assert (least_length(sketch), most_length(sketch)) == (2, 7)


PIECES = "write ReduceScatter local, AllReduce along LEVEL, (slice, form, collective), ??, ??*3 or ..."
MISTAKES = [
    ("", f"piece '' does not parse; {PIECES}"),
    ("??;", f"piece '' does not parse; {PIECES}"),
    ("AllReduce", f"piece 'AllReduce' does not parse; {PIECES}"),
    ("(node, ??)", "collective"),
    ("(node, InsideGroup)", "collective"),
    (
        "Allreduce local",
        "collective 'Allreduce' is unknown; choose one of AllReduce, ReduceScatter, Reduce, "
        "AllGather, Broadcast, or ??",
    ),
    ("(node, Paralel(root), ??)", "form 'Paralel' is unknown; write InsideGroup, Parallel(level) or Master(level)"),
    ("(node, Master, ??)", "form 'Master' is unknown; write InsideGroup, Parallel(level) or Master(level)"),
    (
        "(node, InsideGroup(root), ??)",
        "form 'InsideGroup' is unknown; write InsideGroup, Parallel(level) or Master(level)",
    ),
    (
        "AllReduce locally",
        "grouping 'locally' does not parse; write local, global, along LEVEL,LEVEL (among masters) or ??",
    ),
    (
        "AllReduce local among masters",
        "grouping 'local among masters' does not parse; write local, global, along LEVEL,LEVEL (among masters) or ??",
    ),
    ("??*0", "gap '??*0' is out of range; write ??*1 to ??*64, or ... for any number"),
    ("??*65", "gap '??*65' is out of range; write ??*1 to ??*64, or ... for any number"),
    (";".join(["??"] * 65), "the sketch has 65 instructions; a program has at most 64"),
    ("?" * (MAX_SKETCH_CHARACTERS + 1), "the sketch has 64001 characters; write at most 64000"),
]


@looped(("text", "message"), MISTAKES)
def test_mistakes_are_named(text, message):
    with pytest.raises(ProgramError) as error:
        parse_sketch(text)
    if message == "collective":
        message = f"piece {text!r} does not parse; {PIECES}"
    assert str(error.value) == message


def placed(matrix, sizes, axes, reduce=(0,), kind="d"):
    return synthesis_hierarchy(problem(sizes, axes, reduce, hierarchy=HierarchyKind(kind)), parse_matrix(matrix))


THREE = placed("2x3x2", (2, 3, 2), (12,))


@looped(
    ("text", "grouping"),
    [
        ("AllReduce local", Grouping(2, 3)),
        ("AllReduce global", Grouping(0, 3)),
        ("AllReduce along level0", Grouping(0, 1)),
        ("AllReduce along level1,level2", Grouping(1, 3)),
        ("AllReduce along level0,level1 among masters", Grouping(0, 2, True)),
        ("(level0, InsideGroup, AllReduce)", Grouping(1, 3)),
        ("(level2, Parallel(level0), AllReduce)", Grouping(1, 3)),
        ("(level1, Master(level0), AllReduce)", Grouping(1, 2, True)),
        ("AllReduce ??", None),
    ],
)
def test_groupings_on_three_levels(text, grouping):
    assert outline_of(parse_sketch(text), THREE) == (OutlineStep(grouping, Collective.ALL_REDUCE),)


def test_a_sketch_of_a_printed_program_is_that_program_on_every_hierarchy():
    for kind in "abcd":
        hierarchy = placed("4x1/1x4" if kind == "a" else "2x2/2x2", (4, 4), (4, 4), kind=kind)
        language = language_of(hierarchy, Grammar.FULL)
        for grouping in language.groupings:
            (outline,) = outline_of(
                parse_sketch(program_text(hierarchy, language.program(((grouping, Collective.REDUCE),)))), hierarchy
            )
            assert outline == OutlineStep(grouping, Collective.REDUCE)


COLUMNS = placed("2x2/2x2", (4, 4), (4, 4), kind="b")
ALONE = placed("4x1/1x4", (4, 4), (4, 4), (1,))


def test_groupings_on_a_hierarchy_with_other_axes():
    local, inner = parse_sketch("?? local; ?? along level1.axis0")
    assert outline_of((local,), COLUMNS) == outline_of((inner,), COLUMNS) == (OutlineStep(Grouping(1, 2), None),)
    for text in ("?? local", "?? global", "?? along level1"):
        assert outline_of(parse_sketch(text), ALONE) == (OutlineStep(Grouping(0, 1), None),)


@looped(
    ("hierarchy", "text", "message"),
    [
        (THREE, "?? along rack", "level 'rack' is unknown; the levels are level0, level1, level2"),
        (THREE, "?? along root", "level 'root' is unknown; the levels are level0, level1, level2"),
        (THREE, "(rack, InsideGroup, ??)", "level 'rack' is unknown; the levels are root, level0, level1, level2"),
        (
            THREE,
            "?? along level0,level2",
            "'along level0,level2' is not an interval of levels; name neighbours, outermost first: level0, "
            "level1, level2",
        ),
        (
            THREE,
            "?? along level2,level1",
            "'along level2,level1' is not an interval of levels; name neighbours, outermost first: level0, "
            "level1, level2",
        ),
        (
            THREE,
            "?? along level2 among masters",
            (
                "'along level2 among masters' has no masters, because no level is below level2; leave "
                "(among masters) out"
            ),
        ),
        (
            THREE,
            "(level2, InsideGroup, ??)",
            (
                "(level2, InsideGroup, AllReduce) groups one device, or devices of different reduction "
                "groups; choose another slice or form; slices are root, level0, level1, level2"
            ),
        ),
        (
            COLUMNS,
            "?? global",
            (
                "grouping 'global' groups one device, or devices of different reduction groups; choose "
                "others; the levels are level0.axis0, level0.axis1, level1.axis0, level1.axis1"
            ),
        ),
        (
            placed("1x1/4x4", (4, 4), (1, 16)),
            "?? local",
            (
                "grouping 'local' groups one device, or devices of different reduction groups; choose "
                "others; the levels are none"
            ),
        ),
    ],
)
def test_groupings_that_a_hierarchy_does_not_have(hierarchy, text, message):
    with pytest.raises(ProgramError) as error:
        outline_of(parse_sketch(text), hierarchy)
    assert str(error.value) == message


@looped(
    ("text", "conditions"),
    [
        (
            "ReduceScatter local; ??*1; (level0, Master(root), ??); ...; ??*2",
            [
                "step 1 is ReduceScatter",
                "step 1 is local, along level2",
                "at most 1 step between step 1 and step 3",
                "step 3 is (level0, Master(root)), along level0 among masters",
                "at most 2 steps in place of piece 5, ??*2",
            ],
        ),
        ("??*2; ??; ??*3", ["at most 2 steps before step 2", "at most 3 steps after step 2"]),
        ("??*2", ["at most 2 steps"]),
        ("?? global", ["step 1 is global, along level0,level1,level2"]),
        ("?? along level0,level1", ["step 1 is along level0,level1"]),
        ("skip", []),
    ],
)
def test_conditions_in_the_users_terms(text, conditions):
    sketch = parse_sketch(text)
    found = conditions_of(outline_of(sketch, THREE), Grammar.PAPER)
    assert [condition_text(condition, sketch, THREE, 4) for condition in found] == [
        *conditions,
        "at most 4 steps in all",
        "the reduction is complete at the end",
        "grammar paper: masters carry AllReduce only",
    ]
    assert conditions_of(outline_of(sketch, THREE), Grammar.FULL) == found[:-1]
