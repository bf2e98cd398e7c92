"""Tasks of a sweep: problems and jobs, identified by keys."""

from dataclasses import dataclass

from p2smt.cost.network.backend import Backend
from p2smt.problem.model import Problem
from p2smt.sweep.digest import job_key, task_key
from p2smt.sweep.training_job import TrainingJob


@dataclass(frozen=True, slots=True)
class ProblemTask:
    """A problem, the backend of its collectives, and the time limit of its search in seconds."""

    problem: Problem
    backend: Backend
    timeout_s: float | None = None

    @property
    def key(self) -> str:
        """The SHA-256 of the resolved problem, without the time limit."""
        return task_key(self.problem, self.backend)


@dataclass(frozen=True, slots=True)
class JobTask:
    """A job, the backend of its collectives, and the time limit of its search in seconds."""

    job: TrainingJob
    backend: Backend
    timeout_s: float | None = None

    @property
    def key(self) -> str:
        """The SHA-256 of the resolved job, without the time limit."""
        return job_key(self.job, self.backend)


AnyTask = ProblemTask | JobTask
