"""A plan run on real processes of this machine, and compared with a plain all-reduce."""

from statistics import median
from types import TracebackType
from typing import Self

from p2smt.emit.torch.source import emit_torch
from p2smt.errors import RunError
from p2smt.problem.model import DTYPE_BYTES
from p2smt.reduction.plan.model import Plan
from p2smt.run.local.message import Task
from p2smt.run.local.processes import Processes
from p2smt.run.local.report import RankReport, RunReport

MAX_RANKS = 16
_TIMED_BYTES = 1 << 20


class Cluster:
    """Processes on this machine, one per rank, that run one plan after the other.

    Use as a context manager. Process groups are shared by all plans. After a RunError the cluster has ended.
    As with all of multiprocessing, a script that uses this guards its own work by `if __name__ == "__main__"`.
    """

    def __init__(self, ranks: int, *, timeout_s: float = 60.0, debug: bool = True, max_ranks: int = MAX_RANKS) -> None:
        """Start nothing yet. With `debug` torch checks that all ranks of a group do the same, at a price in time."""
        if ranks > max_ranks:
            raise RunError(f"{ranks} devices need {ranks} processes on this machine; the limit is {max_ranks}")
        if timeout_s <= 0:
            raise RunError(f"timeout {timeout_s} s must be more than 0")
        self.ranks = ranks
        self.timeout_s = timeout_s
        self.debug = debug
        self._processes: Processes | None = None
        self._plans = 0

    def __enter__(self) -> Self:
        """Start the processes; about 2 s the first time, while torch is imported."""
        self._processes = Processes(self.ranks, self.timeout_s, self.debug)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the processes and remove their files."""
        if self._processes is not None:
            self._processes.close()
            self._processes = None

    def run(
        self,
        plan: Plan,
        *,
        elements: int | None = None,
        dtype: str = "float32",
        repeats: int = 3,
        poison: bool = True,
        timeout_s: float | None = None,
    ) -> RunReport:
        """Run what `emit_torch` makes of a plan; a wrong result is reported, anything else raises RunError.

        `elements` is the length that is timed (none: the plan's payload, at most 1 MiB). Compared are this
        length, and a short one with gaps in memory that the padding does not divide, in place and not. With
        `poison`, buffers that Reduce leaves undefined are filled with NaN or the largest integer.
        """
        if self._processes is None or self._processes.ended:
            raise RunError("the cluster is not running; start one with a with statement, another one after an error")
        _check(plan, self.ranks, dtype, elements, repeats)
        timeout = self.timeout_s if timeout_s is None else timeout_s
        self._plans += 1
        source = self._processes.folder / f"plan{self._plans}.py"
        source.write_text(emit_torch(plan), encoding="utf-8")
        length = min(plan.payload.elements, _TIMED_BYTES // DTYPE_BYTES[dtype]) if elements is None else elements
        reduction = tuple(plan.groups(plan.reduction))
        odd = plan.multiple + 1 if plan.multiple > 1 else 7
        task = Task(str(source), reduction, length, odd, dtype, repeats, poison, timeout)
        ranks = self._processes.ask(task, RankReport, timeout)
        return _report(plan, task, tuple(ranks), self._processes.torch_version, self.debug)


def run_plan(
    plan: Plan,
    *,
    elements: int | None = None,
    dtype: str = "float32",
    repeats: int = 3,
    timeout_s: float = 60.0,
    poison: bool = True,
    debug: bool = True,
    max_ranks: int = MAX_RANKS,
) -> RunReport:
    """Run a plan once on processes of its own; see `Cluster` and `Cluster.run`."""
    _check(plan, plan.devices, dtype, elements, repeats)
    with Cluster(plan.devices, timeout_s=timeout_s, debug=debug, max_ranks=max_ranks) as cluster:
        return cluster.run(plan, elements=elements, dtype=dtype, repeats=repeats, poison=poison)


def _check(plan: Plan, ranks: int, dtype: str, elements: int | None, repeats: int) -> None:
    if plan.devices != ranks:
        raise RunError(f"the plan needs {plan.devices} devices, but the cluster has {ranks}")
    if dtype not in DTYPE_BYTES:
        raise RunError(f"data type {dtype!r} is unknown; choose one of {', '.join(DTYPE_BYTES)}")
    if elements is not None and elements < 0:
        raise RunError(f"{elements} elements; there are 0 or more")
    if repeats < 1:
        raise RunError(f"{repeats} repeats; there is 1 or more")


def _report(plan: Plan, task: Task, ranks: tuple[RankReport, ...], torch_version: str, debug: bool) -> RunReport:
    return RunReport(
        program=plan.program,
        ranks=ranks,
        elements=task.elements,
        dtype=task.dtype,
        repeats=task.repeats,
        plan_seconds=_slowest([rank.plan_seconds for rank in ranks]),
        allreduce_seconds=_slowest([rank.allreduce_seconds for rank in ranks]),
        group_seconds=max(rank.group_seconds for rank in ranks),
        backend="gloo",
        torch_version=torch_version,
        debug=debug,
    )


def _slowest(seconds: list[tuple[float, ...]]) -> float:
    """Median over repeats of the slowest rank."""
    return float(median(max(repeat) for repeat in zip(*seconds, strict=True)))
