import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2smt.errors import ProblemError
from p2smt.problem.condition import Alike, FewCommunicators, InnerAxis, LittleMemory, Off, PinnedAxis, Unsplit
from p2smt.problem.condition_text import condition_text, parse_condition
from p2smt.problem.model import Axis
from p2smt.problem.system.network import Level

AXES = [Axis("dp", 4), Axis("on", 2), Axis("not", 2), Axis("at", 2)]
LEVELS = [Level("rack", 2), Level("node", 4), Level("split", 4)]
AXIS, LEVEL = st.integers(0, len(AXES) - 1), st.integers(0, len(LEVELS) - 1)
CONDITIONS = st.one_of(
    st.builds(PinnedAxis, AXIS, LEVEL),
    st.builds(InnerAxis, AXIS, LEVEL),
    st.builds(Off, AXIS, LEVEL),
    st.builds(Unsplit, AXIS, st.sets(LEVEL, min_size=2).map(sorted).map(tuple)),
    st.builds(Unsplit, AXIS),
    st.builds(Alike, AXIS, AXIS),
    st.builds(FewCommunicators, st.integers(0, 10**6)),
    st.builds(LittleMemory, st.integers(1, 2**50)),
)


@given(CONDITIONS)
def test_parsing_what_was_printed_gives_the_same(condition):
    assert parse_condition(condition_text(condition, AXES, LEVELS), AXES, LEVELS) == condition


def test_spaces_do_not_matter():
    assert parse_condition("  dp   not  split  between node  and rack", AXES, LEVELS) == Unsplit(0, (0, 1))
    assert parse_condition("at most 2 GiB for communicators", AXES, LEVELS) == LittleMemory(2**31)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "dp",
        "dp in node",
        "dp on",
        "dp on rack node",
        "at most many communicators",
        "at most -1 communicators",
        "dp not split between node",
        "dp like",
        "at most 1 for communicators of two",
        "x" * 500,
        "dp\x00on rack",
    ],
)
def test_other_text_is_refused(text):
    with pytest.raises(ProblemError, match="does not parse"):
        parse_condition(text, AXES, LEVELS)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("pp on node", "axis 'pp' does not exist; there are dp, on, not, at"),
        ("dp on gpu", "level 'gpu' does not exist; there are rack, node, split"),
        ("dp like tp", "axis 'tp' does not exist"),
        ("dp not split between node and gpu", "level 'gpu' does not exist"),
        ("at most 0.5B for communicators", "bytes '0.5B' is not a size"),
    ],
)
def test_names_that_there_are_not_are_refused(text, wanted):
    with pytest.raises(ProblemError, match=wanted):
        parse_condition(text, AXES, LEVELS)
