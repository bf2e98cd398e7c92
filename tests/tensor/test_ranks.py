"""Groups of ranks as collectives of a mesh: in the order of the axis, each rank in one of them."""

from itertools import combinations, permutations

import numpy as np
import pytest

from p2smt.tensor.conversion import AllReduce
from p2smt.tensor.program import Axis, Call, Convert, Read, Statement
from p2smt.tensor.ranks.comparison import wrong_values
from p2smt.tensor.ranks.exchange import axes_of, axis_groups
from p2smt.tensor.ranks.joining import OneRank, UnlikeRanksError, joined_statements
from p2smt.tensor.ranks.programs import Computed, Exchanged, Permuted, RankPrograms
from p2smt.tensor.ranks.simulation import simulated
from p2smt.tensor.reals import Reals
from p2smt.tensor.text.parser import parse_program

MESH = (Axis("a", 2), Axis("b", 2))


def test_groups_are_those_of_an_axis_only_in_its_order():
    """The first member has the first block: another order of members is another collective, of groups it is not."""
    for axes in ((0,), (1,), (0, 1)):
        groups = axis_groups(MESH, axes)
        assert axes_of(groups, MESH) == axes == axes_of(groups[::-1], MESH)
        assert axes_of((groups[0][::-1], *groups[1:]), MESH) is None
    assert axes_of(((0, 3), (1, 2)), MESH) is None


@pytest.mark.parametrize(
    ("groups", "right"),
    [(((0, 1), (0, 1), (2,)), True), (((0, 1), (0, 1), (1, 2)), False), (((0, 1), (0, 1), (0, 1)), False)],
)
def test_every_rank_is_in_one_group(groups, right):
    call = (Statement("y", Convert(AllReduce(), Read("x"), "")),)
    ranks = [OneRank(statements=call, shapes={}, groups={"y": group}, outputs=(), updates=()) for group in groups]
    if right:
        assert joined_statements(ranks) == (Exchanged("y", AllReduce(), "x", ((0, 1), (2,))),)
    else:
        with pytest.raises(UnlikeRanksError, match="y: the groups of its ranks overlap, or do not have all ranks"):
            joined_statements(ranks)


@pytest.mark.parametrize(("operation", "wrong"), [("add", None), ("mul", "w"), ("sub", "w")])
def test_what_a_parameter_is_updated_to_counts_as_outputs_do(operation, wrong):
    """Ranks that give the right output may still keep another parameter than one device does."""
    single = parse_program("program p\nparameter w : f64[4]\ny = w * w\nw.1 = update(w, w + w)\noutput y\n")
    w = Read("w")
    both = (Computed("y", (Call("mul", (w, w)),) * 2), Computed("kept", (Call(operation, (w, w)),) * 2))
    ranks = RankPrograms(
        name="p", mesh=MESH[:1], sources=single.sources, statements=both,
        shapes=({"w": (4,), "y": (4,), "kept": (4,)},) * 2, outputs=(("y", "y"),), updates=(("w", "kept"),),
    )  # fmt: skip
    found = wrong_values(ranks, single, Reals(1))
    assert (None if found is None else found.name) == wrong


def partial_permutations(ranks):
    """Every way in which some ranks send to different others, or to themselves."""
    for count in range(ranks + 1):
        for senders in combinations(range(ranks), count):
            for receivers in permutations(range(ranks), count):
                yield tuple(zip(senders, receivers, strict=True))


def test_who_is_sent_nothing_by_a_permutation_has_zeros():
    """Of all permutations of some of three ranks; what a rank had before counts for nobody but its receiver."""
    given = [{"x": np.array([10 * rank + 1, 10 * rank + 2])} for rank in range(3)]
    shapes = ({"x": (2,), "y": (2,), "z": (2,)},) * 3
    every = list(partial_permutations(3))
    assert len(every) == 34
    for pairs in every:
        ranks = RankPrograms(
            name="p", mesh=(Axis("a", 3),), sources=(), shapes=shapes,
            statements=(Permuted("y", "x", pairs), Permuted("z", "y", pairs)), outputs=(("z", "z"),), updates=(),
        )  # fmt: skip
        held = [each["x"].tolist() for each in given]
        found = simulated(ranks, given, Reals(1))
        for name in ("y", "z"):
            wanted = [[0, 0] for _ in given]
            for source, target in pairs:
                wanted[target] = held[source]
            assert [each[name].tolist() for each in found] == wanted, (pairs, name)
            held = wanted
