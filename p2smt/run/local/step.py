"""Run a training step's emitted communication on local processes, and compare it with torch's collectives."""

from dataclasses import dataclass

from p2smt.run.local.calls import CallRanks
from p2smt.run.local.cluster import refuse_many
from p2smt.run.rank.message import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class StepReport:
    """The number of results that differ from torch's collectives, for each part of a step, summed over ranks."""

    differing: tuple[tuple[str, int], ...]
    ranks: int
    torch_version: str
    debug: bool
    backend: str = "gloo"

    @property
    def ok(self) -> bool:
        """True if no result differs on any rank."""
        return not any(count for _, count in self.differing)


def run_step(source: str, ranks: int, *, timeout_s: float = 60.0, debug: bool = True) -> StepReport:
    """Run code emitted by `emit_training` or `emit_exchange` on newly started processes, one per rank.

    With `debug`, torch checks that all ranks of a group call the same collectives. Wrong results are reported.
    Raises RunError for more than `MAX_RANKS` ranks, and if a rank fails or times out.
    """
    refuse_many(ranks)
    with CallRanks([Seat()] * ranks, timeout_s=timeout_s, debug=debug) as running:
        path = running.folder / "step.py"
        path.write_text(source, encoding="utf-8")
        answers = running.call(str(path), "differing", "cpu", timeout_s=timeout_s)
        version = running.torch_version
    totals = tuple((name, sum(answer[name] for answer in answers)) for name in answers[0])
    return StepReport(differing=totals, ranks=ranks, torch_version=version, debug=debug)
