"""Explain the fastest split: its bottleneck, where the next one loses, and what another machine would change."""

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace

from p2smt.job.step.grid import FixedDegrees
from p2smt.job.step.search import SplitCandidate, StepQuestion, StepSearch, faster_network, larger_memory, search_steps
from p2smt.job.step.step_time import StepTime
from p2smt.problem.transformer.memory import fits
from p2smt.problem.transformer.split import Split

PARTS = {
    "linear": "matrix products",
    "experts": "experts",
    "attention": "attention",
    "elementwise": "element-wise work",
    "output": "output and loss",
    "launches": "launches and adding up gradients",
    "tensor": "tensor-parallel communication",
    "context": "context-parallel communication",
    "dispatch": "tokens to experts and back",
    "sends": "sends between stages",
    "gathers": "gathers of ZeRO 3",
    "bubble": "stages that wait (bubble)",
    "gradients": "gradients and parameters",
    "optimizer": "optimizer",
}
"""Map the fields of `StepTime` to their names in text."""


def parts(time: StepTime) -> dict[str, float]:
    """Return the parts of a step that take time, largest first, without hidden communication."""
    found = {one.name: getattr(time, one.name) for one in fields(StepTime) if one.name != "hidden"}
    return dict(sorted(((name, value) for name, value in found.items() if value > 0), key=lambda pair: -pair[1]))


def loss(best: SplitCandidate, other: SplitCandidate) -> tuple[str, float]:
    """Return the part in which another split loses most against the best, and its seconds."""
    more = {one.name: getattr(other.time, one.name) - getattr(best.time, one.name) for one in fields(StepTime)}
    del more["hidden"]
    name = max(more, key=lambda part: more[part])
    return name, more[name]


@dataclass(frozen=True, slots=True, kw_only=True)
class WhatIf:
    """A changed machine: the change, and the best split on it (None if none fits)."""

    change: str
    best: SplitCandidate | None


def what_if(question: StepQuestion) -> Iterator[WhatIf]:
    """Yield the best split for a network twice as fast, and for twice the memory."""
    for change, asked in (
        ("a network twice as fast", faster_network(question, 2)),
        ("twice the memory", larger_memory(question, 2)),
    ):
        found = search_steps(asked, keep=1)
        yield WhatIf(change=change, best=found.best[0] if found.best else None)


_WORTH = 0.95
"""Part of the step time that another split must stay below to be mentioned."""


def better_on_degrees(question: StepQuestion, given: SplitCandidate) -> SplitCandidate | None:
    """Return the best split with the given degrees of parallelism; None if it is not clearly faster.

    Its ZeRO stage, micro-batch, chunks, replicas and recomputation may be others. If the given split does not fit
    into memory, every one that does counts.
    """
    split = given.split
    fixed = FixedDegrees(
        tp=split.tp, pp=split.pp, dp=split.dp, cp=split.cp, ep=split.ep, etp=split.etp, pipeline=split.pipeline
    )
    found = search_steps(replace(question, fixed=fixed), keep=1)
    if not found.best:
        return None
    best = found.best[0]
    return best if best.seconds < _WORTH * given.seconds or not fits(given.memory, question.cluster.memory) else None


def mesh(split: Split) -> tuple[int, ...]:
    """Return the degrees that make a split another one, whatever its micro-batch, chunks and recomputation."""
    return split.tp, split.pp, split.dp, split.cp, split.ep, split.etp, int(split.zero), split.replicate


def runner_up(found: StepSearch) -> SplitCandidate | None:
    """Return the first split after the best whose degrees differ, or else the second split; None if there is none."""
    if not found.best:
        return None
    first = mesh(found.best[0].split)
    for other in found.best[1:]:
        if mesh(other.split) != first:
            return other
    return found.best[1] if len(found.best) > 1 else None
