"""Conditions as texts: limits on memory, and what a cut of one dimension leaves the axes of a mesh."""

import pytest
from spmd.test_programs import is_right
from tiers import sample

from p2smt.errors import ProblemError
from p2smt.problem.system.text import find_system
from p2smt.spmd.model.conditions import Conditions, parse_conditions, split_caps
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.request import ShardingRequest, shard_program
from p2smt.spmd.search.mesh import search as search_module
from p2smt.tensor.layout import Partial, Replicated, Sliced
from p2smt.tensor.text.parser import parse_program

PROGRAM = parse_program("program p\ninput x : f32[4, 4]\nparameter w : f32[4, 4]\ny = matmul(x, w)\noutput y\n")
WHOLE, ROWS, COLUMNS = Replicated(), Sliced(0), Sliced(1)


@pytest.mark.parametrize("caps", [("at most 2GB", "at most 1GB"), ("at most 1GB", "at most 2GB")])
def test_the_least_of_several_limits_holds(caps):
    assert split_caps([caps[0], "w replicated", caps[1]]) == (10**9, ("w replicated",))
    assert split_caps(["w replicated"]) == (None, ("w replicated",))


READ = {
    " w   sliced(1) ": ("w", "sliced", 1),
    "w sliced": ("w", "sliced", None),
    "x replicated": ("x", "replicated", None),
    "y partial": ("y", "partial", None),
    "w sliced (0)": None,
    "w replicated(1)": None,
    "w partial(0)": None,
    "w replicated()": None,
    "w sliced()": None,
    "w sliced(-1)": None,
    "w sliced(a)": None,
    "w sliced(0) x": None,
    "w sliced(0)(1)": None,
    "w": None,
    "w not": None,
    "w on device": None,
    "w sliced not": None,
    "v* sliced": None,
    "w sliced on rows": None,
    "w** sliced(0) on": None,
    "sliced(0)": None,
    "": None,
    "w sliced(2)": None,
    "w sliced(1234)": None,
    "v replicated": None,
    "w Sliced(0)": None,
}
"""Texts, and the tensor, kind and dimension that each is a condition on; None: it is none, of a product of matrices."""


def test_a_text_is_read_whole_or_refused():
    graph = graph_of(PROGRAM)
    for text, wanted in READ.items():
        if wanted is None:
            with pytest.raises(ProblemError):
                parse_conditions([text], graph)
            continue
        (found,) = parse_conditions([text], graph).each
        assert (found.tensors, found.kind, found.dimension) == (frozenset({graph.named[wanted[0]]}), *wanted[1:]), text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("w sliced(0)", {(ROWS, WHOLE), (WHOLE, ROWS), (ROWS, ROWS)}),
        ("w replicated", {(WHOLE, WHOLE)}),
        (
            "w sliced",
            {(one, other) for one in (WHOLE, ROWS, COLUMNS) for other in (WHOLE, ROWS, COLUMNS)} - {(WHOLE, WHOLE)},
        ),
        ("w partial", {(Partial(), WHOLE), (WHOLE, Partial()), (Partial(), Partial())}),
    ],
)
def test_a_condition_speaks_of_both_axes(text, kept):
    graph = graph_of(PROGRAM)
    read = parse_conditions([text], graph)
    assert isinstance(read, Conditions)
    pairs = tuple((one, other) for one in (WHOLE, ROWS, COLUMNS) for other in (WHOLE, ROWS, COLUMNS))
    assert set(read.stored(graph.named["w"], pairs)) == kept


def test_patterns_name_several_tensors_and_computed_ones_are_told_from_those_that_are_stored():
    graph = graph_of(TWO)
    (both,) = parse_conditions(["layer?.w sliced"], graph).each
    assert both.tensors == {graph.named["layer1.w"], graph.named["layer2.w"]}
    assert not both.computed
    (values,) = parse_conditions(["* not partial on device"], graph).each
    assert values.computed == {graph.named[each] for each in "hay"}
    assert values.tensors == {number for number, each in enumerate(graph.tensors) if each.source is not None} | {
        graph.named["loss"]
    }


TWO = parse_program("""program two
input x : f32[64, 32]
parameter layer1.w : f32[32, 64]
parameter layer2.w : f32[64, 32]
h = matmul(x, layer1.w)
a = relu(h)
y = matmul(a, layer2.w)
loss = sum(y * y, 0, 1)
output loss
""")

WHERE = ("data", "tensor")
ON_AXES = {
    "w sliced(0) on data": {(ROWS, other) for other in (WHOLE, ROWS, COLUMNS)},
    "w not replicated on tensor": {(one, other) for one in (WHOLE, ROWS, COLUMNS) for other in (ROWS, COLUMNS)},
    "w not sliced(0)": {(one, other) for one in (WHOLE, COLUMNS) for other in (WHOLE, COLUMNS)},
    "w not replicated": {(one, other) for one in (WHOLE, ROWS, COLUMNS) for other in (WHOLE, ROWS, COLUMNS)}
    - {(WHOLE, WHOLE)},
}


def test_an_axis_and_what_is_not_wanted_are_kept():
    graph = graph_of(PROGRAM)
    pairs = tuple((one, other) for one in (WHOLE, ROWS, COLUMNS) for other in (WHOLE, ROWS, COLUMNS))
    for text, kept in ON_AXES.items():
        read = parse_conditions([text], graph, WHERE)
        assert set(read.stored(graph.named["w"], pairs)) == kept, text


ASKED = (
    ("h sliced(0) on data", "h", lambda layouts: layouts[0] == ROWS),
    ("h sliced(1) on tensor", "h", lambda layouts: layouts[1] == COLUMNS),
    ("h not sliced", "h", lambda layouts: not any(isinstance(each, Sliced) for each in layouts)),
    ("layer*.w sliced(0)", "layer1.w", lambda layouts: ROWS in layouts and COLUMNS not in layouts),
    ("y partial on tensor", "y", lambda layouts: layouts[1] == Partial()),
)


@pytest.mark.parametrize(("text", "name", "is_kept"), sample(ASKED, 3))
def test_the_answer_keeps_conditions_on_computed_tensors(text, name, is_kept, monkeypatch):
    """Whatever is fastest without them: on devices that compute slowly it is data parallelism."""
    monkeypatch.setattr(search_module, "MOST_PAIRS", 0)
    request = ShardingRequest(mesh="data=2,tensor=2", conditions=(text,), speed=1e6)
    found = shard_program(TWO, find_system("node:2,gpu:2"), request)
    is_right(found.program, TWO)
    layouts = dict(found.layouts)
    whole = tuple(Sliced(each.dimension) if isinstance(each, Sliced) else each for each in layouts[name])
    assert is_kept(whole), layouts[name]
    assert {axis.name for axis in found.program.mesh} == {"data", "tensor"}


def test_a_condition_on_an_axis_that_is_not_there_says_which_there_are():
    graph = graph_of(PROGRAM)
    with pytest.raises(
        ProblemError,
        match=r"has no axis tensr; its axes are data, tensor \(--mesh .* names them\); did you mean tensor",
    ):
        parse_conditions(["w sliced on tensr"], graph, WHERE)
    with pytest.raises(ProblemError, match="conditions, the fewest that clash: a partial"):
        shard_program(TWO, find_system("node:2,gpu:2"), ShardingRequest(conditions=("a partial",)))
