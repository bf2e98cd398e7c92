"""Measure what contractions lose beside communication, on the ranks of a process group.

Every rank runs the same products `count` times, first alone and then while AllReduces are in flight, and both are timed
in turns. AllReduces are queued until they outlast the products on every rank, which each turn checks:

    computing   [ product ][ product ] ... [ product ]
    network     [ AllReduce ][ AllReduce ] ... [ AllReduce ][ AllReduce ]

    loss = time beside / time alone - 1

What is reported are the medians of each rank, averaged over ranks, as rows `matmul` and `beside_matmul`. All methods
are collective: every rank calls them in the same order.
"""

import statistics
import time
from collections.abc import Callable
from math import ceil

import torch
import torch.distributed as dist

from p2smt.cost.calibration.operation_table import TimedPart
from p2smt.errors import RunError
from p2smt.run.measure.operation_calls import Call, operation_call, work_of
from p2smt.run.measure.operation_cases import OperationCase
from p2smt.run.measure.operations import MeasuredOperation, timed_event

_TURNS = 9
_MOST_DOUBLED = 12
_REDUCED_BYTES = {"cuda": 2**26, "cpu": 2**22}
_PRODUCTS_S = {"cuda": 0.02, "cpu": 0.05}
"""The seconds that the products of a turn take, about; long beside the start of an AllReduce."""


def overlap_cases(*, cuda: bool) -> tuple[OperationCase, ...]:
    """Return the products to measure; their shapes are in no other case, so that a table has one time alone."""
    large = (4096, 4096, 4096), (4096, 1024, 8192), (2048, 4096, 1024)
    small = (384, 768, 768), (768, 256, 1024), (256, 512, 512)
    return tuple(
        OperationCase("matmul", dtype, shape)
        for dtype in (("float32", "tf32", "bfloat16") if cuda else ("float32",))
        for shape in (large if cuda else small)
    )


class OverlapTimer:
    """Measures products on all ranks of the default process group, alone and beside AllReduce, on each rank's device.

    Raises RunError for a group of one rank, whose AllReduces communicate nothing.
    """

    def __init__(self, device: torch.device) -> None:
        if dist.get_world_size() < 2:
            raise RunError(
                "one rank has nothing to communicate beside its products; start at least two, as in torchrun "
                "--nproc-per-node 2 ..., or leave --torchrun out"
            )
        self._device = device
        self._cuda = device.type == "cuda"
        # The largest of equal values stays what it is, however often it is reduced.
        self._reduced = torch.randn(_REDUCED_BYTES[device.type] // 4, device=device)
        self.cases = overlap_cases(cuda=self._cuda)

    def run(self, on_progress: Callable[[int, int], object] | None = None) -> list[MeasuredOperation]:
        """Return two rows for each case, alone and beside AllReduce, the same on all ranks."""
        rows = list[MeasuredOperation]()
        for number, case in enumerate(self.cases, 1):
            torch.backends.cuda.matmul.allow_tf32 = case.dtype == "tf32"
            call = operation_call(case.kind, case.dtype, case.shape, self._device.type)
            flops, size = work_of(case.kind, case.dtype, case.shape)
            for prefix, seconds in zip((TimedPart.KERNEL, TimedPart.BESIDE), self._measured(call), strict=True):
                rows.append(MeasuredOperation(prefix + case.kind, case.dtype, case.shape, seconds * 1e6, flops, size))
            if on_progress is not None:
                on_progress(number, len(self.cases))
        return rows

    def _measured(self, call: Call) -> tuple[float, float]:
        """Return the seconds of a call alone and beside AllReduce."""
        # The first calls of a shape choose kernels and allocate; they count for nothing.
        self._timed(call, 3, 0)
        once, _ = self._timed(call, 3, 0)
        count = max(3, ceil(self._agreed(_PRODUCTS_S[self._device.type] / once, dist.ReduceOp.MAX)))
        reduced, doubled = 1, 0
        alone, beside = list[float](), list[float]()
        while len(beside) < _TURNS:
            alone_seconds, _ = self._timed(call, count, 0)
            seconds, covered = self._timed(call, count, reduced)
            if self._agreed(float(covered), dist.ReduceOp.MIN):
                alone.append(alone_seconds)
                beside.append(seconds)
                continue
            # On some rank products ran on behind the communication: the turn does not count.
            if doubled == _MOST_DOUBLED:
                raise RunError(
                    f"{reduced} AllReduces of {self._reduced.nbytes} bytes ended before {count} products "
                    "did, so overlap cannot be measured; measure on idle devices, or without --torchrun"
                )
            reduced, doubled = 2 * reduced, doubled + 1
        return self._mean(statistics.median(alone)), self._mean(statistics.median(beside))

    def _timed(self, call: Call, count: int, reduced: int) -> tuple[float, bool]:
        """Return the seconds of one of `count` calls beside so many AllReduces, and whether those ended last."""
        dist.barrier()
        return (self._on_cuda if self._cuda else self._on_cpu)(call, count, reduced)

    def _on_cpu(self, call: Call, count: int, reduced: int) -> tuple[float, bool]:
        works = self._all_reduces(reduced)
        # Wall-clock time: what gloo's threads take of this core is a loss, which CPU time would not show.
        start = time.perf_counter()
        for _ in range(count):
            call()
        seconds = time.perf_counter() - start
        # Asked before `wait`, behind which every call is completed.
        covered = not works or not works[-1].is_completed()
        for work in works:
            work.wait()
        return seconds / count, covered

    def _on_cuda(self, call: Call, count: int, reduced: int) -> tuple[float, bool]:
        torch.cuda.synchronize()
        first, last, communicated = timed_event(), timed_event(), timed_event()
        works = self._all_reduces(reduced)
        first.record()
        for _ in range(count):
            call()
        last.record()
        side = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        with torch.cuda.stream(side):
            # Only the side stream waits for the AllReduces, so that the products run beside them.
            for work in works:
                work.wait()
            communicated.record()
        torch.cuda.synchronize()
        return first.elapsed_time(last) * 1e-3 / count, not works or last.elapsed_time(communicated) > 0

    def _all_reduces(self, count: int) -> list[dist.Work]:
        works = [dist.all_reduce(self._reduced, op=dist.ReduceOp.MAX, async_op=True) for _ in range(count)]
        return [work for work in works if work is not None]

    def _agreed(self, value: float, operation: dist.ReduceOp.RedOpType) -> float:
        box = torch.tensor(value, dtype=torch.float64, device=self._device)
        dist.all_reduce(box, op=operation)
        return float(box)

    def _mean(self, value: float) -> float:
        return self._agreed(value, dist.ReduceOp.SUM) / dist.get_world_size()
