"""Chunks of the payload on every device, in order: a plan followed chunk by chunk.

A chunk keeps its place in every device's buffer, so a permutation moves nothing: it changes the order in which a
device's chunks are counted off into blocks.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import lcm

import numpy as np

from p2smt.collective import Collective
from p2smt.errors import PlanError
from p2smt.reduction.plan.model import CollectiveStep, PermuteStep, Plan, applies
from p2smt.reduction.plan.rank_holdings import rank_holdings

Chunks = tuple[int, ...]

MAX_CHUNKS = 2**16


@dataclass(frozen=True, slots=True)
class GroupStep:
    """A collective among `members`, the root first; `held[i]` are the chunks that member `i` begins with.

    For a collective from the root only the root's count.
    """

    collective: Collective
    members: tuple[int, ...]
    held: tuple[Chunks, ...]


def communicator(plan: Plan) -> tuple[int, ...]:
    """The devices of the first reduction group; every other one runs the same file.

    Raises PlanError where they cannot, on units of unlike size, and where every device is alone.
    """
    groups = plan.groups(plan.reduction)
    if plan.tree is not None and groups.count > 1:
        raise PlanError(
            f"the plan has {groups.count} reduction groups on units of unlike size, {plan.tree}, and one file is for "
            "all communicators; emit it for torch"
        )
    if groups.size < 2:
        raise PlanError("every device is alone in its reduction group: a schedule would have no step")
    return next(iter(groups))


def chunk_count(plan: Plan) -> int:
    """The fewest chunks of which every block of every step, and of every ring in it, has a whole number.

    With a plan in chunks, of every one of them. Raises PlanError where these are more than MAX_CHUNKS.
    """
    counts = [plan.multiple, plan.groups(plan.reduction).size]
    for step in plan.steps:
        if isinstance(step, CollectiveStep):
            blocks = [_blocks(step.collective, size) for size in plan.groups(step.groups).group_sizes]
            counts += [portion.parts * number for portion in step.portions for number in blocks]
    # The least common multiple: each block of each step then has a whole number of chunks.
    count = lcm(*counts) * plan.chunks
    if count > MAX_CHUNKS:
        raise PlanError(f"a schedule of this plan needs {count} chunks; at most {MAX_CHUNKS} are written")
    return count


def _blocks(collective: Collective, members: int) -> int:
    """The number of blocks into which a member's chunks are cut."""
    match collective:
        case Collective.ALL_REDUCE | Collective.REDUCE_SCATTER:
            return members
        case Collective.ALL_GATHER | Collective.REDUCE | Collective.BROADCAST:
            return 1


@dataclass(frozen=True, slots=True)
class ChunkedStep:
    """A collective of the plan on all its chunks: `parts[c]` is what its groups do with chunk `c` of the plan."""

    parts: tuple[tuple[GroupStep, ...], ...]


def chunked_steps(plan: Plan, chunks: int) -> list[ChunkedStep]:
    """Steps of the groups of the first reduction group, collective by collective; the other groups do the same.

    A chunk of the plan is a run of chunks of the payload; where the goal cuts that into shards, a run of every shard.
    Members are numbered by their places in the reduction group. Raises PlanError for a plan that cannot be run,
    or ends with other chunks than its goal leaves.
    """
    rank_holdings(plan)
    shards = plan.groups(plan.reduction).size if plan.goal.scatters or plan.goal.gathers else 1
    # Row c: the chunks of the payload that belong to chunk c of the plan, a run of every shard.
    own = np.arange(chunks).reshape(shards, plan.chunks, -1).swapaxes(0, 1).reshape(plan.chunks, -1)
    steps = group_steps(plan, chunks // plan.chunks)
    numbers = [tuple(row.tolist()) for row in own]
    return [ChunkedStep(tuple(tuple(_renumbered(one, row) for one in groups) for row in numbers)) for groups in steps]


def _renumbered(step: GroupStep, numbers: Chunks) -> GroupStep:
    return replace(step, held=tuple(tuple(numbers[chunk] for chunk in held) for held in step.held))


def group_steps(plan: Plan, chunks: int) -> list[list[GroupStep]]:
    """Steps of the groups of the first reduction group on one chunk of the plan, of so many chunks of the payload.

    Members are numbered by their places in the reduction group. Raises PlanError for a plan that does not do its goal.
    """
    devices = tuple(plan.groups(plan.reduction).members(0))
    number = {device: place for place, device in enumerate(devices)}
    held = _start(plan.goal, len(devices), chunks)
    steps: list[list[GroupStep]] = []
    for step in plan.steps:
        match step:
            case PermuteStep():
                held = [
                    _permuted(step, own) if applies(step.portion, plan.device_class(device)) else own
                    for device, own in zip(devices, held, strict=True)
                ]
            case CollectiveStep():
                groups = [tuple(number[one] for one in members) for members in _inside(plan, step, number)]
                done = [GroupStep(step.collective, group, tuple(held[one] for one in group)) for group in groups]
                for one in done:
                    for member, after in zip(one.members, _after(one), strict=True):
                        held[member] = after
                steps.append(done)
    _check_end(plan.goal, held, chunks)
    return steps


def _inside(plan: Plan, step: CollectiveStep, number: dict[int, int]) -> list[tuple[int, ...]]:
    """The groups of a step that lie in the first reduction group."""
    return [members for members in plan.groups(step.groups) if members[0] in number]


def _start(goal: Collective, devices: int, chunks: int) -> list[Chunks]:
    whole, size = tuple(range(chunks)), chunks // devices
    if goal.gathers:
        return [whole[place * size : (place + 1) * size] for place in range(devices)]
    return [whole if place == 0 or not goal.from_root else () for place in range(devices)]


def _permuted(step: PermuteStep, held: Chunks) -> Chunks:
    if not held:
        return held
    # The last dimension is what is left of the buffer inside each block.
    order = (*step.order, len(step.sizes))
    found: list[int] = np.array(held).reshape(*step.sizes, -1).transpose(order).reshape(-1).tolist()
    return tuple(found)


def _after(step: GroupStep) -> Sequence[Chunks]:
    """Chunks of each member afterwards."""
    first, count = step.held[0], len(step.members)
    if step.collective.adds and any(one != first for one in step.held):
        raise PlanError(f"{step.collective} among {step.members} would add different chunks to each other")
    match step.collective:
        case Collective.ALL_REDUCE | Collective.BROADCAST:
            return [first] * count
        case Collective.REDUCE:
            return [first, *[()] * (count - 1)]
        case Collective.REDUCE_SCATTER:
            size = len(first) // count
            return [first[place * size : (place + 1) * size] for place in range(count)]
        case Collective.ALL_GATHER:
            joined = tuple(chunk for one in step.held for chunk in one)
            if len({*joined}) < len(joined):
                raise PlanError(f"{step.collective} among {step.members} would put a chunk beside itself")
            return [joined] * count


def _check_end(goal: Collective, held: Sequence[Chunks], chunks: int) -> None:
    whole, size = tuple(range(chunks)), chunks // len(held)
    for place, own in enumerate(held):
        wanted = whole[place * size : (place + 1) * size] if goal.scatters else whole
        if own != wanted and not (goal.to_root and place):
            raise PlanError(f"the plan ends with rank {place} of a group without what {goal} leaves there")
