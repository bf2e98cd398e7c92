"""Random right plans for every goal, with averages, divisions, integers and buffers of zeros."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from verify.random_plans import Groups, Maker, groups_of, step

from p2smt.collective import Collective, Exchange
from p2smt.verify.operation import GoalCollective, LocalOperation, adds_members
from p2smt.verify.plan import BufferRange, Goal, VerificationPlan, VerificationStep


class GoalMaker(Maker):
    """Steps from a goal's source to its target; `zeros` are buffers that hold zeros at first."""

    def __init__(self, random: Random, buffers: dict[str, int]) -> None:
        super().__init__(random, buffers)
        self.zeros: list[str] = []

    def steps(self, goal: Goal) -> list[VerificationStep]:
        groups, shard = list(map(list, goal.groups)), min(goal.source.length, goal.target.length)
        ways: dict[GoalCollective, list[Callable[[Groups, Goal, int], list[VerificationStep]]]] = {
            Collective.ALL_REDUCE: [self.reduced, self.by_zeros],
            Collective.REDUCE_SCATTER: [self.scatter, self.own_block, self.exchanged, self.scatter_by_levels],
            Collective.ALL_GATHER: [self.gather, self.block_by_block, self.blocks_on_zeros, self.gather_by_levels],
            Collective.REDUCE: [self.to_root, self.reduced, self.by_zeros, self.scattered_to_root],
            Collective.BROADCAST: [self.from_root, self.scattered_from_root, self.zeros_elsewhere],
            Exchange.ALL_TO_ALL: [
                self.exchange,
                self.sent_one_by_one,
                self.reduced_and_picked,
            ],
        }
        way = self.random.choice(ways[goal.collective])
        self.ways.add(f"{goal.collective}: {way.__name__}")
        return way(groups, goal, shard)

    def zero(self, length: int) -> BufferRange:
        part = self.scratch(length)
        self.zeros.append(part.buffer)
        return part

    def alone(self, groups: Groups) -> Groups:
        return [[device] for group in groups for device in group]

    def copy(self, devices: Groups, source: BufferRange, target: BufferRange) -> list[VerificationStep]:
        return [] if source == target else [step(LocalOperation.COPY, devices, source, target)]

    def blocks(self, part: BufferRange, shard: int) -> list[BufferRange]:
        return [BufferRange(part.buffer, part.start + first, shard) for first in range(0, part.length, shard)]

    def moved(self, groups: Groups, goal: Goal) -> tuple[list[VerificationStep], BufferRange]:
        """The source, or a copy of it that may be overwritten."""
        if goal.collective is not Collective.ALL_GATHER and self.random.random() < 0.5:
            return [], goal.source
        part = self.scratch(goal.source.length)
        return self.copy(self.alone(groups), goal.source, part), part

    # AllReduce, Reduce

    def reduced(self, groups: Groups, goal: Goal, shard: int) -> list[VerificationStep]:
        first, part = self.moved(groups, goal)
        return [*first, *self.reduction(groups, part), *self.copy(self.alone(groups), part, goal.target)]

    def by_zeros(self, groups: Groups, goal: Goal, shard: int) -> list[VerificationStep]:
        """Added to zeros before or after they are reduced."""
        sums, everyone = self.zero(goal.source.length), self.alone(groups)
        add = [step(LocalOperation.ADD, everyone, goal.source, sums)]
        if self.random.random() < 0.5:
            return [*add, *self.reduction(groups, sums), *self.copy(everyone, sums, goal.target)]
        return [*self.reduction(groups, goal.source), *add, *self.copy(everyone, sums, goal.target)]

    def to_root(self, groups: Groups, goal: Goal, shard: int) -> list[VerificationStep]:
        return [step(Collective.REDUCE, groups, goal.source, goal.target, root=goal.root)]

    def scattered_to_root(self, groups: Groups, goal: Goal, shard: int) -> list[VerificationStep]:
        size, part = len(groups[0]), self.scratch(goal.source.length)
        if part.length % size:
            return self.to_root(groups, goal, shard)
        found = self.copy(self.alone(groups), goal.source, part)
        found.append(step(Collective.REDUCE_SCATTER, groups, part, in_place=True))
        for index, block in enumerate(self.blocks(part, part.length // size)):
            pairs = [[group[index], group[goal.root]] for group in groups]
            found += [] if index == goal.root else [step(Exchange.SEND, pairs, block)]
        return [*found, *self.copy([[group[goal.root]] for group in groups], part, goal.target)]

    # ReduceScatter

    def scatter(self, groups: Groups, goal: Goal, shard: int) -> list[VerificationStep]:
        wire = self.scratch(shard)
        return [
            step(Collective.REDUCE_SCATTER, groups, goal.source, wire),
            *self.copy(self.alone(groups), wire, goal.target),
        ]

    def own_block(self, groups: Groups, goal: Goal, shard: int) -> list[VerificationStep]:
        """Everyone has the sum, and takes its block."""
        first, part = self.moved(groups, goal)
        found, wire = [*first, *self.reduction(groups, part)], self.scratch(shard)
        for index, block in enumerate(self.blocks(part, shard)):
            found += self.copy([[group[index]] for group in groups], block, wire)
        return [*found, *self.copy(self.alone(groups), wire, goal.target)]

    def exchanged(self, groups: Groups, goal: Goal, shard: int) -> list[VerificationStep]:
        """Blocks to where they belong, and added there."""
        came, sums = self.scratch(goal.source.length), self.zero(shard)
        found = [step(Exchange.ALL_TO_ALL, groups, goal.source, came)]
        found += [step(LocalOperation.ADD, self.alone(groups), block, sums) for block in self.blocks(came, shard)]
        return [*found, *self.copy(self.alone(groups), sums, goal.target)]

    def scatter_by_levels(self, groups: Groups, goal: Goal, shard: int) -> list[VerificationStep]:
        if not any(len(groups[0]) % inner == 0 for inner in range(2, len(groups[0]))):
            return self.scatter(groups, goal, shard)
        inner, outer = self.split(groups)
        half = self.scratch(shard * len(inner[0]))
        across = [group for place in outer for group in place]
        return [
            step(Collective.REDUCE_SCATTER, across, goal.source, half),
            *self.scatter(inner, replace(goal, source=half), shard),
        ]

    # AllGather

    def gather(self, groups: Groups, goal: Goal, shard: int) -> list[VerificationStep]:
        first, part = self.moved(groups, goal)
        return [*first, step(Collective.ALL_GATHER, groups, part, goal.target)]

    def block_by_block(self, groups: Groups, goal: Goal, shard: int) -> list[VerificationStep]:
        found, part = self.moved(groups, goal)
        whole = self.scratch(goal.target.length)
        for index, block in enumerate(self.blocks(whole, shard)):
            found += self.copy([[group[index]] for group in groups], part, block)
            found.append(step(Collective.BROADCAST, groups, block, root=index))
        return [*found, *self.copy(self.alone(groups), whole, goal.target)]

    def blocks_on_zeros(self, groups: Groups, goal: Goal, shard: int) -> list[VerificationStep]:
        whole, found = self.zero(goal.target.length), []
        for index, block in enumerate(self.blocks(whole, shard)):
            found += self.copy([[group[index]] for group in groups], goal.source, block)
        return [*found, *self.reduction(groups, whole), *self.copy(self.alone(groups), whole, goal.target)]

    def gather_by_levels(self, groups: Groups, goal: Goal, shard: int) -> list[VerificationStep]:
        if not any(len(groups[0]) % inner == 0 for inner in range(2, len(groups[0]))):
            return self.gather(groups, goal, shard)
        inner, outer = self.split(groups)
        first, part = self.moved(groups, goal)
        half = self.scratch(shard * len(inner[0]))
        across = [group for place in outer for group in place]
        return [
            *first,
            step(Collective.ALL_GATHER, inner, part, half),
            step(Collective.ALL_GATHER, across, half, goal.target),
        ]

    # Broadcast

    def from_root(self, groups: Groups, goal: Goal, shard: int) -> list[VerificationStep]:
        return [step(Collective.BROADCAST, groups, goal.source, goal.target, root=goal.root)]

    def scattered_from_root(self, groups: Groups, goal: Goal, shard: int) -> list[VerificationStep]:
        size, part = len(groups[0]), self.scratch(goal.source.length)
        if part.length % size:
            return self.from_root(groups, goal, shard)
        found = self.copy([[group[goal.root]] for group in groups], goal.source, part)
        for index, block in enumerate(self.blocks(part, part.length // size)):
            pairs = [[group[goal.root], group[index]] for group in groups]
            found += [] if index == goal.root else [step(Exchange.SEND, pairs, block)]
        found.append(step(Collective.ALL_GATHER, groups, part, in_place=True))
        return [*found, *self.copy(self.alone(groups), part, goal.target)]

    def zeros_elsewhere(self, groups: Groups, goal: Goal, shard: int) -> list[VerificationStep]:
        zeros, part = self.zero(goal.source.length), self.scratch(goal.source.length)
        roots = [[group[goal.root]] for group in groups]
        rest = [[device] for group in groups for index, device in enumerate(group) if index != goal.root]
        found = [*self.copy(roots, goal.source, part), *self.copy(rest, zeros, part)]
        return [*found, *self.reduction(groups, part), *self.copy(self.alone(groups), part, goal.target)]

    # AllToAll

    def exchange(self, groups: Groups, goal: Goal, shard: int) -> list[VerificationStep]:
        first, part = self.moved(groups, goal)
        return [*first, step(Exchange.ALL_TO_ALL, groups, part, goal.target)]

    def sent_one_by_one(self, groups: Groups, goal: Goal, shard: int) -> list[VerificationStep]:
        """Every block by a message of its own."""
        first, part = self.moved(groups, goal)
        size, came = len(groups[0]), self.scratch(goal.source.length)
        sent, got = (self.blocks(of, part.length // size) for of in (part, came))
        found = [*first]
        for i in range(size):
            for j in range(size):
                pairs = [[group[i], group[j]] for group in groups]
                one = [[group[i]] for group in groups]
                found.append(
                    step(Exchange.SEND, pairs, sent[j], got[i]) if i != j else self.copy(one, sent[i], got[i])[0]
                )
        return [*found, *self.copy(self.alone(groups), came, goal.target)]

    def reduced_and_picked(self, groups: Groups, goal: Goal, shard: int) -> list[VerificationStep]:
        """Everyone gets everything, as a sum with zeros, and keeps what is for it."""
        whole, found = self.zero(goal.source.length * len(groups[0])), []
        for i, contribution in enumerate(self.blocks(whole, goal.source.length)):
            found += self.copy([[group[i]] for group in groups], goal.source, contribution)
        found += self.reduction(groups, whole)
        size, length = len(groups[0]), goal.source.length
        kept = self.scratch(length)
        for contribution, target in zip(self.blocks(whole, length), self.blocks(kept, length // size), strict=True):
            for j, block in enumerate(self.blocks(contribution, length // size)):
                found += self.copy([[group[j]] for group in groups], block, target)
        return [*found, *self.copy(self.alone(groups), kept, goal.target)]


def right_plan_for(random: Random, collective: GoalCollective, largest: int = 16) -> tuple[VerificationPlan, set[str]]:
    """A plan that reaches a goal, in real numbers, and the ways that it takes; averages where there can be some."""
    devices, groups = groups_of(random)
    while devices > largest:
        devices, groups = groups_of(random)
    goal, buffers = _goal(random, collective, groups)
    maker = GoalMaker(random, buffers)
    steps = maker.steps(goal)
    plan = VerificationPlan(
        devices=devices,
        buffers=tuple(maker.buffers.items()),
        goal=goal,
        steps=tuple(steps),
        zeros=tuple(maker.zeros),
    )
    if random.random() < 0.4:
        plan = with_divisions(plan, random)
    return plan, maker.ways


def _goal(random: Random, collective: GoalCollective, groups: Groups) -> tuple[Goal, dict[str, int]]:
    """In place, from the beginning of one buffer, or from one buffer to another, with room around."""
    size, shard = len(groups[0]), random.choice([1, 1, 2, 3])
    cut = collective in (Collective.REDUCE_SCATTER, Collective.ALL_GATHER, Exchange.ALL_TO_ALL)
    whole = shard * size if cut else random.choice([1, 2, 3, 4, size])
    source = shard if collective is Collective.ALL_GATHER else whole
    target = shard if collective is Collective.REDUCE_SCATTER else whole
    if random.random() < 0.5:
        names, room = ("data", "data"), (0, 0)
    else:
        names, room = ("data", "out"), (random.randrange(2), random.randrange(2))
    buffers = {"data": whole + room[0] + 1}
    if names[1] == "out":
        buffers = {"data": source + 1 + room[0], "out": target + room[1]}
    parts = BufferRange(names[0], room[0], source), BufferRange(names[1], room[1], target)
    root = random.randrange(size) if collective in (Collective.REDUCE, Collective.BROADCAST) else 0
    named = tuple(map(tuple, groups))
    return Goal(collective=collective, groups=named, source=parts[0], target=parts[1], root=root), buffers


def with_divisions(plan: VerificationPlan, random: Random) -> VerificationPlan:
    """An average where the goal can be one; or contributions counted too often, and divided by so much."""
    size, steps = len(plan.goal.groups[0]), list(plan.steps)
    if not adds_members(plan.goal.collective) or random.random() < 0.3:
        factor = random.choice([2, 3])
        everyone = [[device] for device in range(plan.devices)]
        wire = BufferRange("again", 0, plan.goal.source.length)
        again = [step(LocalOperation.COPY, everyone, plan.goal.source, wire)]
        again += [step(LocalOperation.ADD, everyone, wire, plan.goal.source)] * (factor - 1)
        plan = replace(plan, buffers=(*plan.buffers, ("again", wire.length)))
        return replace(plan, steps=(*again, *_divided(plan, steps, factor, random)))
    plan = replace(plan, goal=replace(plan.goal, average=True))
    return replace(plan, steps=tuple(_divided(plan, steps, size, random)))


def _divided(
    plan: VerificationPlan, steps: list[VerificationStep], divisor: int, random: Random
) -> list[VerificationStep]:
    """Everything that is held is divided somewhere on the way, at once or by one factor after the other."""
    split = [a for a in range(2, divisor) if divisor % a == 0 and random.random() < 0.5]
    factors = [split[0], divisor // split[0]] if split else [divisor]
    for factor in factors:
        at = random.choice([0, len(steps), len(steps), random.randrange(len(steps) + 1)])
        everyone = [[device] for device in range(plan.devices)]
        held = [BufferRange(name, 0, length) for name, length in plan.buffers if name != "again"]
        scales = [replace(step(LocalOperation.SCALE, everyone, part), divisor=factor) for part in held]
        steps = [*steps[:at], *scales, *steps[at:]]
    return steps
