"""The words for what a sharding does with checkpointed regions (`checkpoints.py`); options need no programs."""

from enum import StrEnum

from p2smt.errors import ProblemError
from p2smt.problem.text import printable


class CheckpointTreatment(StrEnum):
    """The treatment of checkpointed regions.

    KEEP: recompute them, as the model says. DROP: keep their values in memory instead.
    """

    KEEP = "keep"
    DROP = "drop"


def parse_checkpoints(text: str) -> CheckpointTreatment:
    """Return the member that a text names. Raises ProblemError with the valid words."""
    if text not in tuple(CheckpointTreatment):
        raise ProblemError(f"checkpoints {printable(text[:40])!r} is unknown; write {' or '.join(CheckpointTreatment)}")
    return CheckpointTreatment(text)
