"""Random plans: right ones by divide and conquer on any groups, and wrong ones with something changed in them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from random import Random

from p2smt.collective import Collective, Exchange
from p2smt.verify.operation import OPERATIONS, LocalOperation, Operation, adds_members, has_blocks
from p2smt.verify.plan import BufferRange, Goal, VerificationPlan, VerificationStep

Groups = list[list[int]]

CHUNKS = (1, 2, 3, 4, 6, 8, 12)


@dataclass
class Maker:
    """Steps that leave in `part` of every member the sum over its group; scratch buffers as they are needed."""

    random: Random
    buffers: dict[str, int]
    depth: int = 0
    ways: set[str] = field(default_factory=set)

    def reduction(self, groups: Groups, part: BufferRange) -> list[VerificationStep]:
        """All groups are of one size."""
        size = len(groups[0])
        if size == 1:
            return []
        ways: list[Callable[[Groups, BufferRange], list[VerificationStep]]] = [
            self.at_once,
            self.by_root,
            self.chain,
            self.elsewhere,
        ]
        ways += [self.by_hand, self.signs]
        if part.length > 1:
            ways.append(self.buckets)
        if part.length % size == 0:
            ways += [self.scattered, self.scattered_in_place, self.there_and_back]
        if any(size % inner == 0 for inner in range(2, size)):
            ways += [self.levels, self.levels_by_root, self.levels_scattered, self.levels_in_place] * 2
        self.depth += 1
        way = self.random.choice(ways) if self.depth < 12 else self.at_once
        self.ways.add(way.__name__)
        return way(groups, part)

    def at_once(self, groups: Groups, part: BufferRange) -> list[VerificationStep]:
        return [step(Collective.ALL_REDUCE, groups, part)]

    def by_root(self, groups: Groups, part: BufferRange) -> list[VerificationStep]:
        root = self.random.randrange(len(groups[0]))
        back = self.random.choice([Collective.BROADCAST, Exchange.SEND])
        return [step(Collective.REDUCE, groups, part, root=root), step(back, groups, part, root=root)]

    def chain(self, groups: Groups, part: BufferRange) -> list[VerificationStep]:
        """The sum goes from member to member, and back or at once to all."""
        size = len(groups[0])
        adding = self.random.choice([Collective.REDUCE, Collective.ALL_REDUCE])
        up = [step(adding, [[g[i + 1], g[i]] for g in groups], part) for i in range(size - 1)]
        if self.random.random() < 0.5:
            return [*up, step(Collective.BROADCAST, groups, part, root=size - 1)]
        return [*up, *(step(Exchange.SEND, [[g[i], g[i - 1]] for g in groups], part) for i in range(size - 1, 0, -1))]

    def by_hand(self, groups: Groups, part: BufferRange) -> list[VerificationStep]:
        """The root receives and adds one part after the other."""
        root, size, wire = self.random.randrange(len(groups[0])), len(groups[0]), self.scratch(part.length)
        found = []
        for place in range(size):
            if place != root:
                found.append(step(Exchange.SEND, [[g[place], g[root]] for g in groups], part, wire))
                found.append(step(LocalOperation.ADD, [[g[root]] for g in groups], wire, part))
        return [*found, step(Collective.BROADCAST, groups, part, root=root)]

    def signs(self, groups: Groups, part: BufferRange) -> list[VerificationStep]:
        """The other sign is reduced; or what every member has is taken out of the sum, and put in again."""
        alone = [[device] for group in groups for device in group]
        if self.random.random() < 0.5:
            turned = step(LocalOperation.NEGATE, alone, part)
            return [turned, *self.reduction(groups, part), turned]
        own = self.scratch(part.length)
        return [
            step(LocalOperation.NEGATE, alone, part, own),
            *self.reduction(groups, part),
            step(LocalOperation.ADD, alone, own, part),
            step(LocalOperation.NEGATE, alone, own),
            step(LocalOperation.ADD, alone, own, part),
        ]

    def elsewhere(self, groups: Groups, part: BufferRange) -> list[VerificationStep]:
        """The sum is made in another buffer and copied back."""
        other = self.scratch(part.length)
        alone = [[device] for group in groups for device in group]
        back = self.random.choice([LocalOperation.COPY, LocalOperation.SCALE, Collective.BROADCAST])
        return [step(Collective.ALL_REDUCE, groups, part, other), step(back, alone, other, part)]

    def buckets(self, groups: Groups, part: BufferRange) -> list[VerificationStep]:
        cut = self.random.randrange(1, part.length)
        first = BufferRange(part.buffer, part.start, cut)
        return self.reduction(groups, first) + self.reduction(
            groups, BufferRange(part.buffer, first.end, part.length - cut)
        )

    def scattered(self, groups: Groups, part: BufferRange) -> list[VerificationStep]:
        shard = self.scratch(part.length // len(groups[0]))
        return [
            step(Collective.REDUCE_SCATTER, groups, part, shard),
            step(Collective.ALL_GATHER, groups, shard, part),
        ]

    def scattered_in_place(self, groups: Groups, part: BufferRange) -> list[VerificationStep]:
        return [
            step(Collective.REDUCE_SCATTER, groups, part, in_place=True),
            step(Collective.ALL_GATHER, groups, part, in_place=True),
        ]

    def there_and_back(self, groups: Groups, part: BufferRange) -> list[VerificationStep]:
        other = self.scratch(part.length)
        return [
            step(Exchange.ALL_TO_ALL, groups, part, other),
            step(Exchange.ALL_TO_ALL, groups, other, part),
            *self.reduction(groups, part),
        ]

    def levels(self, groups: Groups, part: BufferRange) -> list[VerificationStep]:
        inner, outer = self.split(groups)
        found = [*self.reduction(inner, part)]
        for across in outer:
            found += self.reduction(across, part)
        return found

    def levels_by_root(self, groups: Groups, part: BufferRange) -> list[VerificationStep]:
        inner, outer = self.split(groups)
        root = self.random.randrange(len(inner[0]))
        return [
            step(Collective.REDUCE, inner, part, root=root),
            *self.reduction(outer[root], part),
            step(self.random.choice([Collective.BROADCAST, Exchange.SEND]), inner, part, root=root),
        ]

    def levels_scattered(self, groups: Groups, part: BufferRange) -> list[VerificationStep]:
        inner, outer = self.split(groups)
        if part.length % len(inner[0]):
            return self.at_once(groups, part)
        shard = self.scratch(part.length // len(inner[0]))
        return [
            step(Collective.REDUCE_SCATTER, inner, part, shard),
            *self.reduction([group for across in outer for group in across], shard),
            step(Collective.ALL_GATHER, inner, shard, part),
        ]

    def levels_in_place(self, groups: Groups, part: BufferRange) -> list[VerificationStep]:
        inner, outer = self.split(groups)
        if part.length % len(inner[0]):
            return self.at_once(groups, part)
        block = part.length // len(inner[0])
        found = [step(Collective.REDUCE_SCATTER, inner, part, in_place=True)]
        for place, across in enumerate(outer):
            found += self.reduction(across, BufferRange(part.buffer, part.start + place * block, block))
        return [*found, step(Collective.ALL_GATHER, inner, part, in_place=True)]

    def split(self, groups: Groups) -> tuple[Groups, list[Groups]]:
        """Every group as a matrix: its rows, and per place in a row the groups of those at this place."""
        size = len(groups[0])
        width = self.random.choice([inner for inner in range(2, size) if size % inner == 0])
        rows = [[group[first : first + width] for first in range(0, size, width)] for group in groups]
        across = [[[row[place] for row in matrix] for matrix in rows] for place in range(width)]
        return [row for matrix in rows for row in matrix], across

    def scratch(self, length: int) -> BufferRange:
        name = f"scratch{len(self.buffers)}"
        self.buffers[name] = length
        return BufferRange(name, 0, length)


def step(
    operation: Operation,
    groups: Groups,
    source: BufferRange,
    target: BufferRange | None = None,
    root: int = 0,
    in_place: bool = False,
) -> VerificationStep:
    return VerificationStep(
        operation, tuple(map(tuple, groups)), source, target or source, root=root, in_place=in_place
    )


def groups_of(random: Random) -> tuple[int, Groups]:
    """How many devices, and groups of one size of some of them; in half of them groups follow the devices' order."""
    devices = random.randrange(2, 17)
    size = random.choice([size for size in range(2, devices + 1) if devices % size == 0 or random.random() < 0.2])
    order = list(range(devices))
    if random.random() < 0.5:
        random.shuffle(order)
    return devices, [order[first : first + size] for first in range(0, devices - size + 1, size)]


def right_plan(random: Random) -> tuple[VerificationPlan, set[str]]:
    """A plan that reduces `data` in place, and the ways that it takes."""
    devices, groups = groups_of(random)
    size = len(groups[0])
    chunks = random.choice([*CHUNKS, size, 2 * size if size < 7 else size])
    maker = Maker(random, {"data": chunks})
    steps = maker.reduction(groups, BufferRange("data", 0, chunks))
    return all_reduce(devices, maker.buffers, groups, steps), maker.ways


def all_reduce(
    devices: int, buffers: dict[str, int], groups: Groups, steps: list[VerificationStep]
) -> VerificationPlan:
    """A plan whose goal is an AllReduce of all of the first buffer, in place."""
    data = BufferRange(next(iter(buffers)), 0, next(iter(buffers.values())))
    goal = Goal(collective=Collective.ALL_REDUCE, groups=tuple(map(tuple, groups)), source=data, target=data)
    return VerificationPlan(devices=devices, buffers=tuple(buffers.items()), goal=goal, steps=tuple(steps))


def damaged(plan: VerificationPlan, random: Random) -> VerificationPlan:
    """One step dropped, doubled or moved, its operation, root, devices, part or way of writing changed; or the goal."""
    steps = list(plan.steps)
    if not steps:
        return plan
    place = random.randrange(len(steps))
    match random.randrange(10):
        case 0:
            del steps[place]
        case 1:
            steps.insert(random.randrange(len(steps) + 1), steps[place])
        case 2:
            steps.insert(random.randrange(len(steps)), steps.pop(place))
        case 3:
            return _other_goal(plan, random)
        case _:
            steps[place] = random.choice(list(_changed(plan, steps[place], random)))
    return replace(plan, steps=tuple(steps))


def _other_goal(plan: VerificationPlan, random: Random) -> VerificationPlan:
    """Fewer devices, another order of members, another root, or the average instead of the sum."""
    goal, groups = plan.goal, plan.goal.groups
    fewer = random.randrange(2, min(map(len, groups)) + 1)
    others = [
        replace(goal, groups=tuple(tuple(random.sample(group, len(group))) for group in groups)),
        replace(goal, groups=groups[1:] or groups),
    ]
    if goal.collective in (Collective.REDUCE, Collective.BROADCAST):
        others.append(replace(goal, root=random.randrange(min(map(len, groups)))))
    if not has_blocks(goal.collective):
        others.append(replace(goal, groups=tuple(group[:fewer] for group in groups), root=0))
    if adds_members(goal.collective):
        others.append(replace(goal, average=not goal.average))
    return replace(plan, goal=random.choice(others))


def _changed(plan: VerificationPlan, old: VerificationStep, random: Random) -> Iterator[VerificationStep]:
    yield replace(old, operation=random.choice(OPERATIONS), in_place=False)
    yield replace(old, divisor=random.choice([1, 2, 3]))
    yield replace(old, root=random.choice([*range(min(map(len, old.groups), default=1)), -1, plan.devices]))
    yield replace(old, in_place=not old.in_place)
    yield replace(old, groups=tuple(random.sample(old.groups, max(0, len(old.groups) - 1))))
    yield replace(old, groups=tuple(tuple(random.sample(group, len(group))) for group in old.groups))
    one, other = random.randrange(plan.devices), random.randrange(plan.devices)
    swap = {one: other, other: one}
    yield replace(old, groups=tuple(tuple(swap.get(device, device) for device in group) for group in old.groups))
    yield replace(old, groups=tuple(tuple(other if device == one else device for device in g) for g in old.groups))
    if random.random() < 0.3:
        outside = plan.devices if random.random() < 0.5 else -1
        yield replace(old, groups=(*old.groups, (outside,)))
    moved = _moved(old.source, random)
    yield replace(old, source=moved, target=moved)
    yield replace(old, source=_moved(old.source, random))
    yield replace(old, target=_moved(old.target, random))
    name, length = random.choice(plan.buffers)
    yield replace(old, target=BufferRange(name, random.randrange(length), old.target.length))


def _moved(part: BufferRange, random: Random) -> BufferRange:
    if random.random() < 0.5:
        return replace(part, start=part.start + random.choice([-1, 1]))
    return replace(part, length=max(0, part.length + random.choice([-1, 1])))
