"""A plan that p2smt did not make: any groups, named buffers, parts of buffers."""

from dataclasses import KW_ONLY, dataclass, field

from p2smt.verify.operation import GoalCollective, Operation, reads_target

Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Part:
    """`length` chunks of a buffer from chunk `start` on, at every member of a group."""

    buffer: str
    start: int
    length: int

    @property
    def end(self) -> int:
        """The first chunk after the part."""
        return self.start + self.length

    def __str__(self) -> str:
        """Write the part as plans write it.

        >>> str(Part("data", 2, 4))
        'data[2:6]'
        """
        return f"{self.buffer}[{self.start}:{self.end}]"


@dataclass(frozen=True, slots=True)
class Step:
    """All groups do the operation at once; members are in group order, `root` is a place in it.

    A ReduceScatter or AllGather with `in_place` works on one part of equal blocks (`source` == `target`): block `i` is
    that of member `i`, the only one that a ReduceScatter leaves defined, and the one that it brings to an AllGather.
    `number` is what the plan's author calls the step; 0: its place. What a step writes is divided by `divisor`.
    """

    operation: Operation
    groups: Groups
    source: Part
    target: Part
    _: KW_ONLY
    root: int = 0
    in_place: bool = False
    number: int = 0
    divisor: int = 1

    @property
    def reads(self) -> tuple[Part, ...]:
        """The parts that every member contributes, in order."""
        return (self.source, self.target) if reads_target(self.operation) else (self.source,)


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """The collective that a plan takes the place of, in each of these groups.

    At first chunk `c` of `source` is the device's contribution to chunk `c`. In the end `target` must hold what the
    collective makes of the contributions of the device's group: a ReduceScatter leaves with member `i` block `i` of
    the sum, an AllGather the members' contributions one after the other, in group order, an AllToAll block `i` of every
    member's contributions, in group order; `root` is the index in its
    group of the member that alone gets a Reduce's sum and whose contribution a Broadcast spreads. With `average` sums
    are divided by the number of members. Everything else may hold anything: devices in no group, members but the root
    of a Reduce, and chunks outside of `target`.
    """

    collective: GoalCollective
    groups: Groups
    source: Part
    target: Part
    root: int = 0
    average: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationPlan:
    """Every device has all `buffers` (name and length in chunks); what it is to do with them, and what it does.

    At first the goal's `source` holds contributions, the buffers named in `zeros` hold zeros, and all else holds
    nothing that can be relied on. With `integers` every division drops the fraction. `labels` say, in the author's
    words, what the steps with these numbers are; `notes`, what was taken for granted when it was read.
    """

    devices: int
    buffers: tuple[tuple[str, int], ...]
    goal: Goal
    steps: tuple[Step, ...]
    zeros: tuple[str, ...] = ()
    integers: bool = False
    labels: tuple[tuple[int, str], ...] = ()
    notes: tuple[str, ...] = field(default=(), compare=False)

    @property
    def numbered(self) -> tuple[tuple[int, Step], ...]:
        """The steps with their numbers, which begin at 1."""
        return tuple((step.number or place, step) for place, step in enumerate(self.steps, start=1))
