"""p2smt's own plan files as verification plans, so that a plan is checked by rules that did not make it."""

from collections.abc import Iterator
from itertools import product
from math import prod

from p2smt.collective import Collective
from p2smt.errors import VerifyError
from p2smt.frontend.builder import DATA
from p2smt.reduction.plan.model import CollectiveStep, PermuteStep, Plan, PlanStep, applies
from p2smt.verify.goal import goal_on
from p2smt.verify.limits import MAX_CELLS, MAX_DEVICES
from p2smt.verify.operation import Local, has_blocks, written
from p2smt.verify.plan import Part, Step, VerificationPlan

SPARE = "spare"


def verification_plan(plan: Plan) -> VerificationPlan:
    """A plan with one buffer per device that every step reads and writes from its beginning.

    What a plan does in place goes through a second buffer, by copies of devices to themselves. Raises VerifyError
    for plans of more devices or chunks than are checked one by one.
    """
    chunks = plan.multiple
    if plan.devices > MAX_DEVICES or plan.devices * chunks > MAX_CELLS // 2:
        raise VerifyError(
            f"the plan has {plan.devices} devices with {chunks} chunks each; at most {MAX_DEVICES} devices and "
            f"{MAX_CELLS // 2} chunks in all are checked one by one"
        )
    steps = (free for number, step in enumerate(plan.steps, start=1) for free in _steps(plan, step, number))
    payload = Part(DATA, 0, chunks)
    return VerificationPlan(
        devices=plan.devices,
        buffers=((DATA, chunks), (SPARE, chunks)),
        goal=goal_on(plan.goal, tuple(plan.groups(plan.reduction)), payload, payload),
        steps=tuple(steps),
    )


def _steps(plan: Plan, step: PlanStep, number: int) -> Iterator[Step]:
    match step:
        case PermuteStep():
            yield from _permutation(plan, step, number)
        case CollectiveStep():
            groups: dict[int, list[tuple[int, ...]]] = {}
            for group in plan.groups(step.groups):
                own = plan.device_class(group[0])
                parts = next(portion.parts for portion in step.portions if applies(portion, own))
                groups.setdefault(parts, []).append(group)
            for parts, members in sorted(groups.items()):
                yield from _collective(step.collective, tuple(members), plan.multiple // parts, number)


def _collective(kind: Collective, groups: tuple[tuple[int, ...], ...], length: int, number: int) -> Iterator[Step]:
    before = Part(DATA, 0, length)
    if not has_blocks(kind):
        yield Step(kind, groups, before, before, number=number)
        return
    size = written(kind, length, len(groups[0]))
    after = Part(SPARE, 0, length // len(groups[0]) if size is None else size)  # uneven blocks are said to be so
    yield Step(kind, groups, before, after, number=number)
    alone = tuple((device,) for group in groups for device in group)
    yield Step(Local.COPY, alone, after, Part(DATA, 0, after.length), number=number)


def _permutation(plan: Plan, step: PermuteStep, number: int) -> Iterator[Step]:
    """Each block of what is left of the buffer to its new place in the spare one, then all back."""
    alone = tuple((device,) for device in range(plan.devices) if applies(step.portion, plan.device_class(device)))
    length = plan.multiple // step.portion.parts
    block = length // prod(step.sizes)
    places = product(*(range(step.sizes[dimension]) for dimension in step.order))
    for place, digits in enumerate(places):
        old = dict(zip(step.order, digits, strict=True))
        first = 0
        for dimension, size in enumerate(step.sizes):
            first = first * size + old[dimension]
        target = Part(SPARE, place * block, block)
        yield Step(Local.COPY, alone, Part(DATA, first * block, block), target, number=number)
    whole = Part(DATA, 0, length)
    yield Step(Local.COPY, alone, Part(SPARE, 0, length), whole, number=number)
