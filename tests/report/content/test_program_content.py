"""Steps of plans, whole: what devices hold before and after, the digits that groups vary on, the link waited for."""

import pytest
from report.steps import lengths_after
from support import plans, problem
from unlike_plans import every_plan

from p2smt.cost.network.backend import Nccl, cost_of
from p2smt.reduction.plan.model import CollectiveStep
from p2smt.report.content.program_content import steps_of

UNLIKE = tuple(every_plan("node:[3,2]", (5,), "2x3"))


def cost(plan):
    return cost_of(plan.system, Nccl())


@pytest.mark.parametrize(
    "listed", [plans(problem((2, 4), (2, 4), (1,)))[::7], plans(problem((2, 4), (8,)))[::9], UNLIKE[::5]]
)
def test_every_field_of_a_step_is_that_of_its_plan(listed):
    acting = waited = 0
    for plan in listed:
        devices = tuple(range(plan.devices))
        found = steps_of(plan, cost(plan), devices)
        held = [(plan.payload.bytes,) * plan.devices, *lengths_after(plan)]
        prices = [cost(plan).step_cost(plan, step) for step in plan.steps]
        whole = sum(price.seconds for price in prices)
        for number, (said, step, price) in enumerate(zip(found, plan.steps, prices, strict=True)):
            taking = [device for device, root in zip(devices, said.roots, strict=True) if root >= 0]
            before, after = (sorted({held[number + place][device] for device in taking}) for place in (0, 1))
            assert (said.before, said.after, said.held) == (tuple(before), tuple(after), tuple(held[number + 1]))
            assert (said.seconds, said.share) == (price.seconds, pytest.approx(price.seconds / whole))
            loads = {load.link.name: load.busiest for load in price.loads}
            assert said.link_bytes == loads.get(said.link, 0.0)
            waited += bool(said.link)
            if isinstance(step, CollectiveStep):
                groups = list(plan.groups(step.groups))
                size = {member: len(group) for group in groups for member in group}
                assert (said.groups, said.sizes) == (len(groups), tuple(sorted({len(group) for group in groups})))
                assert said.among == max(map(len, groups))
                assert said.members == tuple(size.get(device, 0) for device in devices)
                varying = [plan.digits[place] for place in step.groups.varying]
                assert said.along == tuple(f"{one.level}.{one.axis}" for one in varying if one.size > 1)
            else:
                acting += 1
                assert (said.groups, said.members) == (len(taking), tuple(int(root >= 0) for root in said.roots))
    assert waited > 0
