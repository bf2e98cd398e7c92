"""How many devices hold alike: by counting them one by one, also where axes beside those that reduce repeat groups."""

from collections import Counter

import pytest
from support import plans, problem
from unlike_plans import unlike_plan

from p2smt.report.content.held import held_of


@pytest.mark.parametrize(
    "asked", [problem([2, 4], [8]), problem([4, 4], [8, 2]), problem([2, 2, 2], [2, 2, 2], [0, 2])]
)
def test_kinds_have_as_many_devices_as_are_of_them(asked):
    kinds = set()
    for plan in plans(asked)[::20]:
        held = held_of(plan)
        counted = Counter(held.kinds(range(plan.devices)))
        assert counted == {kind: held.count(kind) for kind in counted}
        kinds.add(len(counted))
    assert max(kinds) > 1


def test_on_unlike_units_every_device_is_a_kind():
    held = held_of(unlike_plan())
    assert Counter(held.kinds(range(8))) == {kind: held.count(kind) for kind in range(8)}
    assert held.count(8) == 0
