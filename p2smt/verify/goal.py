"""The required contents of a goal's target, and checks of goals."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from p2smt.collective import Collective, Exchange
from p2smt.errors import VerifyError
from p2smt.verify.operation import GoalCollective, adds_members, blocks_of, has_root, written
from p2smt.verify.plan import BufferRange, Goal, Groups, VerificationPlan
from p2smt.wording import listed


class WantedResult(NamedTuple):
    """A required result: the sum or average of these devices' contributions to a chunk."""

    chunk: int
    contributors: tuple[int, ...]


def wanted(goal: Goal, group: tuple[int, ...], member: int) -> list[WantedResult]:
    """Return the results required on the member with this index, by chunk of the target; empty if there are none.

    >>> chunk, both = BufferRange("x", 0, 1), BufferRange("y", 0, 2)
    >>> goal = Goal(collective=Collective.ALL_GATHER, groups=((4, 7),), source=chunk, target=both)
    >>> wanted(goal, (4, 7), 0)
    [WantedResult(chunk=0, contributors=(4,)), WantedResult(chunk=0, contributors=(7,))]
    """
    match goal.collective:
        case Collective.ALL_REDUCE:
            return [WantedResult(chunk, group) for chunk in range(goal.target.length)]
        case Collective.REDUCE_SCATTER:
            first = member * goal.target.length
            return [WantedResult(first + chunk, group) for chunk in range(goal.target.length)]
        case Collective.ALL_GATHER:
            return [WantedResult(chunk, (device,)) for device in group for chunk in range(goal.source.length)]
        case Collective.REDUCE:
            return [WantedResult(chunk, group) for chunk in range(goal.target.length) if member == goal.root]
        case Collective.BROADCAST:
            return [WantedResult(chunk, (group[goal.root],)) for chunk in range(goal.target.length)]
        case Exchange.ALL_TO_ALL:
            size = goal.source.length // len(group)
            return [WantedResult(member * size + chunk, (device,)) for device in group for chunk in range(size)]


def payload(goal: Goal) -> BufferRange:
    """Return the whole reduced or moved part: the longer of source and target."""
    return goal.source if goal.source.length > goal.target.length else goal.target


def goal_on(
    collective: GoalCollective,
    groups: Groups,
    source: BufferRange,
    target: BufferRange,
    *,
    root: int = 0,
    average: bool = False,
) -> Goal:
    """Return a goal whose payload begins in one part and ends in another; shards are their first chunks.

    Raises VerifyError if the payload cannot be sharded.
    """
    sizes = sorted({len(group) for group in groups})
    scattered, gathered = blocks_of(collective)
    shards = scattered != gathered
    if (scattered or gathered) and (len(sizes) > 1 or any(source.length % size for size in sizes)):
        raise VerifyError(
            f"goal: {source} does not divide into equal shards for groups of {' and of '.join(map(str, sizes))}; "
            f"{collective} cuts it into one for each member"
        )
    shard = source.length // max(sizes, default=1)
    return Goal(
        collective=collective,
        groups=groups,
        source=replace(source, length=shard) if shards and gathered else source,
        target=replace(target, length=shard) if shards and scattered else target,
        root=root,
        average=average,
    )


def check_goal(goal: Goal, devices: int, buffers: Sequence[tuple[str, int]]) -> None:
    """Raise VerifyError unless devices and parts exist, devices are not repeated, and lengths fit the collective."""
    lengths = dict(buffers)
    for part in (goal.source, goal.target):
        if part.length < 1 or part.start < 0 or part.end > lengths[part.buffer]:
            raise VerifyError(f"goal: {part} lies outside the buffer, which has {lengths[part.buffer]} chunks")
    if goal.average and not adds_members(goal.collective):
        raise VerifyError(f"goal: {goal.collective} does not reduce, so it has no average; leave the average out")
    if goal.root and not has_root(goal.collective):
        raise VerifyError(f"goal: {goal.collective} has no root; leave root out")
    seen: set[int] = set()
    for group in goal.groups:
        for device in group:
            if not 0 <= device < devices or device in seen:
                raise VerifyError(
                    f"goal: device {device} is repeated or out of range; name devices 0 to {devices - 1}, each "
                    "at most once"
                )
            seen.add(device)
        _check_group(goal, group)


def _check_group(goal: Goal, group: tuple[int, ...]) -> None:
    if not 0 <= goal.root < len(group):
        raise VerifyError(
            f"goal: root {goal.root} is not an index in group {listed(group)}; indices are 0 to {len(group) - 1}"
        )
    target = written(goal.collective, goal.source.length, len(group))
    if target != goal.target.length:
        has = "which does not divide into equal shards" if target is None else f"which makes {target} chunks"
        raise VerifyError(
            f"goal: {goal.collective} among {listed(group)} of {goal.source}, {has}, ends in {goal.target}"
        )


def averaged(goal: Goal) -> Groups:
    """Return the groups whose members are averaged; empty for sums."""
    return goal.groups if goal.average else ()


def results(plan: VerificationPlan) -> int:
    """Return the number of chunks that the goal specifies: the target on every member, or on the root of a Reduce."""
    goal = plan.goal
    at_root = goal.collective is Collective.REDUCE  # only: all others leave something at every member
    return goal.target.length * sum(1 if at_root else len(group) for group in goal.groups)
