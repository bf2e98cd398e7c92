"""What others would do on two axes: a way of the trade on each, or one on both."""

from p2smt.spmd.baselines import BASELINES, applies
from p2smt.spmd.classes import Classes
from p2smt.spmd.graph import Graph
from p2smt.spmd.mesh.restriction import PerAxis

_DATA, _STATES, _ALL, _TENSOR, _EXPERT = (
    "data parallel",
    "data parallel, states sliced (ZeRO-1, 2)",
    "data parallel, all sliced (ZeRO-3)",
    "tensor parallel",
    "expert parallel",
)
_SHORT = {_DATA: "data", _STATES: "ZeRO-1, 2", _ALL: "ZeRO-3", _TENSOR: "tensor", _EXPERT: "expert"}

COMBINATIONS = (
    (_DATA, _DATA),
    (_DATA, _TENSOR),
    (_TENSOR, _DATA),
    (_STATES, _TENSOR),
    (_ALL, _TENSOR),
    (_ALL, _ALL),
    (_TENSOR, _TENSOR),
    (_DATA, _EXPERT),
)
"""What the first axis does, and the second."""


def combinations(graph: Graph, classes: Classes) -> tuple[tuple[str, PerAxis], ...]:
    """The baselines that apply to a program, by name: `data x tensor` has the first axis for data."""
    made = {name: maker(graph, classes) for name, maker in BASELINES if applies(name, graph, classes)}
    return tuple(
        (f"{_SHORT[first]} x {_SHORT[second]}", PerAxis((made[first], made[second])))
        for first, second in COMBINATIONS
        if first in made and second in made
    )
