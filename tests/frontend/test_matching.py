"""What meets in one call: its members mean the same operation, and the same group."""

import pytest

from p2smt.frontend.matching import Post, matched, meet
from p2smt.verify.plan_verdict import PlanMistake, PlanRule


@pytest.mark.parametrize(
    ("group", "what", "right"),
    [
        ((0, 1), "all_reduce", True),
        ((0, 1), "broadcast", False),
        ((1, 0), "all_reduce", False),
        ((1, 2), "all_reduce", False),
        ((1,), "all_reduce", False),
    ],
)
def test_members_of_a_call_name_the_same_group_and_operation(group, what, right):
    """Two ranks call by one communicator; the second says that it is of this group."""
    found = matched([meet(Post("key", (0, 1), "all_reduce", 7)), meet(Post("key", group, what, 7))])
    if right:
        assert found == (("key",),)
    else:
        assert isinstance(found, PlanMistake)
        assert (found.rule, found.place.step) == (PlanRule.MISMATCH, 7)
