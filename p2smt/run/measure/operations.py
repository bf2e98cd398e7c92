"""Measure PyTorch operations on the local device, as rows of the tables that `calibrate --operations` reads.

On CUDA, a kernel is timed between two events, queued after a kernel that keeps the device busy until the host
is ahead; caches are overwritten before each run, and the median is reported. On a CPU, the mean over several
separated passes is reported, since the load varies over time and a step adds up many operations; with one
thread, CPU time is measured. The module needs torch only.
"""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import torch

from p2smt.run.measure.operation_calls import Call, operation_call, work_of
from p2smt.run.measure.operation_cases import OperationCase, operation_cases

_LAUNCHES = 200
_PASSES = 5
_AHEAD_CYCLES = 20_000_000
_FLUSHED_BYTES, _CORE_BYTES = 2**28, 2**23
_FEWEST, _MOST = 2, 100


@dataclass(frozen=True, slots=True)
class MeasuredOperation:
    """A row of the table: kind, data type, shape, microseconds, floating-point operations, bytes read and written."""

    kind: str
    dtype: str
    shape: tuple[int, ...]
    us: float
    flops: int
    bytes: int

    @property
    def line(self) -> str:
        """The row as CSV."""
        shape = "x".join(map(str, self.shape))
        return f"{self.kind},{self.dtype},{shape},{self.us:.3f},{self.flops},{self.bytes}"


def table_text(rows: Sequence[MeasuredOperation]) -> str:
    """Return rows as a table, with its head."""
    return "\n".join([_HEAD, *(row.line for row in rows)])


_HEAD = "kind,dtype,shape,us,flops,bytes"


class OperationTimer:
    """Measures operations on a device, `cuda` or `cpu`, for about `seconds` in total.

    It times all cases, or those given, on a CPU in several `passes` and by `clock`, that of `cpu_clock` by default.
    """

    def __init__(
        self,
        device: str,
        seconds: float = 60.0,
        cases: Sequence[OperationCase] | None = None,
        passes: int = _PASSES,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self._device = device
        self._cuda = device == "cuda"
        self._seconds = seconds
        self._clock = clock or cpu_clock()
        self._passes = 1 if self._cuda else passes
        self._flushed = torch.empty(_FLUSHED_BYTES if self._cuda else _CORE_BYTES, dtype=torch.int8, device=device)
        self.cases = tuple(operation_cases(cuda=self._cuda) if cases is None else cases)

    def run(self, on_progress: Callable[[int, int], object] | None = None) -> list[MeasuredOperation]:
        """Return the rows, with launch overheads on the host last. Cases that do not fit into memory are left out."""
        # The time given is shared evenly by cases and passes.
        each, total = self._seconds / len(self.cases) / self._passes, self._passes * len(self.cases)
        found = dict[OperationCase, list[float]]()
        for number, case in enumerate(self.cases * self._passes, 1):
            try:
                found.setdefault(case, []).append(self._measured(case, each))
            except torch.OutOfMemoryError:
                torch.cuda.empty_cache()
            if on_progress is not None:
                on_progress(number, total)
        return [*(self._row(case, statistics.fmean(seconds)) for case, seconds in found.items()), *self._launches()]

    def _measured(self, case: OperationCase, seconds: float) -> float:
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = case.dtype == "tf32"
        call = operation_call(case.kind, case.dtype, case.shape, self._device)
        return (self._on_cuda if self._cuda else self._on_cpu)(call, seconds)

    def _row(self, case: OperationCase, seconds: float) -> MeasuredOperation:
        flops, size = work_of(case.kind, case.dtype, case.shape)
        return MeasuredOperation(case.kind, case.dtype, case.shape, seconds * 1e6, flops, size)

    def _on_cpu(self, call: Call, seconds: float) -> float:
        """Return the mean time of calls, half with the core's cache overwritten and half directly after another call.

        In a step, some operands of an operation were just computed, and others long ago.
        """
        call()
        cold, warm, end = list[float](), list[float](), time.perf_counter() + seconds
        while len(cold) < _FEWEST or (time.perf_counter() < end and len(cold) < _MOST):
            self._flushed.zero_()
            for times in (cold, warm):
                start = self._clock()
                call()
                times.append(self._clock() - start)
        return statistics.fmean([*cold, *warm])

    def _on_cuda(self, call: Call, seconds: float) -> float:
        """Return the median time between events; a waiting kernel gives the host time to launch all calls."""
        start = time.perf_counter()
        for _ in range(3):
            call()
        torch.cuda.synchronize()
        once = max((time.perf_counter() - start) / 3, 1e-5)
        count = max(5, min(50, int(seconds / once / 4)))
        torch.cuda._sleep(_AHEAD_CYCLES)  # type: ignore[no-untyped-call]
        pairs = []
        for _ in range(count):
            self._flushed.zero_()
            pairs.append((timed_event(), timed_event()))
            pairs[-1][0].record()
            call()
            pairs[-1][1].record()
        torch.cuda.synchronize()
        return float(statistics.median(first.elapsed_time(last) for first, last in pairs)) * 1e-3

    def _launches(self) -> Iterator[MeasuredOperation]:
        """Yield the host times of operations on few elements, launched many times."""
        x = torch.randn(16, 16, device=self._device)
        weight = torch.ones(16, device=self._device)
        calls: dict[str, Call] = {
            "add": lambda: x + x,
            "matmul": lambda: x @ x,
            "sum": x.sum,
            "reshape": lambda: x.reshape(256),
            "layer_norm": lambda: torch.nn.functional.layer_norm(x, (16,), weight, weight),
        }
        for name, call in calls.items():
            times = []
            for _ in range(5):
                self._wait()
                start = time.perf_counter()
                for _ in range(_LAUNCHES):
                    call()
                times.append((time.perf_counter() - start) / _LAUNCHES)
            self._wait()
            yield MeasuredOperation(f"launch_{name}", "float32", (16,), statistics.median(times) * 1e6, 0, 0)

    def _wait(self) -> None:
        if self._cuda:
            torch.cuda.synchronize()


def timed_event() -> torch.cuda.Event:
    """Return a new CUDA event that keeps its time."""
    return torch.cuda.Event(enable_timing=True)  # type: ignore[no-untyped-call]


def cpu_clock() -> Callable[[], float]:
    """Return the clock for a CPU: process time if one thread computes, otherwise wall-clock time."""
    return time.process_time if torch.get_num_threads() == 1 else time.perf_counter
