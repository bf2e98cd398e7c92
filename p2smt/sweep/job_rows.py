"""Rows of a job in a store: one for the job, and one per placement; `rows.py` does the same for problems.

The fields are the columns of the tables `jobs` and `job_placements`, in order; `schema.py` documents them.
"""

from dataclasses import dataclass, fields

from p2smt.cost.ten_digits import ten_digits
from p2smt.errors import ProblemError
from p2smt.job.step.job_step import job_step
from p2smt.problem.transformer.memory import device_memory, fits
from p2smt.problem.transformer.model import bubble
from p2smt.problem.transformer.split import Recompute
from p2smt.sweep.digest import job_key, job_text
from p2smt.sweep.rows import Cell, RowStatus
from p2smt.sweep.task import JobTask
from p2smt.sweep.training_job import TrainingJob, split_text
from p2smt.wording import bare_sizes, option_text


@dataclass(frozen=True, slots=True, kw_only=True)
class JobPlacementRow:
    """One placement of a job."""

    key: str
    number: int
    matrix: str
    words: str
    seconds: float
    sends_seconds: float
    wire_seconds: float
    communicators: int


@dataclass(frozen=True, slots=True, kw_only=True)
class JobResultColumns:
    """Results over all placements; None if no placement was priced.

    `usual` columns are also None if the usual placement was not priced.
    """

    placements: int = 0
    best_matrix: str | None = None
    best_words: str | None = None
    best_order: str | None = None
    best_seconds: float | None = None
    sends_seconds: float | None = None
    wire_seconds: float | None = None
    usual_matrix: str | None = None
    usual_seconds: float | None = None
    loss: float | None = None
    worst_matrix: str | None = None
    worst_seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class JobColumns:
    """Columns of a job's input, and of values derived from it by formula."""

    key: str
    model: str
    system: str
    levels: str
    sizes: str
    devices: int
    split: str
    tp: int
    pp: int
    dp: int
    cp: int
    ep: int
    chunks: int
    zero: int
    sequence_parallel: int
    recompute: int
    batch: int
    micro_batch: int
    sequence: int
    algorithm: str
    max_instructions: int
    memory: int
    device_memory: int | None
    fits: int | None
    bubble: float
    step_seconds: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOutcome:
    """The outcome of a job's task; `environment` is the id of the versions that solved it."""

    task: JobColumns
    status: RowStatus
    reason: str
    result: JobResultColumns
    environment: str
    job: str
    placements: tuple[JobPlacementRow, ...] = ()

    @property
    def row(self) -> tuple[Cell, ...]:
        """The row of the table `jobs`."""
        asked = (getattr(self.task, field.name) for field in fields(JobColumns))
        found = (getattr(self.result, field.name) for field in fields(JobResultColumns))
        return (*asked, str(self.status), self.reason, *found, self.environment, self.job)


def job_columns(task: JobTask) -> JobColumns:
    """Return the columns of a task's input."""
    job, split, system = task.job, task.job.parallelism, task.job.system
    needed = device_memory(job.transformer, split, recompute=job.recompute)
    return JobColumns(
        key=job_key(job, task.backend),
        model=job.model,
        system=system.name,
        levels=option_text(system.levels),
        sizes=bare_sizes(level.size for level in system.levels),
        devices=system.devices,
        split=split_text(split),
        tp=split.tp,
        pp=split.pp,
        dp=split.dp,
        cp=split.cp,
        ep=split.ep,
        chunks=split.chunks,
        zero=int(split.zero),
        sequence_parallel=int(split.sequence_parallel),
        recompute=int(job.recompute),
        batch=job.transformer.batch,
        micro_batch=job.transformer.micro_batch,
        sequence=job.transformer.sequence,
        algorithm=str(task.backend),
        max_instructions=job.search.limit,
        memory=needed.total,
        device_memory=job.memory,
        fits=None if job.memory is None else int(fits(needed, job.memory)),
        bubble=bubble(job.transformer, split),
        step_seconds=_step_seconds(job),
    )


def _step_seconds(job: TrainingJob) -> float | None:
    """Return the predicted seconds of a job's step; None on a system whose steps are not predicted."""
    chosen = Recompute.FULL if job.recompute else Recompute.NONE
    try:
        return ten_digits(job_step(job.transformer, job.parallelism, job.system, chosen).own.seconds)
    except ProblemError:
        return None


def failed_job(task: JobTask, reason: str, environment: str) -> JobOutcome:
    """Return the outcome of a job without a result."""
    return JobOutcome(
        task=job_columns(task),
        status=RowStatus.ERROR,
        reason=reason,
        result=JobResultColumns(),
        environment=environment,
        job=job_text(task.job, task.backend),
    )
