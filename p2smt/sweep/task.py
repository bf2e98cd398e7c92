"""Tasks of a sweep: problems and jobs, each with a key."""

from dataclasses import dataclass

from p2smt.cost.network.backend import Backend
from p2smt.problem.model import Problem
from p2smt.sweep.digest import job_key, task_key
from p2smt.sweep.training_job import TrainingJob


@dataclass(frozen=True, slots=True)
class ProblemTask:
    """A problem, what carries its collectives, and the seconds after which its search stops."""

    problem: Problem
    backend: Backend
    timeout_s: float | None = None

    @property
    def key(self) -> str:
        """SHA-256 over the resolved problem; the time limit is no part of it."""
        return task_key(self.problem, self.backend)


@dataclass(frozen=True, slots=True)
class JobTask:
    """A job, what carries its collectives, and the seconds after which its search stops."""

    job: TrainingJob
    backend: Backend
    timeout_s: float | None = None

    @property
    def key(self) -> str:
        """SHA-256 over the resolved job; the time limit is no part of it."""
        return job_key(self.job, self.backend)


AnyTask = ProblemTask | JobTask
