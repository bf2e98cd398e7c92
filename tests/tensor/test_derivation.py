"""The checker of derivations by itself: what it is told of ranks that are not there, or of blocks that cannot be."""

import pytest

from p2smt.tensor.conversion import Keep, Reduce, Send
from p2smt.tensor.derived_conversions import conversion_fault
from p2smt.tensor.holdings import holding
from p2smt.tensor.layout import OnRank, Partial, Replicated, Sliced


@pytest.mark.parametrize(
    ("conversion", "before", "after"),
    [(Reduce(2), Partial(), OnRank(2)), (Keep(2), Replicated(), Partial()), (Send(), OnRank(1), OnRank(2))],
)
@pytest.mark.parametrize(("ranks", "right"), [(2, False), (3, True)])
def test_a_rank_behind_the_last_is_not_there(conversion, before, after, ranks, right):
    held = [holding((layout,), (ranks,), (4,)) for layout in (before, after)]
    assert (conversion_fault(conversion, *held, 0, (ranks,)) is None) is right


@pytest.mark.parametrize(("sizes", "right"), [((4, 0), True), ((5, -1), False), ((3, 2), False), ((4,), False)])
def test_blocks_tile_what_they_cut(sizes, right):
    assert (holding((Sliced(0, sizes),), (2,), (4,)) is not None) is right
