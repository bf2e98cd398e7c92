"""Output of `p2smt measure`."""

from dataclasses import asdict
from pathlib import Path

from p2smt.cli.output.document import Document
from p2smt.cli.output.screen import say
from p2smt.run.measure.loop import Counts
from p2smt.wording import counted


def counts_document(counts: Counts, out: Path) -> Document:
    """Return the JSON document of `p2smt measure`."""
    return {**asdict(counts), "out": str(out)}


def print_counts(counts: Counts, out: Path) -> None:
    """Print how many programs were measured, and how many gave wrong results."""
    say(f"{counts.measured} of {counted(counts.pairs, 'program')} measured, {counts.known} were in {out} already")
    if counts.wrong:
        say(f"{counts.wrong} elements were WRONG; see the column `wrong`")
