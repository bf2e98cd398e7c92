"""Emitted communication of a training step, for the commands that write or run it."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from p2smt.cli.exit_code import ExitCode, of_search
from p2smt.cli.provenance import Facts, job_facts
from p2smt.cost.network.backend import Backend, asked_cost
from p2smt.wording import counted

if TYPE_CHECKING:
    from p2smt.reduction.plan.exchange import ExchangePlan

JOB_SUFFIX = ".toml"
"""The suffix of job files; plan files are JSON."""


@dataclass(frozen=True, slots=True)
class StepFile:
    """An emitted file for torch: text, description, number of ranks, and whether the placement is proved best.

    `facts` are the entries for the comment at the file's top.
    """

    text: str
    what: str
    ranks: int
    proved: bool = True
    facts: Facts = ()

    @property
    def exit_code(self) -> ExitCode:
        """Return the exit code for a command that wrote the file."""
        return of_search(complete=self.proved)


def emitted_job(path: Path, system: str | None, backend: Backend) -> StepFile | ExitCode:
    """Emit all communication of a job on its best placement; without one, print why and return the exit code.

    Raises ProblemError for an invalid job.
    """
    from p2smt.cli.options.job import JobOptions
    from p2smt.cli.options.search import SearchOptions, SystemOptions
    from p2smt.cli.output.solved import solved
    from p2smt.emit.torch.training.source import Communication, emit_training
    from p2smt.job.plans import best_plans

    workload = JobOptions(job_file=path, system=SystemOptions(system), search=SearchOptions()).workload()
    cost = asked_cost(workload.system, backend)
    optimum = solved(workload, cost, err=True)
    if isinstance(optimum, ExitCode):
        return optimum
    parts = [
        Communication(name=one.name, plan=plan, times=one.times, overlap=one.overlap)
        for one, plan in zip(workload.reductions, best_plans(optimum, cost), strict=True)
    ]
    what = f"{counted(len(parts), 'reduction')} of a step, placed as {optimum.best.matrix}, on {workload.devices} ranks"
    facts = tuple(job_facts(cost, optimum.best.seconds))
    return StepFile(emit_training(parts), what, workload.devices, optimum.proved, facts)


def emitted_exchange(plan: "ExchangePlan") -> StepFile:
    """Emit one all-to-all or send."""
    from p2smt.emit.torch.training.source import emit_exchange

    return StepFile(emit_exchange(plan), f"the {plan.goal.hyphenated} on {plan.devices} ranks", plan.devices)
