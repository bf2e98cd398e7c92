"""Rows of a problem in a store: one for the problem, and one per placement.

The fields are the columns of the tables `problems` and `placements`, in order; `schema.py` documents them. Rows
depend only on the problem, not on who solved it, when, or in which order.
"""

from dataclasses import dataclass, fields
from enum import StrEnum

from p2smt.sweep.digest import task_key, task_text
from p2smt.sweep.task import ProblemTask
from p2smt.wording import bare_sizes, option_text

Cell = str | int | float | None
"""The value in a column."""

MAX_REASON = 500
"""Maximum number of characters stored of a reason."""


class RowStatus(StrEnum):
    """Status of a row.

    ok: the search was complete; stopped: the search ended early; error: there is no result.
    """

    OK = "ok"
    STOPPED = "stopped"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacementRow:
    """One placement of a problem."""

    key: str
    number: int
    matrix: str
    levels: str
    programs: int
    best_program: str | None
    best_seconds: float | None
    allreduce_seconds: float
    wire_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultColumns:
    """Results over all placements; all except the counts are None if there is no program."""

    placements: int = 0
    programs: int = 0
    best_matrix: str | None = None
    best_program: str | None = None
    best_seconds: float | None = None
    allreduce_seconds: float | None = None
    wire_seconds: float | None = None
    allreduce_best_matrix: str | None = None
    allreduce_best_seconds: float | None = None
    worst_matrix: str | None = None
    worst_seconds: float | None = None
    speedup: float | None = None
    speedup_over_allreduce: float | None = None
    placement_spread: float | None = None
    above_wire: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskColumns:
    """Columns of a problem's input."""

    key: str
    system: str
    levels: str
    sizes: str
    devices: int
    axes: str
    reduce: str
    goal: str
    bytes: int
    dtype: str
    algorithm: str
    grammar: str
    max_instructions: int
    engine: str
    hierarchy: str
    collapse: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ProblemOutcome:
    """The outcome of a task; `environment` is the id of the versions that solved it."""

    task: TaskColumns
    status: RowStatus
    reason: str
    result: ResultColumns
    environment: str
    problem: str
    placements: tuple[PlacementRow, ...] = ()

    @property
    def row(self) -> tuple[Cell, ...]:
        """The row of the table `problems`."""
        asked = (getattr(self.task, field.name) for field in fields(TaskColumns))
        found = (getattr(self.result, field.name) for field in fields(ResultColumns))
        return (*asked, str(self.status), self.reason, *found, self.environment, self.problem)


def task_columns(task: ProblemTask) -> TaskColumns:
    """Return the columns of a task's input."""
    problem, search = task.problem, task.problem.search
    return TaskColumns(
        key=task_key(problem, task.backend),
        system=problem.system.name,
        levels=option_text(problem.levels),
        sizes=bare_sizes(level.size for level in problem.levels),
        devices=problem.devices,
        axes=option_text(problem.axes),
        reduce=",".join(problem.axes[axis].name for axis in problem.reduce),
        goal=problem.goal.hyphenated,
        bytes=problem.payload.bytes,
        dtype=problem.payload.dtype,
        algorithm=str(task.backend),
        grammar=str(search.grammar),
        max_instructions=search.limit,
        engine=str(search.engine),
        hierarchy=str(search.hierarchy),
        collapse=int(search.collapse),
    )


def failed(task: ProblemTask, reason: str, environment: str) -> ProblemOutcome:
    """Return the outcome of a task without a result."""
    problem = task_text(task.problem, task.backend)
    return ProblemOutcome(
        task=task_columns(task),
        status=RowStatus.ERROR,
        reason=reason,
        result=ResultColumns(),
        environment=environment,
        problem=problem,
    )
