"""Helpers shared by the plan formats that give each GPU an input, an output and a scratch buffer, counted in chunks."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Protocol

from p2smt.frontend.asked_goal import AskedGoal
from p2smt.frontend.builder import DATA
from p2smt.verify.goal import check_goal
from p2smt.verify.limits import check_size
from p2smt.verify.operation import GoalCollective
from p2smt.verify.plan import BufferRange, VerificationPlan, VerificationStep

WIRE, RELAY, SHARD = "wire", "relay", "shard"


class ChunkSchedule(Protocol):
    """The contents of a schedule file: a collective among `gpus`, and the sizes in chunks of each GPU's buffers."""

    @property
    def gpus(self) -> int:
        """Number of GPUs."""
        ...

    @property
    def collective(self) -> GoalCollective:
        """The collective that the file declares."""
        ...

    @property
    def root(self) -> int:
        """The root of the collective, 0 for one without root."""
        ...

    @property
    def inputs(self) -> int:
        """Length of the input in chunks."""
        ...

    @property
    def outputs(self) -> int:
        """Length of the output in chunks."""
        ...

    @property
    def scratch(self) -> int:
        """Length of the scratch buffer in chunks."""
        ...


def buffers_of(schedule: ChunkSchedule, *, in_place: bool) -> dict[str, int]:
    """The buffers of every GPU with their lengths in chunks; in place, input and output are one buffer."""
    if in_place:
        buffers = {DATA: max(schedule.inputs, schedule.outputs)}
    else:
        buffers = {"output": schedule.outputs, "input": schedule.inputs}
    return buffers | ({"scratch": schedule.scratch} if schedule.scratch else {})


def chunk_plan(
    schedule: ChunkSchedule,
    asked: AskedGoal,
    ends: tuple[BufferRange, BufferRange],
    buffers: Mapping[str, int],
    steps: Iterable[VerificationStep],
    labels: Iterable[tuple[int, str]],
    notes: tuple[str, ...],
) -> VerificationPlan:
    """Return the plan of these steps, with input and output in the two parts `ends`, for the requested goal.

    Raises VerifyError if the plan is too large or the goal does not fit.
    """
    check_size(schedule.gpus, buffers, 0)
    goal = replace(asked, collective=schedule.collective, root=schedule.root).between(schedule.gpus, *ends)
    check_goal(goal, schedule.gpus, tuple(buffers.items()))
    noted = list(labels)
    if SHARD in {end.buffer for end in ends}:
        last = 1 + max((number for number, _ in noted), default=0)
        noted.append((last, "in place every GPU's shard is its block of the whole"))
    return VerificationPlan(
        devices=schedule.gpus,
        buffers=tuple(buffers.items()),
        goal=goal,
        steps=tuple(steps),
        labels=tuple(noted),
        notes=notes,
    )
