"""The emitted communication of a training step on real processes of this machine, beside torch's own collectives."""

from dataclasses import dataclass

from p2smt.errors import RunError
from p2smt.run.local.calls import CallRanks
from p2smt.run.local.cluster import MAX_RANKS
from p2smt.run.rank.message import Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class StepReport:
    """Numbers of results of each part of a step that differ from torch's own collectives, over all ranks."""

    differing: tuple[tuple[str, int], ...]
    ranks: int
    torch_version: str
    debug: bool
    backend: str = "gloo"

    @property
    def ok(self) -> bool:
        """True if no rank has a result that differs."""
        return not any(count for _, count in self.differing)


def run_step(source: str, ranks: int, *, timeout_s: float = 60.0, debug: bool = True) -> StepReport:
    """Run what `emit_training` or `emit_exchange` wrote on processes of its own, one per rank.

    With `debug` torch compares what the ranks of a group do. A wrong result is reported; raises RunError for more than
    `MAX_RANKS` ranks, for a rank that fails, and for one that is late.
    """
    if ranks > MAX_RANKS:
        raise RunError(f"{ranks} devices need {ranks} processes on this machine; the limit is {MAX_RANKS}")
    with CallRanks([Seat()] * ranks, timeout_s=timeout_s, debug=debug) as running:
        path = running.folder / "step.py"
        path.write_text(source, encoding="utf-8")
        answers = running.call(str(path), "differing", "cpu", timeout_s=timeout_s)
        version = running.torch_version
    totals = tuple((name, sum(answer[name] for answer in answers)) for name in answers[0])
    return StepReport(differing=totals, ranks=ranks, torch_version=version, debug=debug)
