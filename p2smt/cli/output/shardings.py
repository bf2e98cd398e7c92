"""Output of the shardings that `p2smt optimize` compared."""

from collections.abc import Sequence

from p2smt.cli.output.document import Document
from p2smt.cli.output.screen import say
from p2smt.cli.output.table import print_table
from p2smt.job.shardings import NEAR, TrialOutcome, TriedSharding
from p2smt.problem.quantity import format_seconds


def print_shardings(tried: Sequence[TriedSharding], bound: float | None) -> None:
    """Print a table of the shardings, fastest first, and the gap; nothing if the program was distributed already."""
    if not tried:
        return
    least = tried[0].seconds
    rows = [
        [
            one.name,
            format_seconds(one.seconds),
            f"{one.seconds / least:.2f}x" if least else "",
            one.outcome,
        ]
        for one in tried
    ]
    print_table("shardings that were compared", ("sharding", "step", "of the best", "how"), rows, right=(1, 2))
    if any(one.outcome is TrialOutcome.FAR for one in tried):
        say(f"too far: more than {NEAR:g} times as long as the fastest sharding, both as they are")
    if bound is not None and least:
        say(
            f"no sharding, schedule or placement takes less than {format_seconds(bound)}, "
            f"{1 - bound / least:.1%} less: contractions alone, on all devices, with all else hidden"
        )


def shardings_document(tried: Sequence[TriedSharding], bound: float | None) -> Document:
    """Return the shardings as a part of the document; empty if the program was distributed already."""
    entries = [
        {"name": one.name, "seconds": one.seconds, "scheduled": one.scheduled, "outcome": str(one.outcome)}
        for one in tried
    ]
    return {"shardings": entries, "lower_bound_s": bound} if tried else {}
