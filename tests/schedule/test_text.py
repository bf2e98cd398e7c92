"""Schedules as text: reading what is printed gives the same steps; mistakes are named with line and column."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples

from p2smt.errors import ProgramError
from p2smt.schedule.step import (
    AllReduceSplit,
    Dead,
    Fuse,
    Line,
    LossyCast,
    Merge,
    Overlap,
    Reorder,
    SliceStates,
    SplitForm,
    Through,
    UseProgram,
)
from p2smt.schedule.text.parser import parse_schedule
from p2smt.schedule.text.printer import print_schedule
from p2smt.tensor.dtype import DType

NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_.]{0,8}", fullmatch=True)
MANY = st.lists(NAMES, min_size=1, max_size=4).map(tuple)
LEVELS = st.lists(st.tuples(NAMES, st.integers(1, 64)), min_size=1, max_size=3, unique_by=lambda pair: pair[0])
STEPS = st.one_of(
    st.builds(AllReduceSplit, NAMES, st.sampled_from(SplitForm), st.integers(0, 9)),
    st.builds(UseProgram, NAMES, st.just("(root, InsideGroup, AllReduce)"), LEVELS.map(tuple)),
    st.builds(Merge, NAMES, NAMES),
    st.builds(Reorder, NAMES, MANY),
    st.builds(Through, NAMES, MANY),
    st.builds(Fuse, MANY),
    st.builds(Overlap, MANY, st.integers(1, 4096), st.integers(0, 9)),
    st.builds(SliceStates, MANY),
    st.builds(Dead, MANY),
    st.builds(LossyCast, NAMES, st.sampled_from(DType)),
)
LINES = st.builds(Line, STEPS, st.lists(NAMES, max_size=4, unique=True).map(tuple))


def numbered(lines):
    return tuple(Line(each.step, each.results, number) for number, each in enumerate(lines, start=1))


@given(st.lists(LINES, max_size=6))
@settings(max_examples=examples(4))
def test_reading_what_is_printed_gives_the_same(lines):
    assert parse_schedule(print_schedule(tuple(lines))) == numbered(lines)


def test_comments_and_empty_lines_are_skipped():
    text = "# all\n\nrs, ag = split sum rs-ag dim 2  # cut\n\ndead x\n"
    assert [line.line for line in parse_schedule(text)] == [3, 5]
    assert parse_schedule(text)[0] == Line(AllReduceSplit("sum", SplitForm.RS_AG, 2), ("rs", "ag"), 3)
    assert parse_schedule("") == ()


MISTAKES = {
    "fuze a, b": "line 1, column 1: 'fuze' is not a step (.*); did you mean fuse?",
    "rs, ag = splitt x rs-ag": "line 1, column 10: 'splitt' is not a step (.*); did you mean split?",
    "\nrs, ag = split x rs-aq": "line 2, column 18: 'rs-aq' is not a form (.*); did you mean rs-ag?",
    "a, a = split x rs-ag": "line 1, column 1: two results of the step have the same name; give each its own",
    "rs, ag = split x rs-ag dim": "line 1, column 27: expected a dimension, found the end of the line",
    "rs, ag = split x rs-ag dim 99999999999999999999": "expected a dimension, found '99999999999999999999'",
    "rs, ag = split x rs-ag root 1": "line 1, column 24: expected the word dim, found 'root'",
    "s, a = reorder ag pas x": "line 1, column 19: expected the word past, found 'pas'; did you mean past?",
    "overlap a, b chunk 3 dim 0": "expected the word chunks, found 'chunk'; did you mean chunks?",
    "overlap a, b chunks 0 dim 0": "a number of chunks is 0; it must be 1 to 4096",
    "overlap a, b chunks -1 dim 0": "expected a number of chunks, found '-'",
    "lossy cast x f17": "'f17' is not a type; write one of f16",
    "lossy x f16": "expected the word cast, found 'x'",
    "merge a": "expected ',', found the end of the line",
    "fuse a b": "expected the end of the line, found 'b'",
    "fuse": "expected a statement or a group, found the end of the line",
    'x2 = split x "skip" levels a=2, a=3': "the level 'a' already exists; give every level its own name",
    "f = = fuse a": "expected a step",
    "f = fuse a; b": "unexpected character ';'",
    "$": "line 1, column 1: unexpected character '$'",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_named_where_it_stands(text):
    pattern = re.escape(MISTAKES[text]).replace(r"\(\.\*\)", r"\(.*\)")
    with pytest.raises(ProgramError, match=pattern):
        parse_schedule(text)


@given(st.text(alphabet='split x,=\nfuserg-ad 0#"', max_size=60))
def test_any_text_is_read_or_refused(text):
    try:
        lines = parse_schedule(text)
    except ProgramError:
        return
    assert parse_schedule(print_schedule(lines)) == numbered(lines)


def test_texts_without_bound_are_not_looked_at():
    with pytest.raises(ProgramError, match="more than 10000 steps"):
        parse_schedule("dead a\n" * 10_001)
    with pytest.raises(ProgramError, match="the step has more than 10000 names, the limit; split it"):
        parse_schedule("dead " + ", ".join(["a"] * 10_002))
