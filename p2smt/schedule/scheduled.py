"""A scheduled program: a tensor program, with annotations on how its statements are executed together.

The tensor program says what is computed; fused groups, loops over chunks and reduction programs say how. Code
emission reads the annotations. Interpreters, layouts and proofs ignore them, so they apply to scheduled programs
unchanged.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from p2smt.collective import Collective
from p2smt.tensor.program import Program


class Kernel(StrEnum):
    """Kinds of kernels that fused groups form."""

    COMPUTATION = "computation"
    ALL_REDUCE = "fused all-reduce"
    SEND = "fused send"
    COLLECTIVE = "computation beside one collective"


@dataclass(frozen=True, slots=True)
class KernelGroup:
    """Statements that one kernel computes, contiguous and in program order."""

    name: str
    kernel: Kernel
    members: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Loop:
    """A chain of stages, executed chunk by chunk.

    Stages are names of statements or groups, and each consumes the previous one's result. `dimension` is a
    dimension of the first stage's results; each slice of it is cut into `chunks` blocks like torch.chunk, and
    `loop_chunks.py` defines the elements of each chunk. Chunk c of a stage starts as soon as chunk c of the
    previous stage is available (`events.py` defines the order).
    """

    name: str
    stages: tuple[str, ...]
    chunks: int
    dimension: int


@dataclass(frozen=True, slots=True)
class Implementation:
    """A reduction program over levels, outermost first, that implements a statement's collective.

    `goal` is the collective: AllReduce, ReduceScatter with block i on rank i, or AllGather of such blocks.
    """

    statement: str
    program: str
    levels: tuple[tuple[str, int], ...]
    goal: Collective = Collective.ALL_REDUCE


@dataclass(frozen=True, slots=True)
class ScheduledProgram:
    """A program on its mesh, with annotations. No statement is in two groups, and no stage in two loops."""

    program: Program
    groups: tuple[KernelGroup, ...] = ()
    loops: tuple[Loop, ...] = ()
    implementations: tuple[Implementation, ...] = ()

    def group(self, name: str) -> KernelGroup | None:
        """Return the group of this name; None if there is none."""
        return next((group for group in self.groups if group.name == name), None)

    def group_of(self, statement: str) -> KernelGroup | None:
        """Return the group that contains a statement; None if there is none."""
        return next((group for group in self.groups if statement in group.members), None)

    def loop_of(self, stage: str) -> Loop | None:
        """Return the loop that has this statement or group as a stage; None if there is none."""
        return next((loop for loop in self.loops if stage in loop.stages), None)

    @property
    def bound(self) -> frozenset[str]:
        """The statements that are in a group or a loop."""
        grouped = [member for group in self.groups for member in group.members]
        looped = [member for loop in self.loops for stage in loop.stages for member in self.members(stage)]
        return frozenset([*grouped, *looped])

    def members(self, name: str) -> tuple[str, ...]:
        """Return the statements of a statement or group."""
        group = self.group(name)
        return (name,) if group is None else group.members

    def units(self) -> Iterator[tuple[str, Loop | None]]:
        """Yield the names of statements, groups and loops in program order, each once, with the loop if it is one."""
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
        """All names that are taken."""
        program = self.program
        taken = [source.name for source in program.sources]
        taken += [statement.name for statement in program.statements]
        taken += [name for name, _ in program.sizes]
        taken += [group.name for group in self.groups]
        return frozenset([*taken, *(loop.name for loop in self.loops), "ranks"])

    def with_program(self, program: Program) -> "ScheduledProgram":
        """Return the same annotations on another program."""
        return replace(self, program=program)
