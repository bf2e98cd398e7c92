"""Conversion of p2smt's own all-to-all plans to verification plans."""

from collections.abc import Iterator
from itertools import product
from math import prod

from p2smt.collective import Exchange, NeighbourSend
from p2smt.errors import VerifyError
from p2smt.frontend.builder import DATA
from p2smt.frontend.own_plan import SPARE, verification_plan
from p2smt.reduction.plan.exchange import ExchangePlan, ExchangeStep, MoveStep
from p2smt.reduction.plan.model import PermuteStep, Plan
from p2smt.verify.goal import goal_on
from p2smt.verify.limits import MAX_CELLS, MAX_DEVICES
from p2smt.verify.operation import LocalOperation
from p2smt.verify.plan import BufferRange, VerificationPlan, VerificationStep


def own_plan_to_verify(plan: Plan | ExchangePlan) -> VerificationPlan:
    """Return the verification plan of either kind of p2smt's own plans; VerifyError if it cannot be converted."""
    match plan:
        case Plan():
            return verification_plan(plan)
        case ExchangePlan():
            return exchange_to_verify(plan)


def exchange_to_verify(plan: ExchangePlan) -> VerificationPlan:
    """Return a plan in which every step reads one buffer and writes a second one, which is then copied back.

    Raises VerifyError for a send, which is one step and its own goal, and for plans with more devices or blocks
    than the verifier supports.
    """
    if isinstance(plan.goal, NeighbourSend):
        raise VerifyError(
            f"the plan is a {plan.goal.hyphenated}, one step that is its own goal: nothing is left to prove; "
            "`p2smt run` compares it with dist.send and dist.recv"
        )
    blocks = plan.multiple
    if plan.devices > MAX_DEVICES or plan.devices * blocks > MAX_CELLS // 2:
        raise VerifyError(
            f"the plan has {plan.devices} devices with {blocks} blocks each; at most {MAX_DEVICES} devices and "
            f"{MAX_CELLS // 2} blocks in all are checked one by one"
        )
    payload = BufferRange(DATA, 0, blocks)
    numbered = enumerate(plan.steps, start=1)
    return VerificationPlan(
        devices=plan.devices,
        buffers=((DATA, blocks), (SPARE, blocks)),
        goal=goal_on(Exchange.ALL_TO_ALL, tuple(plan.groups(plan.group)), payload, payload),
        steps=tuple(each for number, step in numbered for each in _steps(plan, step, number)),
    )


def _steps(plan: ExchangePlan, step: MoveStep, number: int) -> Iterator[VerificationStep]:
    data, spare = BufferRange(DATA, 0, plan.multiple), BufferRange(SPARE, 0, plan.multiple)
    alone = tuple((device,) for device in range(plan.devices))
    match step:
        case ExchangeStep(_, rule):
            yield VerificationStep(Exchange.ALL_TO_ALL, tuple(plan.groups(rule)), data, spare, number=number)
        case PermuteStep(sizes, order):
            length = plan.multiple // prod(sizes)
            strides = [prod(sizes[dimension + 1 :]) for dimension in range(len(sizes))]
            for index, digits in enumerate(product(*(range(sizes[dimension]) for dimension in order))):
                before = sum(digit * strides[dimension] for digit, dimension in zip(digits, order, strict=True))
                target = BufferRange(SPARE, index * length, length)
                yield VerificationStep(
                    LocalOperation.COPY, alone, BufferRange(DATA, before * length, length), target, number=number
                )
    yield VerificationStep(LocalOperation.COPY, alone, spare, data, number=number)
