"""A training job: several reductions that happen in every step and share one placement of the axes."""

from dataclasses import dataclass, field, replace

from p2smt.collective import Collective, Exchange, NeighbourSend
from p2smt.display import one_line
from p2smt.problem.condition import Condition
from p2smt.problem.model import Axis, Payload, Problem, Search
from p2smt.problem.system.network import Level, System
from p2smt.wording import counted, sizes_text

Goal = Collective | Exchange | NeighbourSend
"""The communication among devices that differ on a reduction's axes, with NCCL's names."""

GOALS: tuple[Goal, ...] = (*Collective, Exchange.ALL_TO_ALL, *NeighbourSend)
"""All goals that a reduction of a job can have, each with one price per placement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reduction:
    """Communication of one kind: `goal` among the devices that differ on `axes`, `times` times per step.

    `payload` is the whole tensor of one device: the input, for an all-gather the output, and for a send what
    each member sends to the next. `times` may be a fraction (once in ten steps: 0.1). Reductions with the same
    non-empty `overlap` may run at the same time and share links. `name` is free text for messages.

    Invariant: `axes` is sorted and not empty.
    """

    name: str
    axes: tuple[int, ...]
    payload: Payload
    times: float = 1.0
    goal: Goal = Collective.ALL_REDUCE
    overlap: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """A system, axes, the reductions of one training step, conditions on the placement, and search options.

    Invariant: the products of level sizes and of axis sizes are equal; reductions and conditions refer to
    existing axes and levels.
    """

    system: System
    axes: tuple[Axis, ...]
    reductions: tuple[Reduction, ...]
    conditions: tuple[Condition, ...] = ()
    search: Search = field(default_factory=Search)

    @property
    def levels(self) -> tuple[Level, ...]:
        """The levels of the system, outermost first."""
        return self.system.levels

    @property
    def devices(self) -> int:
        """The number of devices."""
        return self.system.devices

    def __repr__(self) -> str:
        return one_line(
            self,
            f"{counted(len(self.reductions), 'reduction')}: axes {sizes_text(self.axes)} on {sizes_text(self.levels)}",
        )

    def problem(self, reduction: Reduction) -> Problem:
        """Return the problem of one reduction; an all-to-all or a send, which has no programs, is an all-reduce."""
        match reduction.goal:
            case Collective() as goal:
                pass
            case Exchange() | NeighbourSend():
                goal = Collective.ALL_REDUCE
        return Problem(
            system=self.system,
            axes=self.axes,
            reduce=reduction.axes,
            payload=reduction.payload,
            search=self.search,
            goal=goal,
        )

    def without_conditions(self) -> "Workload":
        """Return the job with every placement allowed."""
        return replace(self, conditions=())
