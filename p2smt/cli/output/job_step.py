"""Output of the step of a job whose file describes a model: text, and the part of the JSON document."""

from collections.abc import Callable

from p2smt.cli.output.document import Document
from p2smt.cli.output.prose import labelled
from p2smt.cli.output.screen import say
from p2smt.cli.output.steps_document import candidate_document
from p2smt.errors import ProblemError
from p2smt.job.step.explanation import PARTS, parts
from p2smt.job.step.job_step import JobStep
from p2smt.job.step.split_words import split_words
from p2smt.problem.quantity import format_bytes, format_seconds

_LARGEST = 3

Predicting = Callable[[], JobStep | None]
"""Predicts the step of a job, None for jobs without a model; raises ProblemError where none can be predicted."""


def step_document(predict: Predicting) -> Document | None:
    """Return the job's split with the parts of its step; None for jobs without a model, and where none is predicted."""
    try:
        step = predict()
    except ProblemError:
        return None
    return None if step is None else candidate_document(step.question, step.own)


def print_step(predict: Predicting) -> None:
    """Print the step of a job, or why none is predicted; nothing for jobs without a model."""
    try:
        step = predict()
    except ProblemError as cause:
        say(f"the step is not predicted: {cause}")
        return
    if step is not None:
        say("\n".join(labelled("step  ", _step_text(step))))


def _step_text(step: JobStep) -> str:
    own, memory = step.own, step.question.cluster.memory
    largest = list(parts(own.time).items())[:_LARGEST]
    most = ", ".join(f"{PARTS[name]} {seconds / own.seconds:.0%}" for name, seconds in largest)
    room = "" if step.fits else f"; it needs {format_bytes(own.memory.total)} of {format_bytes(round(memory))} a device"
    return (
        f"{split_words(own.split)}: {format_seconds(own.seconds)} with its computing, in the usual order of axes "
        f"({most}){room}; `p2smt advise` compares splits"
    )
