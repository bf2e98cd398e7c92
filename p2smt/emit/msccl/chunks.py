"""The chunks of the payload that each device holds, in order, tracked through a plan.

A chunk has the same position in every device's buffer, so a permutation moves no data: it changes the order in which a
device's chunks form blocks.
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
    """A collective among `members`, the root first; `held[i]` are the chunks that member `i` holds before.

    For a collective from the root only the root's chunks matter.
    """

    collective: Collective
    members: tuple[int, ...]
    held: tuple[Chunks, ...]


def communicator(plan: Plan) -> tuple[int, ...]:
    """Return the devices of the first reduction group; every other group runs the same file.

    Raises PlanError if groups cannot share a file, on systems with units of different sizes, and for groups of one
    device.
    """
    groups = plan.groups(plan.reduction)
    if plan.tree is not None and groups.count > 1:
        raise PlanError(
            f"the plan has {groups.count} reduction groups on the irregular hierarchy {plan.tree}, but "
            "one file serves all communicators; emit it for torch"
        )
    if groups.size < 2:
        raise PlanError("every reduction group has one device, so there is nothing to reduce; reduce over more axes")
    return next(iter(groups))


def chunk_count(plan: Plan) -> int:
    """Return the least number of chunks such that every block of every step, and of its rings, has whole chunks.

    In a plan of several chunks, this holds for each of them. Raises PlanError if the number exceeds MAX_CHUNKS.
    """
    counts = [plan.multiple, plan.groups(plan.reduction).size]
    for step in plan.steps:
        if isinstance(step, CollectiveStep):
            blocks = [_blocks(step.collective, size) for size in plan.groups(step.groups).group_sizes]
            counts += [portion.parts * number for portion in step.portions for number in blocks]
    # The least common multiple: each block of each step then has a whole number of chunks.
    count = lcm(*counts) * plan.chunks
    if count > MAX_CHUNKS:
        raise PlanError(
            f"a schedule of this plan needs {count} chunks; at most {MAX_CHUNKS} are supported, so emit it for torch"
        )
    return count


def _blocks(collective: Collective, members: int) -> int:
    """Return the number of blocks into which a member's chunks are split."""
    match collective:
        case Collective.ALL_REDUCE | Collective.REDUCE_SCATTER:
            return members
        case Collective.ALL_GATHER | Collective.REDUCE | Collective.BROADCAST:
            return 1


@dataclass(frozen=True, slots=True)
class ChunkedStep:
    """A collective of the plan on all its chunks: `parts[c]` lists the groups' work on chunk `c` of the plan."""

    parts: tuple[tuple[GroupStep, ...], ...]


def chunked_steps(plan: Plan, chunks: int) -> list[ChunkedStep]:
    """Return the steps of the groups inside the first reduction group; the other reduction groups do the same.

    A chunk of the plan is a contiguous range of the payload's chunks; if the goal shards the payload, it is a range of
    every shard. Members are numbered by their positions in the reduction group. Raises PlanError for a plan that cannot
    run, or that ends with other chunks than its goal requires.
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
    """Return the steps of the groups inside the first reduction group on one chunk of the plan, of `chunks` chunks.

    Members are numbered by their positions in the reduction group. Raises PlanError for a plan that does not reach its
    goal.
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
    """Return the groups of a step that are inside the first reduction group."""
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
    """Return the chunks of each member after a step."""
    first, count = step.held[0], len(step.members)
    if step.collective.adds and any(one != first for one in step.held):
        raise PlanError(
            f"{step.collective} among {step.members} would add different chunks to each other; check "
            "the plan with p2smt verify"
        )
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
                raise PlanError(
                    f"{step.collective} among {step.members} would concatenate a chunk with itself; check the "
                    "plan with p2smt verify"
                )
            return [joined] * count


def _check_end(goal: Collective, held: Sequence[Chunks], chunks: int) -> None:
    whole, size = tuple(range(chunks)), chunks // len(held)
    for place, own in enumerate(held):
        wanted = whole[place * size : (place + 1) * size] if goal.scatters else whole
        if own != wanted and not (goal.to_root and place):
            raise PlanError(
                f"the plan ends with rank {place} of a group without the result of {goal}; check the plan "
                "with p2smt verify"
            )
