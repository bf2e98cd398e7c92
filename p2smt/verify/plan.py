"""A plan for verification, which may come from elsewhere: arbitrary groups, named buffers, and parts of buffers."""

from dataclasses import KW_ONLY, dataclass, field

from p2smt.verify.operation import GoalCollective, Operation, reads_target

Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class BufferRange:
    """A range of chunks of a buffer, on every member of a group."""

    buffer: str
    start: int
    length: int

    @property
    def end(self) -> int:
        """The first chunk after the part."""
        return self.start + self.length

    def __str__(self) -> str:
        """Return the part in the notation of plans.

        >>> str(BufferRange("data", 2, 4))
        'data[2:6]'
        """
        return f"{self.buffer}[{self.start}:{self.end}]"


@dataclass(frozen=True, slots=True)
class VerificationStep:
    """An operation that all groups execute at once; members are in group order, and `root` is an index into it.

    A ReduceScatter or AllGather with `in_place` works on one part of equal blocks (`source` == `target`).
    Member `i` owns block `i`: a ReduceScatter leaves only this block defined, and an AllGather takes it as
    input. `number` is the author's number of the step; 0 means its position. Results are divided by `divisor`.
    """

    operation: Operation
    groups: Groups
    source: BufferRange
    target: BufferRange
    _: KW_ONLY
    root: int = 0
    in_place: bool = False
    number: int = 0
    divisor: int = 1

    @property
    def reads(self) -> tuple[BufferRange, ...]:
        """The parts that every member contributes, in order."""
        return (self.source, self.target) if reads_target(self.operation) else (self.source,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """The collective that a plan must implement, in each of these groups.

    Initially, chunk `c` of `source` is the device's contribution to chunk `c`. Finally, `target` must hold the
    collective's result for the device's group: for a ReduceScatter, member `i` has block `i` of the sum; for an
    AllGather, the members' contributions in group order; for an AllToAll, block `i` of every member's
    contributions in group order. `root` is the index of the member that receives the sum of a Reduce, or whose
    contribution a Broadcast distributes. With `average`, sums are divided by the number of members. All other
    contents are arbitrary: devices in no group, members other than the root of a Reduce, and chunks outside
    `target`.
    """

    collective: GoalCollective
    groups: Groups
    source: BufferRange
    target: BufferRange
    root: int = 0
    average: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationPlan:
    """A plan on devices that all have the same `buffers` (name and length in chunks): its goal and its steps.

    Initially, the goal's `source` holds contributions, the buffers in `zeros` hold zeros, and everything else
    is undefined. With `integers`, every division drops the fraction. `labels` gives the author's descriptions
    of steps by number, and `notes` lists assumptions made on reading the plan.
    """

    devices: int
    buffers: tuple[tuple[str, int], ...]
    goal: Goal
    steps: tuple[VerificationStep, ...]
    zeros: tuple[str, ...] = ()
    integers: bool = False
    labels: tuple[tuple[int, str], ...] = ()
    notes: tuple[str, ...] = field(default=(), compare=False)

    @property
    def numbered(self) -> tuple[tuple[int, VerificationStep], ...]:
        """The steps with their numbers, counted from 1."""
        return tuple((step.number or place, step) for place, step in enumerate(self.steps, start=1))
