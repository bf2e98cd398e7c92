"""A plan that p2smt did not make: any groups, named buffers, parts of buffers."""

from dataclasses import KW_ONLY, dataclass

from p2smt.verify.operation import Operation, reads_target


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
    groups: tuple[tuple[int, ...], ...]
    source: Part
    target: Part
    _: KW_ONLY
    root: int = 0
    in_place: bool = False
    number: int = 0
    divisor: int = 1

    @property
    def reads(self) -> tuple[Part, ...]:
        """The parts that every member brings, one after the other."""
        return (self.source, self.target) if reads_target(self.operation) else (self.source,)


@dataclass(frozen=True, slots=True, kw_only=True)
class VerificationPlan:
    """Every device has all `buffers` (name and length in chunks).

    At first chunk `c` of the buffer `result` holds the device's own contribution to chunk `c`, the buffers named in
    `zeros` hold zeros, and all others hold nothing that can be relied on. At the end chunk `c` of `result` must be
    the sum of the contributions to chunk `c` of all devices in the device's group of `goal`, or their `average`;
    devices in no group of it may hold anything. With `integers` every division drops what is behind the point.
    `labels` say, in the author's words, what the steps with these numbers are.
    """

    devices: int
    buffers: tuple[tuple[str, int], ...]
    result: str
    goal: tuple[tuple[int, ...], ...]
    steps: tuple[Step, ...]
    zeros: tuple[str, ...] = ()
    average: bool = False
    integers: bool = False
    labels: tuple[tuple[int, str], ...] = ()

    @property
    def numbered(self) -> tuple[tuple[int, Step], ...]:
        """The steps with their numbers, which begin at 1."""
        return tuple((step.number or place, step) for place, step in enumerate(self.steps, start=1))

    @property
    def chunks(self) -> int:
        """Number of chunks of the payload."""
        return dict(self.buffers)[self.result]
