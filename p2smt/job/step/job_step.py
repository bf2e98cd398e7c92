"""The step of a job whose file describes a model and its split, and the fastest splits of that model beside it."""

from dataclasses import dataclass, replace

from p2smt.job.step.cluster import cluster_of
from p2smt.job.step.explanation import mesh
from p2smt.job.step.search import SplitCandidate, StepQuestion, StepSearch, priced, search_steps
from p2smt.problem.system.network import System
from p2smt.problem.transformer.memory import fits
from p2smt.problem.transformer.model import Parallelism, Transformer
from p2smt.problem.transformer.split import Recompute, split_of

_BESIDE = 5
"""The number of other splits that are shown."""
_PRICED = 40
"""The number of fastest splits from which the best one of each mesh is kept; many share a mesh."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobStep:
    """The step of a job as its file splits it, priced as `advise` prices splits; `question` is that search."""

    question: StepQuestion
    own: SplitCandidate

    @property
    def fits(self) -> bool:
        """True if the fullest device holds it."""
        return fits(self.own.memory, self.question.cluster.memory)


def job_step(
    transformer: Transformer, parallelism: Parallelism, system: System, recompute: Recompute | None = None
) -> JobStep:
    """Return the step of a job; `recompute` None recomputes layers only if it does not fit into memory otherwise.

    Job files say neither framework nor recomputation: Megatron-LM's step is priced, in the usual order of axes.
    Raises ProblemError for a system whose steps are not predicted (machines of different sizes or kinds).
    """
    question = StepQuestion(transformer=transformer, cluster=cluster_of(system))
    split = split_of(parallelism, transformer.micro_batch, Recompute.NONE if recompute is None else recompute)
    if transformer.experts is None:
        split = replace(split, etp=1)
    own = priced(question, split)
    if recompute is None and not fits(own.memory, question.cluster.memory):
        own = priced(question, replace(split, recompute=Recompute.FULL))
    return JobStep(question=question, own=own)


def splits_beside(step: JobStep) -> StepSearch:
    """Return the fastest splits of the job's model with different degrees, and its own split; fastest first."""
    found = search_steps(step.question, _PRICED)
    # From the slowest on, so that the fastest split of each mesh stays.
    fastest = {mesh(one.split): one for one in reversed(found.best)}
    others = sorted(fastest.values(), key=lambda one: one.seconds)[:_BESIDE]
    shown = dict.fromkeys([*others, step.own])
    return replace(found, best=tuple(sorted(shown, key=lambda one: one.seconds)))
