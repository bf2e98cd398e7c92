"""A scheduled program: a tensor program, and how its statements are carried out together.

The tensor program alone says what is computed. Fused groups, loops over chunks and reduction programs say how; whoever
emits code reads them, whoever asks what a program means need not. They are annotations and no statements, so that
interpreters, layouts and proofs of programs hold for scheduled ones as they are.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from p2smt.collective import Collective
from p2smt.tensor.program import Program


class Kernel(StrEnum):
    """A fused group as one operation."""

    COMPUTATION = "computation"
    ALL_REDUCE = "fused all-reduce"
    SEND = "fused send"
    COLLECTIVE = "computation beside one collective"


@dataclass(frozen=True, slots=True)
class KernelGroup:
    """Statements, in the order of the program, that one kernel computes. Holds: they stand side by side there."""

    name: str
    kernel: Kernel
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Loop:
    """Stages (names of statements or groups), each the consumer of the one before, chunk by chunk.

    `dimension` is that of the first stage's results. Each slice of it is cut into `chunks` blocks as torch.chunk makes
    them; which elements a chunk has of every value is in `loop_chunks.py`. Chunk c of a stage starts as soon as chunk c
    of the stage before is there (`events.py` has the order).
    """

    name: str
    stages: tuple[str, ...]
    chunks: int
    dimension: int


@dataclass(frozen=True, slots=True)
class Implementation:
    """The collective of a statement is carried out by a reduction program over levels, outermost first.

    `goal` is what it does: an AllReduce, a ReduceScatter whose block i is on rank i, or an AllGather of such blocks.
    """

    statement: str
    program: str
    levels: tuple[tuple[str, int], ...]
    goal: Collective = Collective.ALL_REDUCE


@dataclass(frozen=True, slots=True)
class ScheduledProgram:
    """A program on its mesh, and how it is carried out. No statement is in two groups, no stage in two loops."""

    program: Program
    groups: tuple[KernelGroup, ...] = ()
    loops: tuple[Loop, ...] = ()
    implementations: tuple[Implementation, ...] = ()

    def group(self, name: str) -> KernelGroup | None:
        """The group of a name."""
        return next((group for group in self.groups if group.name == name), None)

    def group_of(self, statement: str) -> KernelGroup | None:
        """The group that a statement is in."""
        return next((group for group in self.groups if statement in group.members), None)

    def loop_of(self, stage: str) -> Loop | None:
        """The loop that a statement or group is a stage of."""
        return next((loop for loop in self.loops if stage in loop.stages), None)

    @property
    def bound(self) -> frozenset[str]:
        """Statements that are in a group or a loop."""
        grouped = [member for group in self.groups for member in group.members]
        looped = [member for loop in self.loops for stage in loop.stages for member in self.members(stage)]
        return frozenset([*grouped, *looped])

    def members(self, name: str) -> tuple[str, ...]:
        """The statements that a name of a statement or group stands for."""
        group = self.group(name)
        return (name,) if group is None else group.members

    def units(self) -> Iterator[tuple[str, Loop | None]]:
        """Statements, groups, and loops, each once by its name, in the order of the program."""
        done: set[str] = set()
        for statement in self.program.statements:
            group = self.group_of(statement.name)
            name = statement.name if group is None else group.name
            loop = self.loop_of(name)
            label = name if loop is None else loop.name
            if label not in done:
                done.add(label)
                yield label, loop

    @property
    def names(self) -> frozenset[str]:
        """Every name that is taken."""
        program = self.program
        taken = [source.name for source in program.sources]
        taken += [statement.name for statement in program.statements]
        taken += [name for name, _ in program.sizes]
        taken += [group.name for group in self.groups]
        return frozenset([*taken, *(loop.name for loop in self.loops), "ranks"])

    def with_program(self, program: Program) -> "ScheduledProgram":
        """The same annotations over another program."""
        return replace(self, program=program)
