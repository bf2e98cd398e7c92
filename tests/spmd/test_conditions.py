"""Conditions as texts: limits on memory, and what a cut of one dimension leaves the axes of a mesh."""

import pytest

from p2smt.errors import ProblemError
from p2smt.spmd.conditions import Conditions, parse_conditions, split_caps
from p2smt.spmd.graph import graph_of
from p2smt.tensor.layout import Partial, Replicated, Sliced
from p2smt.tensor.text.parser import parse_program

PROGRAM = parse_program("program p\ninput x : f32[4, 4]\nparameter w : f32[4, 4]\ny = matmul(x, w)\noutput y\n")
WHOLE, ROWS, COLUMNS = Replicated(), Sliced(0), Sliced(1)


@pytest.mark.parametrize("caps", [("at most 2GB", "at most 1GB"), ("at most 1GB", "at most 2GB")])
def test_the_least_of_several_limits_holds(caps):
    assert split_caps([caps[0], "w replicated", caps[1]]) == (10**9, ("w replicated",))
    assert split_caps(["w replicated"]) == (None, ("w replicated",))


READ = {
    " w   sliced(1) ": ("w", "sliced", 1), "w sliced": ("w", "sliced", None), "x replicated": ("x", "replicated", None),
    "y partial": ("y", "partial", None), "w sliced (0)": None, "w replicated(1)": None, "w partial(0)": None,
    "w replicated()": None, "w sliced()": None, "w sliced(-1)": None, "w sliced(a)": None, "w sliced(0) x": None,
    "w sliced(0)(1)": None, "w": None, "sliced(0)": None, "": None, "w sliced(2)": None, "w sliced(1234)": None,
    "v replicated": None, "w Sliced(0)": None,
}  # fmt: skip
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
        ("w sliced", {(one, other) for one in (WHOLE, ROWS, COLUMNS) for other in (WHOLE, ROWS, COLUMNS)}
                     - {(WHOLE, WHOLE)}),
        ("w partial", {(Partial(), WHOLE), (WHOLE, Partial()), (Partial(), Partial())}),
    ],
)  # fmt: skip
def test_a_condition_speaks_of_both_axes(text, kept):
    graph = graph_of(PROGRAM)
    read = parse_conditions([text], graph)
    assert isinstance(read, Conditions)
    pairs = tuple((one, other) for one in (WHOLE, ROWS, COLUMNS) for other in (WHOLE, ROWS, COLUMNS))
    assert set(read.stored(graph.named["w"], pairs)) == kept
