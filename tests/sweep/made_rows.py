"""A store of rows that nobody solved: what is asked of it and exported from it is known by hand."""

from dataclasses import replace
from pathlib import Path

from support import problem

from p2smt.cost.network.backend import Nccl
from p2smt.problem.model import Search
from p2smt.problem.system.build import default_system
from p2smt.problem.system.network import Level
from p2smt.problem.transformer.model import Parallelism
from p2smt.problem.transformer.named import named_model
from p2smt.sweep.environment import Environment
from p2smt.sweep.job_rows import JobOutcome, JobPlacementRow, failed_job
from p2smt.sweep.rows import PlacementRow, ProblemOutcome, RowStatus, failed
from p2smt.sweep.store import ResultStore
from p2smt.sweep.task import JobTask, ProblemTask
from p2smt.sweep.training_job import TrainingJob

TASK = ProblemTask(problem((2, 4), (8,)), Nccl())
JOB = JobTask(
    TrainingJob(
        model="gpt2",
        system=default_system([Level("node", 2), Level("gpu", 4)]),
        transformer=named_model("gpt2", 1024),
        parallelism=Parallelism(tp=2, dp=4),
        search=Search(),
        memory=None,
        recompute=False,
    ),
    Nccl(),
)
ENVIRONMENTS = tuple(Environment(f"{9 - number}", "z", "n", "p") for number in range(3))


def problem_row(
    key: str, found: dict[str, object] | None = None, placements: int = 3, **asked: object
) -> ProblemOutcome:
    """A solved problem with what it was asked, and with what was found."""
    made = failed(TASK, "", ENVIRONMENTS[0].id)
    return replace(
        made,
        task=replace(made.task, key=key, **asked),
        status=RowStatus.OK,
        result=replace(made.result, **found or {}),
        placements=tuple(
            PlacementRow(
                key=key,
                number=number,
                matrix="2x4",
                levels="8",
                programs=number,
                best_program=None,
                best_seconds=None,
                allreduce_seconds=1.0,
                wire_seconds=0.5,
            )
            for number in range(placements)
        ),
    )


def job_row(key: str, found: dict[str, object] | None = None, placements: int = 2, **asked: object) -> JobOutcome:
    """The same for a job."""
    made = failed_job(JOB, "", ENVIRONMENTS[0].id)
    return replace(
        made,
        task=replace(made.task, key=key, **asked),
        status=RowStatus.OK,
        result=replace(made.result, **found or {}),
        placements=tuple(
            JobPlacementRow(
                key=key,
                number=number,
                matrix="2x4",
                words="w",
                seconds=1.0,
                sends_seconds=0.0,
                wire_seconds=0.5,
                communicators=1,
            )
            for number in range(placements)
        ),
    )


def stored(path: Path, *outcomes: ProblemOutcome | JobOutcome) -> Path:
    """A store of these rows."""
    with ResultStore(path, "local") as store:
        for one in ENVIRONMENTS:
            store.add((), one)
        store.add(outcomes, ENVIRONMENTS[0])
    return path
