"""Run plans on real processes of this machine, time them, and compare them with their goal's collective in torch."""

import hashlib
from pathlib import Path
from types import TracebackType
from typing import Self

from p2smt.argument_types import require
from p2smt.collective import Collective
from p2smt.emit.torch.source import emit_torch
from p2smt.errors import RunError
from p2smt.problem.dtype import DTYPE_BYTES
from p2smt.reduction.plan.model import Plan
from p2smt.run.local.processes import Processes
from p2smt.run.local.report import RankReport, RunReport
from p2smt.run.rank.message import Groups, RankTimes, Seat, Task
from p2smt.run.rank.report import TaskReport

MAX_RANKS = 16
_TIMED_BYTES = 1 << 20


def refuse_many(ranks: int, most: int = MAX_RANKS) -> None:
    """Raise RunError for more ranks than this machine gets processes."""
    if ranks > most:
        raise RunError(
            f"{ranks} ranks need {ranks} processes on this machine; the limit is {most}, so take a smaller system "
            "of the same shape, or run what p2smt emit writes under torchrun, on as many machines as you have"
        )


class LocalCluster:
    """Processes on this machine, one per rank, that run plans in sequence.

    Use as a context manager. Processes, process groups and modules are created once and reused. After a
    RunError the cluster has ended. As always with multiprocessing, scripts must guard their work by `if
    __name__ == "__main__"`.
    """

    backend = "gloo"

    def __init__(self, ranks: int, *, timeout_s: float = 60.0, debug: bool = True, max_ranks: int = MAX_RANKS) -> None:
        """Store the parameters; processes start on entering the context.

        With `debug`, torch checks that all ranks of a group call the same collectives, which costs time.
        """
        refuse_many(ranks, max_ranks)
        if timeout_s <= 0:
            raise RunError(f"timeout {timeout_s} s must be above 0")
        self.ranks = ranks
        self.timeout_s = timeout_s
        self.debug = debug
        self._processes: Processes | None = None

    def __enter__(self) -> Self:
        """Start the processes. The first time takes about 2 s, as torch is imported."""
        self._processes = self._started()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the processes and remove their files."""
        if self._processes is not None:
            self._processes.close()
            self._processes = None

    def _started(self) -> Processes:
        return Processes([Seat()] * self.ranks, timeout_s=self.timeout_s, debug=self.debug)

    @property
    def torch_version(self) -> str:
        """The version of torch in the ranks; empty before they are started."""
        return self._processes.torch_version if self._processes is not None else ""

    def run(
        self,
        plan: Plan,
        *,
        elements: int | None = None,
        dtype: str = "float32",
        repeats: int = 3,
        timeout_s: float | None = None,
    ) -> RunReport:
        """Run the code that `emit_torch` emits for a plan, check its results and time it.

        Wrong results are reported; all other failures raise RunError. `elements` is the payload length for
        timing; None means the plan's length, but at most 1 MiB. Results are checked for this length and for a
        short, non-contiguous input whose length is not a multiple of the padding, both with newly allocated and
        with given output tensors. Buffers that Reduce leaves undefined are filled with NaN or the largest
        integer.
        """
        _running(self._processes)
        _check(plan, self.ranks, dtype, elements, repeats)
        length = min(plan.payload.elements, _TIMED_BYTES // DTYPE_BYTES[dtype]) if elements is None else elements
        source, groups = emit_torch(plan), tuple(plan.groups(plan.reduction))
        # The plan and the plain collective run one after the other with equal settings, so that
        # their times compare.
        mine, plain = (
            self.time(
                text,
                plan.goal,
                groups,
                length,
                dtype=dtype,
                warmups=0,
                repeats=repeats,
                check=True,
                timeout_s=timeout_s,
            )
            for text in (source, None)
        )
        return RunReport(
            program=plan.program,
            goal=plan.goal,
            group=max(map(len, groups)),
            ranks=tuple(map(_rank_report, mine.ranks, plain.ranks)),
            elements=length,
            dtype=dtype,
            repeats=repeats,
            plan_seconds=mine.seconds,
            plain_seconds=plain.seconds,
            group_seconds=mine.group_seconds,
            backend=self.backend,
            torch_version=self.torch_version,
            debug=self.debug,
        )

    def time(
        self,
        source: str | None,
        goal: Collective,
        groups: Groups,
        elements: int,
        *,
        dtype: str = "float32",
        warmups: int = 1,
        repeats: int = 3,
        check: bool = False,
        timeout_s: float | None = None,
    ) -> TaskReport:
        """Time an emitted module on all ranks or, if `source` is None, the collective `goal` within `groups`.

        `groups` must contain every rank exactly once. With `check`, results are compared first and wrong ones
        reported. A timeout or a failing rank raises RunError. A source that was timed before is not sent again,
        and its process groups are reused.
        """
        processes = _running(self._processes)
        if sorted(rank for ranks in groups for rank in ranks) != list(range(self.ranks)):
            raise RunError(f"the groups to reduce over must contain each of the ranks 0 to {self.ranks - 1} once")
        _check_dtype(dtype)
        if elements < 0 or warmups < 0 or repeats < 1:
            raise RunError(f"elements {elements}, warm-ups {warmups} and repeats {repeats}; give at least 0, 0 and 1")
        timeout = self.timeout_s if timeout_s is None else timeout_s
        task = Task(
            source=None if source is None else str(_written(processes.folder, source)),
            goal=goal,
            groups=tuple(map(tuple, groups)),
            elements=elements,
            dtype=dtype,
            warmups=warmups,
            repeats=repeats,
            check=check,
            timeout_s=timeout,
        )
        return TaskReport(tuple(processes.ask(task, RankTimes, timeout)))


def run_plan(
    plan: Plan,
    *,
    elements: int | None = None,
    dtype: str = "float32",
    repeats: int = 3,
    timeout_s: float = 60.0,
    debug: bool = True,
    max_ranks: int = MAX_RANKS,
) -> RunReport:
    """Run a plan once on newly started processes; see `LocalCluster` and `LocalCluster.run`."""
    require(plan, Plan, "plan", "read_plan reads a file, cheapest_plan finds one")
    _check(plan, plan.devices, dtype, elements, repeats)
    with LocalCluster(plan.devices, timeout_s=timeout_s, debug=debug, max_ranks=max_ranks) as cluster:
        return cluster.run(plan, elements=elements, dtype=dtype, repeats=repeats)


def _running(processes: Processes | None) -> Processes:
    if processes is None or processes.ended:
        raise RunError(
            "the cluster is not running; use it inside `with LocalCluster(...)`, and start another one after an error"
        )
    return processes


def _check(plan: Plan, ranks: int, dtype: str, elements: int | None, repeats: int) -> None:
    if plan.devices != ranks:
        raise RunError(
            f"the plan needs {plan.devices} devices, but the cluster has {ranks}; start one of the plan's size"
        )
    _check_dtype(dtype)
    if elements is not None and elements < 0:
        raise RunError(f"elements is {elements}; give 0 or more")
    if repeats < 1:
        raise RunError(f"repeats is {repeats}; give 1 or more")


def _check_dtype(dtype: str) -> None:
    if dtype not in DTYPE_BYTES:
        raise RunError(f"data type {dtype!r} is unknown; choose one of {', '.join(DTYPE_BYTES)}")


def _written(folder: Path, source: str) -> Path:
    """Write a text to a file named by its hash, and return the path; equal texts share a file."""
    # Named by its content: ranks import a text once, and find it again when it is asked for later.
    path = folder / f"{hashlib.sha256(source.encode()).hexdigest()[:32]}.py"
    if not path.exists():
        path.write_text(source, encoding="utf-8")
    return path


def _rank_report(plan: RankTimes, plain: RankTimes) -> RankReport:
    return RankReport(plan.rank, plan.mismatches or 0, plan.seconds, plain.seconds)
