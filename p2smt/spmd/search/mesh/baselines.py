"""Baselines on several axes: one known strategy per axis."""

from dataclasses import dataclass

from p2smt.spmd.model.classes import Classes
from p2smt.spmd.model.graph import Graph
from p2smt.spmd.model.restriction import FREEDOM, AxisRestriction, PerAxis
from p2smt.spmd.search.baselines import BASELINES, applies

_DATA, _STATES, _ALL, _TENSOR, _EXPERT = (
    "data parallel",
    "data parallel, states sliced (ZeRO-1, 2)",
    "data parallel, all sliced (ZeRO-3)",
    "tensor parallel",
    "expert parallel",
)
_SHORT = {_DATA: "data", _STATES: "ZeRO-1, 2", _ALL: "ZeRO-3", _TENSOR: "tensor", _EXPERT: "expert"}
_PURPOSES = {_DATA: "data", _STATES: "data", _ALL: "data", _TENSOR: "tensor", _EXPERT: "expert"}

_PAIRS = (
    (_DATA, _DATA),
    (_DATA, _TENSOR),
    (_TENSOR, _DATA),
    (_STATES, _TENSOR),
    (_ALL, _TENSOR),
    (_ALL, _ALL),
    (_TENSOR, _TENSOR),
    (_DATA, _EXPERT),
)
"""The strategies of the last two axes. Outer axes replicate the model, or follow both if these are equal."""


def ways_of(axes: int) -> tuple[tuple[str, ...], ...]:
    """Return the usual combinations of strategies on this many axes, outermost axis first.

    >>> ways_of(3)[1]
    ('data parallel', 'data parallel', 'tensor parallel')
    """
    return tuple(
        (first,) * axes if first == second else (*[_DATA] * (axes - 2), first, second) for first, second in _PAIRS
    )


@dataclass(frozen=True, slots=True)
class MeshBaseline:
    """A strategy for each axis, with what each axis is for; empty for an axis of one rank."""

    name: str
    restriction: PerAxis
    purposes: tuple[str, ...]


def combinations(graph: Graph, classes: Classes, sizes: tuple[int, ...]) -> tuple[MeshBaseline, ...]:
    """Return the baselines that apply to a program on axes of these sizes.

    `data x tensor` uses the first axis with several ranks for data. If only one axis has several ranks, the baselines
    are those of a single axis.
    """
    made = {name: maker(graph, classes) for name, maker in BASELINES if applies(name, graph, classes)}
    places = [axis for axis, size in enumerate(sizes) if size > 1]
    if len(places) < 2:
        ways: list[tuple[str, tuple[str, ...]]] = [(name, (name,)) for name in made]
    else:
        ways = [(" x ".join(_SHORT[each] for each in some), some) for some in ways_of(len(places))]
    found = []
    for name, some in ways:
        if all(each in made for each in some):
            axes: list[AxisRestriction] = [FREEDOM] * len(sizes)
            purposes = [""] * len(sizes)
            for axis, each in zip(places, some, strict=False):
                axes[axis], purposes[axis] = made[each], _PURPOSES.get(each, "")
            found.append(MeshBaseline(name, PerAxis(tuple(axes)), tuple(purposes)))
    return tuple(found)
