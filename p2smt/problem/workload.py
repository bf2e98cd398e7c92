"""A training job: several reductions that happen at every step and share one placement of the axes."""

from dataclasses import dataclass, field, replace

from p2smt.collective import Collective, Exchange, NeighbourSend
from p2smt.display import one_line
from p2smt.problem.condition import Condition
from p2smt.problem.model import Axis, Payload, Problem, Search
from p2smt.problem.system.network import Level, System
from p2smt.wording import counted, sizes_text

Goal = Collective | Exchange | NeighbourSend
"""The operation of the devices that differ on the axes of a reduction (NCCL's meaning of the names)."""

GOALS: tuple[Goal, ...] = (*Collective, Exchange.ALL_TO_ALL, *NeighbourSend)
"""All goals that a reduction of a job can have: communication with one price on a placement."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reduction:
    """Communication of one kind: `goal` among the devices that differ on `axes`, `times` times per step.

    `payload` is the whole tensor of one device: what goes in, for an all-gather what comes out, and for a send what
    each member sends to the next. `times` may be a
    fraction (once in ten steps: 0.1). Reductions with the same `overlap`, if it is not empty, may run at the
    same time and share links. `name` is free text, for people only. Holds: `axes` is sorted and not empty.
    """

    name: str
    axes: tuple[int, ...]
    payload: Payload
    times: float = 1.0
    goal: Goal = Collective.ALL_REDUCE
    overlap: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Workload:
    """A system, axes, the reductions of one training step, conditions on the placement, and how to search.

    Holds: product of level sizes == product of axis sizes; every reduction, and every condition, speaks of axes
    and levels that there are.
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
        """Number of devices."""
        return self.system.devices

    def __repr__(self) -> str:
        return one_line(
            self,
            f"{counted(len(self.reductions), 'reduction')}: axes {sizes_text(self.axes)} on {sizes_text(self.levels)}",
        )

    def problem(self, reduction: Reduction) -> Problem:
        """One reduction alone; an all-to-all or a send, for which there are no reduction programs, as an all-reduce."""
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
        """The same job with every placement allowed."""
        return replace(self, conditions=())
