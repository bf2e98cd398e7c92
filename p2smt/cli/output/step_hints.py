"""Hints beside the answer of `p2smt advise`: what is faster with the same degrees, and a batch that nobody trains."""

from collections.abc import Iterator

from p2smt.cli.output.prose import labelled
from p2smt.job.step.search import SplitCandidate, StepQuestion, StepSearch
from p2smt.problem.quantity import format_decimal
from p2smt.problem.transformer.memory import fits

_MOST_TOKENS = 2**26
"""Tokens of a step that are not warned of; DeepSeek-V3, with the most that is published, took 15,360 x 4,096."""


def better_lines(found: StepSearch, better: SplitCandidate | None) -> Iterator[str]:
    """Yield what to change beside the degrees for a faster step, or for one that fits into memory."""
    if better is None:
        return
    given = found.best[0]
    values = {
        "--zero": (int(given.split.zero), int(better.split.zero)),
        "--micro-batch": (given.split.micro_batch, better.split.micro_batch),
        "--chunks": (given.split.chunks, better.split.chunks),
        "--recompute": (str(given.split.recompute), str(better.split.recompute)),
        "--replicas": (given.split.replicate, better.split.replicate),
    }
    options = " ".join(f"{name} {new}" for name, (old, new) in values.items() if old != new)
    fit = fits(given.memory, found.question.cluster.memory)
    yield from labelled(
        "faster" if fit else "fits  ", f"{options} takes {step_seconds(better.seconds)} with these degrees"
    )


def batch_lines(question: StepQuestion) -> Iterator[str]:
    """Yield a warning of batches that no published training has."""
    tokens = question.transformer.batch * question.transformer.sequence
    if question.transformer.vision is None and tokens > _MOST_TOKENS:
        yield from labelled(
            "batch ",
            f"{format_decimal(tokens)} tokens a step, more than published trainings take (up to 63 M); give "
            "--batch, and where that leaves devices without a sequence more tp, pp or cp, or fewer devices",
        )


def step_seconds(seconds: float) -> str:
    """Format a step time with four digits, so that similar times can be told apart.

    >>> step_seconds(17.8581), step_seconds(0.23456)
    ('17.86 s', '234.6 ms')
    """
    return f"{seconds:.4g} s" if seconds >= 1 else f"{seconds * 1e3:.4g} ms"
