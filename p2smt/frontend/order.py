"""Plans whose devices call the steps in another order than the written one."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from p2smt.errors import VerifyError
from p2smt.frontend.matching import Event, Post, matched, meet
from p2smt.verify.plan import VerificationPlan, VerificationStep
from p2smt.verify.plan_verdict import PlanMistake
from p2smt.verify.shape import shape_mistake
from p2smt.wording import first_few


def ordered(plan: VerificationPlan, order: Mapping[int, tuple[int, ...]]) -> VerificationPlan | PlanMistake:
    """Return the plan as it runs if the devices in `order` call their steps in the order given there.

    Steps are counted from 1; a device that is not in `order` calls its steps as written. A plan with a shape
    mistake is returned unchanged. Raises VerifyError for devices and steps that do not exist, and for a step that
    a device names twice.
    """
    if shape_mistake(plan):
        return plan
    programs: list[list[Event]] = [[] for _ in range(plan.devices)]
    calls: list[dict[int, Post]] = [{} for _ in range(plan.devices)]
    for place, (number, step) in enumerate(plan.numbered, start=1):
        for group in step.groups:
            post = Post((place, group), group, f"step {number} ({step.operation})", number)
            for device in group:
                calls[device][place] = post
    for device, own in enumerate(calls):
        programs[device] += [event for place in _called(device, own, order) for event in meet(own[place])]
    if unknown := [device for device in order if not 0 <= device < plan.devices]:
        raise VerifyError(f"order names device {unknown[0]}; devices are 0 to {plan.devices - 1}")
    rounds = matched(programs)
    if isinstance(rounds, PlanMistake):
        return rounds
    return replace(plan, steps=tuple(_step(plan, place, group) for keys in rounds for place, group in keys))


def _called(device: int, own: Mapping[int, Post], order: Mapping[int, tuple[int, ...]]) -> tuple[int, ...]:
    """The steps that a device calls, in its order."""
    said = order.get(device, tuple(own))
    for place, times in Counter(said).items():
        if place not in own:
            raise VerifyError(f"order of device {device} names step {place}; it takes part in {first_few(own)}")
        if times > 1:
            raise VerifyError(f"order of device {device} names step {place} {times} times; a step is called once")
    return said


def _step(plan: VerificationPlan, place: int, group: tuple[int, ...]) -> VerificationStep:
    number, step = plan.numbered[place - 1]
    return replace(step, groups=(group,), number=number)
