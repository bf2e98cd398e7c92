"""The parts of emitted JAX files, besides the steps, for plans of several chunks."""

from p2smt.reduction.plan.chunking import shards
from p2smt.reduction.plan.model import Plan

RULE = """
Every chunk goes through all steps by itself, in one compiled function: no collective of a chunk waits for one of
another. Whether they run at once is up to XLA, which may also run them one after the other, or combine several into
one. The function that is compiled grows with the number of chunks.
"""
"""The paragraph about chunks in the emitted docstring."""

_LENGTHS = "\n    for length in (8 * MULTIPLE, 8 * MULTIPLE + 1, 1, 0):\n"
_LENGTHS_IN_CHUNKS = "\n    for length in (CHUNKS * MULTIPLE, (2 * CHUNKS - 1) * MULTIPLE + 1, MULTIPLE + 1, 1, 0):\n"


def constants(plan: Plan) -> str:
    """Return the constants of a plan of several chunks; empty for a single chunk."""
    if plan.chunks == 1:
        return ""
    cut = shards(plan)
    before, after = cut if plan.goal.scatters else 1, cut if plan.goal.gathers else 1
    return (
        "# So many chunks at most, none of which waits for another; each is a piece of every shard, or of all.\n"
        f"CHUNKS, UNIT = {plan.chunks}, {1 if cut > 1 else plan.multiple}\n"
        f"ROWS_BEFORE, ROWS_AFTER = {before}, {after}\n"
    )


def begun(plan: Plan, reduction: str) -> str:
    """Return the function `reduction`, which runs the steps on the whole payload or on its chunks."""
    return reduction if plan.chunks == 1 else reduction.replace("reduced(", "in_chunks(")


def checked(plan: Plan, text: str) -> str:
    """Return the file; with several chunks, its self-check tries lengths with full, partial, fewer and no chunks.

    The line it replaces belongs to the template, and contains no text from the user.
    """
    return text if plan.chunks == 1 else text.replace(_LENGTHS, _LENGTHS_IN_CHUNKS)
