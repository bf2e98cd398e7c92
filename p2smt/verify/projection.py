"""Smaller plans within a plan: the same steps on fewer devices and fewer chunks.

A projection keeps devices `S`, and chunks `K` of every buffer. It is consistent if every remaining step (with
members in `S` and chunks in `K`), and the goal, treated as a step, is still the same operation. Operations on
blocks keep the same offsets `J` in every kept block, `{p * size + j : member p in S, j in J}`. All others keep
corresponding chunks of source and target. Roots are kept, and averages keep the same indices in all groups.

Method: a closure operator. Consistent projections are closed under intersection, so that there is a smallest
one around any devices and chunks: the least fixed point of adding what each step needs (`around`; Tarski, "A
lattice-theoretical fixpoint theorem and its applications", 1955).

    around(S, K) = least fixed point of  (S, K) := (S, K) with what every step that touches them needs.

Complexity: at most devices + chunks rounds over the steps, each an operation on bit sets; few rounds in
practice.

Example: an AllGather of blocks of two chunks among devices 0 and 1. Chunk 0 of the target is in the block of
device 0, so the projection around device 1 and that chunk contains both devices, chunk 0 of the source, and
chunks 0 and 2 of the target.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from p2smt.verify.goal import averaged, payload
from p2smt.verify.operation import blocks_of, has_blocks, has_root
from p2smt.verify.plan import BufferRange, Goal, Groups, VerificationPlan, VerificationStep


@dataclass(frozen=True, slots=True)
class Projection:
    """The kept devices and chunks as bit masks; chunks of all buffers are numbered consecutively."""

    devices: int
    chunks: int


@dataclass(frozen=True, slots=True)
class GroupPlaces:
    """The group and the index in it of every participating device, and these devices as a bit mask."""

    of: dict[int, tuple[int, int]]
    all: int


class Projections:
    """All projections of a plan whose steps satisfy the rules of shape; `work` counts examined steps and members."""

    def __init__(self, plan: VerificationPlan) -> None:
        self.plan = plan
        self._first: dict[str, int] = {}
        total = 0
        for name, length in plan.buffers:
            self._first[name] = total
            total += length
        self._total = total
        goal = plan.goal
        self._goal = VerificationStep(goal.collective, goal.groups, goal.source, goal.target, root=goal.root)
        self._by_goal = {step.divisor for step in plan.steps if _divides_by_goal(plan, step)}
        self._places = [(step, _places(step.groups)) for step in (*plan.steps, self._goal)]
        self.work = 0

    @property
    def all(self) -> Projection:
        """The projection that keeps everything."""
        return Projection((1 << self.plan.devices) - 1, (1 << self._total) - 1)

    def source(self, chunk: int) -> int:
        """Return a chunk of the goal's source as a bit mask."""
        return 1 << self._start(self.plan.goal.source) + chunk

    def target(self, chunk: int) -> int:
        """Return a chunk of the goal's target as a bit mask."""
        return 1 << self._start(self.plan.goal.target) + chunk

    def devices(self, kept: Projection) -> tuple[int, ...]:
        """Return the kept devices."""
        return tuple(bits(kept.devices))

    def chunks(self, kept: Projection, part: BufferRange) -> tuple[int, ...]:
        """Return the kept chunks of a part."""
        return tuple(bits(self._held(kept.chunks, part)))

    def size(self, kept: Projection) -> tuple[int, int]:
        """Return the number of kept devices and of kept payload chunks."""
        return kept.devices.bit_count(), self._held(kept.chunks, payload(self.plan.goal)).bit_count()

    def around(self, kept: Projection) -> Projection:
        """Return the smallest consistent projection that contains the given one."""
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
        """Return the plan of a consistent projection.

        Devices and chunks are renumbered, and steps keep their numbers.
        """
        new = {device: index for index, device in enumerate(bits(kept.devices))}
        lengths = {name: self._held(kept.chunks, BufferRange(name, 0, n)).bit_count() for name, n in self.plan.buffers}
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
        """Return the projected goal; roots are moved to the front of their groups if their indices now differ.

        This is allowed because the order of members only matters for the root in such goals.
        """
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

    def _kept_by(self, step: VerificationStep, places: GroupPlaces, kept: Projection) -> Projection:
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

    def _steps(
        self, number: int, step: VerificationStep, kept: Projection, new: dict[int, int]
    ) -> Iterator[VerificationStep]:
        """Yield the remaining parts of a step; groups whose root now has another index become a separate step."""
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

    def _divisor(self, step: VerificationStep, members: int, new: dict[int, int]) -> int:
        if _averages(step):
            return members
        if step.divisor in self._by_goal:
            return next(len(left) for group in self.plan.goal.groups if (left := _renamed(group, new)))
        return step.divisor

    def _part(self, part: BufferRange, kept: Projection) -> BufferRange:
        before = BufferRange(part.buffer, 0, part.start)
        return BufferRange(
            part.buffer, self._held(kept.chunks, before).bit_count(), self._held(kept.chunks, part).bit_count()
        )

    def _start(self, part: BufferRange) -> int:
        return self._first[part.buffer] + part.start

    def _held(self, chunks: int, part: BufferRange) -> int:
        return chunks >> self._start(part) & ((1 << part.length) - 1)


def bits(number: int) -> Iterator[int]:
    """Yield the positions of a number's ones, ascending.

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


def _product(
    step: VerificationStep, group: tuple[int, ...], devices: int, source: int, target: int
) -> tuple[int, int, int]:
    """Return the closure of one group of a blockwise step: the kept members, and equal offsets in each kept block.

    The result consists of bit masks of the members, and of the chunks of source and target.
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
    """Add, for each kept member's index, the members with that index in all used groups, and return the devices."""
    taken = [places.of[device] for device in bits(devices & places.all)]
    for group in {group for group, _ in taken}:
        for index in {index for _, index in taken}:
            devices |= 1 << groups[group][index]
    return devices


def _averages(step: VerificationStep) -> bool:
    return step.divisor > 1 and all(len(group) == step.divisor for group in step.groups)


def _divides_by_goal(plan: VerificationPlan, step: VerificationStep) -> bool:
    groups = averaged(plan.goal)
    return step.divisor > 1 and not _averages(step) and bool(groups) and all(len(g) == step.divisor for g in groups)


def _renamed(group: tuple[int, ...], new: dict[int, int]) -> tuple[int, ...]:
    return tuple(new[device] for device in group if device in new)
