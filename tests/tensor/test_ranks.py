"""Groups of ranks as collectives of a mesh: in the order of the axis, each rank in one of them."""

import pytest

from p2smt.tensor.conversion import AllReduce
from p2smt.tensor.program import Axis, Convert, Read, Statement
from p2smt.tensor.ranks.exchange import axes_of, axis_groups
from p2smt.tensor.ranks.joining import OneRank, UnlikeRanksError, joined_statements
from p2smt.tensor.ranks.programs import Exchanged

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
