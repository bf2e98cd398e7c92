"""Smaller plans inside a plan: the same steps on fewer devices and fewer chunks.

A projection keeps devices `S` and chunks `K` of every buffer, and is consistent when every step that is left (one that
has members in `S` and chunks in `K`), and the goal, which is read as a step, is still the same step:
operations on blocks keep `{p * size + j : member p in S, j in J}` of their blocks, the same offsets `J` in each;
all others keep chunks of source and target that correspond; roots stay; averages keep the same places in all groups.

Method: a closure operator. Consistent projections are closed under intersection, so there is a smallest one around any
devices and chunks: the least fixed point of adding, step by step, what each step needs (`around`; Tarski, "A
lattice-theoretical fixpoint theorem and its applications", 1955).
Complexity: at most devices + chunks rounds over the steps, each an operation on bit sets; few rounds in practice.

Example: an AllGather of blocks of two chunks among devices 0 and 1. Chunk 0 of the target is in the block of device
0, so around device 1 and that chunk lie both devices, chunk 0 of the source, and chunks 0 and 2 of the target.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from p2smt.verify.goal import averaged, payload
from p2smt.verify.operation import blocks_of, has_blocks, has_root
from p2smt.verify.plan import Goal, Groups, Part, Step, VerificationPlan


@dataclass(frozen=True, slots=True)
class Projection:
    """Devices and chunks as bits; the chunks of all buffers stand one after the other."""

    devices: int
    chunks: int


@dataclass(frozen=True, slots=True)
class GroupPlaces:
    """Group and index in it of every device that takes part, and these devices as bits."""

    of: dict[int, tuple[int, int]]
    all: int


class Projections:
    """All projections of a plan whose steps keep the rules of shape; `work` counts steps and members looked at."""

    def __init__(self, plan: VerificationPlan) -> None:
        self.plan = plan
        self._first: dict[str, int] = {}
        total = 0
        for name, length in plan.buffers:
            self._first[name] = total
            total += length
        self._total = total
        goal = plan.goal
        self._goal = Step(goal.collective, goal.groups, goal.source, goal.target, root=goal.root)
        self._by_goal = {step.divisor for step in plan.steps if _divides_by_goal(plan, step)}
        self._places = [(step, _places(step.groups)) for step in (*plan.steps, self._goal)]
        self.work = 0

    @property
    def all(self) -> Projection:
        """The plan itself."""
        return Projection((1 << self.plan.devices) - 1, (1 << self._total) - 1)

    def source(self, chunk: int) -> int:
        """A chunk of the goal's source, as a bit."""
        return 1 << self._start(self.plan.goal.source) + chunk

    def target(self, chunk: int) -> int:
        """A chunk of the goal's target, as a bit."""
        return 1 << self._start(self.plan.goal.target) + chunk

    def devices(self, kept: Projection) -> tuple[int, ...]:
        """The devices that are kept."""
        return tuple(bits(kept.devices))

    def chunks(self, kept: Projection, part: Part) -> tuple[int, ...]:
        """The chunks of a part that are kept."""
        return tuple(bits(self._held(kept.chunks, part)))

    def size(self, kept: Projection) -> tuple[int, int]:
        """The numbers of devices and of payload chunks that are kept."""
        return kept.devices.bit_count(), self._held(kept.chunks, payload(self.plan.goal)).bit_count()

    def around(self, kept: Projection) -> Projection:
        """The smallest consistent projection that keeps at least this."""
        before = None
        # What one step adds may make an earlier one need more: until nothing is added (a least fixed point).
        while kept != before:
            before = kept
            for step, places in self._places:
                kept = self._kept_by(step, places, kept)
            self.work += len(self._places)
            if self._by_goal:
                kept = Projection(_even(self._goal.groups, self._places[-1][1], kept.devices), kept.chunks)
        return kept

    def projected(self, kept: Projection) -> VerificationPlan:
        """The plan of a consistent projection: devices and chunks are renumbered, steps keep their numbers."""
        new = {device: index for index, device in enumerate(bits(kept.devices))}
        lengths = {name: self._held(kept.chunks, Part(name, 0, n)).bit_count() for name, n in self.plan.buffers}
        steps = [new_step for number, step in self.plan.numbered for new_step in self._steps(number, step, kept, new)]
        return replace(
            self.plan,
            devices=len(new),
            buffers=tuple((name, length) for name, length in lengths.items() if length),
            goal=self._projected_goal(kept, new),
            steps=tuple(steps),
            zeros=tuple(name for name in self.plan.zeros if lengths[name]),
        )

    def _projected_goal(self, kept: Projection, new: dict[int, int]) -> Goal:
        """The goal; in its groups roots stand first if they no longer have one index, which is all that order means."""
        goal = self.plan.goal
        left = [(group, members) for group in goal.groups if (members := _renamed(group, new))]
        groups, root = tuple(members for _, members in left), goal.root
        if has_root(goal.collective):
            roots = [members.index(new[group[goal.root]]) for group, members in left]
            if len(set(roots)) > 1:
                groups = tuple((m[at], *m[:at], *m[at + 1 :]) for m, at in zip(groups, roots, strict=True))
                roots = [0]
            root = roots[0] if roots else 0
        source, target = self._part(goal.source, kept), self._part(goal.target, kept)
        return replace(goal, groups=groups, source=source, target=target, root=root)

    def _kept_by(self, step: Step, places: GroupPlaces, kept: Projection) -> Projection:
        source, target = self._held(kept.chunks, step.source), self._held(kept.chunks, step.target)
        if not source and not target:
            return kept
        devices = kept.devices
        groups = {places.of[device][0] for device in bits(devices & places.all)}
        if not groups:
            return kept
        self.work += len(groups) * len(step.groups[0])
        if has_blocks(step.operation):
            for group in groups:
                # All groups have equal sizes in such a step, so the first one tells the cost.
                devices, source, target = _product(step, step.groups[group], devices, source, target)
        else:
            source = target = source | target
        if has_root(step.operation):
            for group in groups:
                devices |= 1 << step.groups[group][step.root]
        if _averages(step):
            devices = _even(step.groups, places, devices)
        chunks = source << self._start(step.source) | target << self._start(step.target)
        return Projection(devices, kept.chunks | chunks)

    def _steps(self, number: int, step: Step, kept: Projection, new: dict[int, int]) -> Iterator[Step]:
        """The remaining part of a step; groups whose root has another place now are a step of their own."""
        if not self._held(kept.chunks, step.source):
            return
        by_root: dict[int, list[tuple[int, ...]]] = {}
        for group in step.groups:
            if members := _renamed(group, new):
                root = members.index(new[group[step.root]]) if has_root(step.operation) else 0
                by_root.setdefault(root, []).append(members)
        for root, groups in by_root.items():
            yield replace(
                step,
                groups=tuple(groups),
                source=self._part(step.source, kept),
                target=self._part(step.target, kept),
                root=root,
                in_place=step.in_place and has_blocks(step.operation),  # means nothing to others
                number=number,
                divisor=self._divisor(step, len(groups[0]), new),
            )

    def _divisor(self, step: Step, members: int, new: dict[int, int]) -> int:
        if _averages(step):
            return members
        if step.divisor in self._by_goal:
            return next(len(left) for group in self.plan.goal.groups if (left := _renamed(group, new)))
        return step.divisor

    def _part(self, part: Part, kept: Projection) -> Part:
        before = Part(part.buffer, 0, part.start)
        return Part(part.buffer, self._held(kept.chunks, before).bit_count(), self._held(kept.chunks, part).bit_count())

    def _start(self, part: Part) -> int:
        return self._first[part.buffer] + part.start

    def _held(self, chunks: int, part: Part) -> int:
        return chunks >> self._start(part) & ((1 << part.length) - 1)


def bits(number: int) -> Iterator[int]:
    """The positions of a number's ones, ascending.

    >>> list(bits(0b10011))
    [0, 1, 4]
    """
    while number:
        # `n & -n` isolates the lowest set bit.
        low = number & -number
        yield low.bit_length() - 1
        number ^= low


def _places(groups: Groups) -> GroupPlaces:
    of = {device: (number, index) for number, group in enumerate(groups) for index, device in enumerate(group)}
    return GroupPlaces(of, sum(1 << device for device in of))


def _product(step: Step, group: tuple[int, ...], devices: int, source: int, target: int) -> tuple[int, int, int]:
    """The closure of one group of a blockwise step: the kept members, and equal offsets in each kept block.

    Returns the members' bits and the chunks of source and target.
    """
    scattered, gathered = blocks_of(step.operation)
    by_index = step.in_place or (scattered and gathered)
    # Blocks belong to members on the scattered side (or on both); the other side holds one block's
    # offsets.
    blocks = source | target if by_index else source if scattered else target
    offsets = 0 if by_index else target if scattered else source
    size = (step.source.length if by_index or scattered else step.target.length) // len(group)
    one = (1 << size) - 1
    members = []
    for index, device in enumerate(group):
        block = blocks >> (index * size) & one
        offsets |= block
        if block or devices >> device & 1:
            members.append(index)
            devices |= 1 << device
    blocks = 0
    for index in members:
        blocks |= offsets << (index * size)
    if by_index:
        return devices, blocks, blocks
    return (devices, blocks, offsets) if scattered else (devices, offsets, blocks)


def _even(groups: Groups, places: GroupPlaces, devices: int) -> int:
    """The devices after adding, for each kept member's index, the members of that index in all groups in use."""
    taken = [places.of[device] for device in bits(devices & places.all)]
    for group in {group for group, _ in taken}:
        for index in {index for _, index in taken}:
            devices |= 1 << groups[group][index]
    return devices


def _averages(step: Step) -> bool:
    return step.divisor > 1 and all(len(group) == step.divisor for group in step.groups)


def _divides_by_goal(plan: VerificationPlan, step: Step) -> bool:
    groups = averaged(plan.goal)
    return step.divisor > 1 and not _averages(step) and bool(groups) and all(len(g) == step.divisor for g in groups)


def _renamed(group: tuple[int, ...], new: dict[int, int]) -> tuple[int, ...]:
    return tuple(new[device] for device in group if device in new)
