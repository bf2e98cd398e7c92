"""Conversion of p2smt's own plan files to verification plans, which independent rules then check."""

from collections.abc import Iterator
from itertools import product
from math import prod

from p2smt.collective import Collective
from p2smt.errors import VerifyError
from p2smt.frontend.builder import DATA
from p2smt.reduction.plan.chunking import shards, slots
from p2smt.reduction.plan.model import CollectiveStep, PermuteStep, Plan, PlanStep, applies
from p2smt.verify.goal import goal_on
from p2smt.verify.limits import MAX_CELLS, MAX_DEVICES
from p2smt.verify.operation import LocalOperation, has_blocks, written
from p2smt.verify.plan import BufferRange, VerificationPlan, VerificationStep

SPARE = "spare"


def verification_plan(plan: Plan) -> VerificationPlan:
    """Return a plan with one buffer per device, which every step reads and writes from its beginning.

    In-place steps go through a second buffer, by local copies. If the plan has several chunks, each has two
    buffers of its own, so that steps of different chunks do not interfere; local copies split the payload and
    join the results, and steps are sorted by their start. Raises VerifyError for plans with more devices or
    chunks than the verifier supports.
    """
    cells = plan.multiple * plan.chunks
    buffers = 2 if plan.chunks == 1 else 3
    if plan.devices > MAX_DEVICES or plan.devices * cells > MAX_CELLS // buffers:
        raise VerifyError(
            f"the plan has {plan.devices} devices with {cells} chunks each; at most {MAX_DEVICES} devices and "
            f"{MAX_CELLS // buffers} chunks in all are checked one by one"
        )
    payload = BufferRange(DATA, 0, cells)
    return VerificationPlan(
        devices=plan.devices,
        buffers=((DATA, cells), *((name, plan.multiple) for name in _own_buffers(plan))),
        goal=goal_on(plan.goal, tuple(plan.groups(plan.reduction)), payload, payload),
        steps=tuple(_whole(plan) if plan.chunks == 1 else _chunked(plan)),
    )


def _own_buffers(plan: Plan) -> Iterator[str]:
    """The buffers besides the payload."""
    if plan.chunks == 1:
        yield SPARE
        return
    for chunk in range(plan.chunks):
        yield from (f"chunk{chunk}", f"{SPARE}{chunk}")


def _whole(plan: Plan) -> Iterator[VerificationStep]:
    for number, step in enumerate(plan.steps, start=1):
        yield from _steps(plan, step, number, DATA, SPARE)


def _chunked(plan: Plan) -> Iterator[VerificationStep]:
    """Yield the steps of a chunked plan; chunk c holds cell c of every shard or, unsharded, of the payload."""
    before = shards(plan) if plan.goal.scatters else 1
    after = shards(plan) if plan.goal.gathers else 1
    for chunk in range(plan.chunks):
        yield from _moved(plan, chunk, before, _begun(plan), into_chunk=True)
    for slot in slots(plan.chunks, len(plan.steps)):
        for chunk, index in slot:
            yield from _steps(plan, plan.steps[index], index + 1, f"chunk{chunk}", f"{SPARE}{chunk}")
    for chunk in range(plan.chunks):
        yield from _moved(plan, chunk, after, _ended(plan), into_chunk=False)


def _begun(plan: Plan) -> int:
    """The cells of a chunk that each device holds at the beginning."""
    return 1 if plan.goal.gathers else plan.multiple


def _ended(plan: Plan) -> int:
    """The cells of a chunk that each device holds at the end."""
    return 1 if plan.goal.scatters else plan.multiple


def _moved(plan: Plan, chunk: int, rows: int, cells: int, *, into_chunk: bool) -> Iterator[VerificationStep]:
    """Yield steps that copy a chunk's cells from the payload to the chunk's buffer, or back, in `rows` equal rows."""
    alone = tuple((device,) for device in range(plan.devices))
    width = cells // rows
    for row in range(rows):
        outside = BufferRange(DATA, (row * plan.chunks + chunk) * width, width)
        inside = BufferRange(f"chunk{chunk}", row * width, width)
        source, target = (outside, inside) if into_chunk else (inside, outside)
        yield VerificationStep(LocalOperation.COPY, alone, source, target, number=1 if into_chunk else len(plan.steps))


def _steps(plan: Plan, step: PlanStep, number: int, data: str, spare: str) -> Iterator[VerificationStep]:
    match step:
        case PermuteStep():
            yield from _permutation(plan, step, number, data, spare)
        case CollectiveStep():
            groups: dict[int, list[tuple[int, ...]]] = {}
            for group in plan.groups(step.groups):
                own = plan.device_class(group[0])
                parts = next(portion.parts for portion in step.portions if applies(portion, own))
                groups.setdefault(parts, []).append(group)
            for parts, members in sorted(groups.items()):
                yield from _collective(step.collective, tuple(members), plan.multiple // parts, number, data, spare)


def _collective(
    kind: Collective, groups: tuple[tuple[int, ...], ...], length: int, number: int, data: str, spare: str
) -> Iterator[VerificationStep]:
    before = BufferRange(data, 0, length)
    if not has_blocks(kind):
        yield VerificationStep(kind, groups, before, before, number=number)
        return
    size = written(kind, length, len(groups[0]))
    after = BufferRange(spare, 0, length // len(groups[0]) if size is None else size)  # uneven blocks are said to be so
    yield VerificationStep(kind, groups, before, after, number=number)
    alone = tuple((device,) for group in groups for device in group)
    yield VerificationStep(LocalOperation.COPY, alone, after, BufferRange(data, 0, after.length), number=number)


def _permutation(plan: Plan, step: PermuteStep, number: int, data: str, spare: str) -> Iterator[VerificationStep]:
    """Yield the steps of a permutation of the remaining buffer: blocks go to the spare buffer, and back."""
    alone = tuple((device,) for device in range(plan.devices) if applies(step.portion, plan.device_class(device)))
    length = plan.multiple // step.portion.parts
    block = length // prod(step.sizes)
    places = product(*(range(step.sizes[dimension]) for dimension in step.order))
    for place, digits in enumerate(places):
        old = dict(zip(step.order, digits, strict=True))
        first = 0
        for dimension, size in enumerate(step.sizes):
            first = first * size + old[dimension]
        target = BufferRange(spare, place * block, block)
        yield VerificationStep(
            LocalOperation.COPY, alone, BufferRange(data, first * block, block), target, number=number
        )
    whole = BufferRange(data, 0, length)
    yield VerificationStep(LocalOperation.COPY, alone, BufferRange(spare, 0, length), whole, number=number)
