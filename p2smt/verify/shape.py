"""Rules of shape, independent of buffer contents: who takes part, and if parts fit together."""

from collections.abc import Iterator

from p2smt.verify.operation import written
from p2smt.verify.plan import VerificationPlan, VerificationStep
from p2smt.verify.plan_verdict import Place, PlanMistake, PlanRule
from p2smt.wording import listed


def shape_mistake(plan: VerificationPlan) -> PlanMistake | None:
    """Return the first violation of a rule of shape; None if there is none."""
    for number, step in plan.numbered:
        for mistake in (*_members(plan, step, number), *_parts(plan, step, number)):
            return mistake
    return None


def _members(plan: VerificationPlan, step: VerificationStep, number: int) -> Iterator[PlanMistake]:
    seen: dict[int, tuple[int, ...]] = {}
    for group in step.groups:
        if not 0 <= step.root < len(group):
            what = f"root {step.root} is not an index in group {listed(group)}; indices are 0 to {len(group) - 1}"
            yield _invalid(PlanRule.ROOT, number, step, what, group)
        for device in group:
            if not 0 <= device < plan.devices:
                what = f"device {device} does not exist; devices are 0 to {plan.devices - 1}"
                yield _invalid(PlanRule.NO_DEVICE, number, step, what, group, device)
            if device in seen:
                twice = "twice in it" if group is seen[device] else f"also in group {listed(seen[device])}"
                what = f"device {device} of group {listed(group)} is {twice}; it can take part once in a step"
                yield _invalid(PlanRule.TWICE, number, step, what, group, device)
            seen[device] = group


def _parts(plan: VerificationPlan, step: VerificationStep, number: int) -> Iterator[PlanMistake]:
    lengths = dict(plan.buffers)
    for part in (step.source, step.target):
        if part.length < 1 or part.start < 0 or part.start + part.length > lengths[part.buffer]:
            what = f"{part} lies outside the buffer, which has {lengths[part.buffer]} chunks"
            yield _invalid(PlanRule.OUTSIDE, number, step, what)
    for group in step.groups:
        yield from _fitting(step, number, group)
    if _overlap_in_part(step):
        what = f"{step.source} and {step.target} overlap but are not the same; read from and write to one part or two"
        yield _invalid(PlanRule.OVERLAP, number, step, what)


def _fitting(step: VerificationStep, number: int, group: tuple[int, ...]) -> Iterator[PlanMistake]:
    size, source, target = len(group), step.source.length, step.target.length
    wanted = source if step.in_place else written(step.operation, source, size)
    if wanted is None or (step.in_place and source % size):
        what = f"{step.source} has {source} chunks, which are no {size} equal blocks for group {listed(group)}"
        yield _invalid(PlanRule.UNEVEN, number, step, what, group)
        return
    if target != wanted:
        what = f"{step.source} gives {wanted} chunks among {size} devices, but {step.target} has {target}"
        yield _invalid(PlanRule.LENGTHS, number, step, what, group)


def _overlap_in_part(step: VerificationStep) -> bool:
    one, other = step.source, step.target
    if one.buffer != other.buffer or one == other:
        return False
    return one.start < other.start + other.length and other.start < one.start + one.length


def _invalid(
    rule: PlanRule,
    number: int,
    step: VerificationStep,
    what: str,
    group: tuple[int, ...] | None = None,
    device: int | None = None,
) -> PlanMistake:
    return PlanMistake(rule, Place(number, group, device), f"step {number} ({step.operation}): {what}")
