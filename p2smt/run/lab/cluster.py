"""All ranks of a laboratory, started once, that run many plans and jobs one after the other."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Self

from p2smt.errors import RunError
from p2smt.problem.model import DTYPE_BYTES
from p2smt.run.lab.laboratory import Laboratory
from p2smt.run.lab.message import Job, JobTimes
from p2smt.run.lab.ranks import LabProcesses
from p2smt.run.lab.shape import MAX_RANKS
from p2smt.run.local.cluster import Cluster
from p2smt.run.local.message import Task


@dataclass(frozen=True, slots=True)
class JobReport:
    """What a job came to: every rank's numbers and times."""

    ranks: tuple[JobTimes, ...]

    @property
    def slowest(self) -> tuple[float, ...]:
        """Seconds of every repeat, each the slowest rank's."""
        return tuple(max(repeat) for repeat in zip(*(rank.seconds for rank in self.ranks), strict=True))

    @property
    def seconds(self) -> float:
        """Median over the repeats of the slowest rank."""
        return float(median(self.slowest))

    @property
    def wrong(self) -> int:
        """Elements that differ, over all ranks; 0 when none was compared."""
        return sum(rank.mismatches or 0 for rank in self.ranks)

    @property
    def ok(self) -> bool:
        """Whether no rank found an element that differs; also when none was compared."""
        return not any(rank.mismatches for rank in self.ranks)


class LabCluster(Cluster):
    """The ranks of a laboratory that is up: `run` as on one machine, and `time` for measuring.

    Processes, process groups and modules are made once each. After a RunError the cluster has ended; the
    laboratory has not, and another cluster may be started in it.
    """

    def __init__(self, laboratory: Laboratory, *, timeout_s: float = 120.0, debug: bool = False) -> None:
        """Start nothing yet."""
        super().__init__(laboratory.shape.devices, timeout_s=timeout_s, debug=debug, max_ranks=MAX_RANKS)
        self.laboratory = laboratory

    def __enter__(self) -> Self:
        """Start the ranks; about 2 s the first time, while torch is imported."""
        self._processes = LabProcesses(self.laboratory, self.timeout_s, self.debug)
        return self

    @property
    def torch_version(self) -> str:
        """The version of torch in the ranks; empty before they are started."""
        return self._processes.torch_version if self._processes is not None else ""

    def time(
        self,
        source: str | None,
        reduction: Sequence[tuple[int, ...]],
        elements: int,
        *,
        dtype: str = "float32",
        warmups: int = 1,
        repeats: int = 3,
        check: bool = False,
        odd: int = 7,
        timeout_s: float | None = None,
    ) -> JobReport:
        """Time an emitted module on all ranks, or with None a plain all-reduce over the groups of `reduction`.

        `reduction` has every rank in one group. With `check`, numbers are compared first, for `elements`, and
        for `odd` elements with gaps between them in memory; wrong ones are reported. A timeout or a rank that
        fails raises RunError. A text given before is not sent again, and its groups are there.
        """
        processes = self._processes
        if processes is None or processes.ended:
            raise RunError("the cluster is not running; start one with a with statement, another one after an error")
        if sorted(rank for ranks in reduction for rank in ranks) != list(range(self.ranks)):
            raise RunError(f"the groups to reduce over do not have each of the ranks 0 to {self.ranks - 1} once")
        if dtype not in DTYPE_BYTES:
            raise RunError(f"data type {dtype!r} is unknown; choose one of {', '.join(DTYPE_BYTES)}")
        if elements < 0 or warmups < 0 or repeats < 1:
            raise RunError(f"{elements} elements, {warmups} warm-ups, {repeats} repeats; give 0, 0 and 1 or more")
        timeout = self.timeout_s if timeout_s is None else timeout_s
        path = "" if source is None else str(_written(processes.folder, source))
        task = Task(path, tuple(map(tuple, reduction)), elements, odd, dtype, repeats, check, timeout)
        job = Job(task, source is None, warmups, check)
        return JobReport(tuple(processes.ask(job, JobTimes, timeout)))


def _written(folder: Path, source: str) -> Path:
    """A file with this text; the same text is in the same file."""
    path = folder / f"{hashlib.sha256(source.encode()).hexdigest()[:32]}.py"
    if not path.exists():
        path.write_text(source, encoding="utf-8")
    return path
