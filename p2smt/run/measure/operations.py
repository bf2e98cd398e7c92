"""Measure operations of PyTorch on the device at hand: rows of the tables that `calibrate --operations` reads.

On CUDA a kernel's time is that between two events, behind a kernel that keeps the device busy until the host is ahead,
with the caches overwritten before each; the median counts. On a CPU it is the median of calls; with one thread of the
processor's time, which other processes do not change. It needs torch alone.
"""

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import prod

import torch
from torch.nn import grad

from p2smt.run.measure.operation_cases import Case, operation_cases

Call = Callable[[], object]

_BYTES = {"float64": 8, "float32": 4, "tf32": 4, "bfloat16": 2, "float16": 2}
_LAUNCHES = 200
_AHEAD_CYCLES = 20_000_000
_FLUSHED_BYTES = 2**28


@dataclass(frozen=True, slots=True)
class MeasuredOperation:
    """A row of a table: kind, data type, lengths, microseconds, operations on numbers, bytes read and written."""

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


HEAD = "kind,dtype,shape,us,flops,bytes"


class OperationTimer:
    """Measures operations on a device, `cuda` or `cpu`, for about so many seconds."""

    def __init__(self, device: str, seconds: float = 60.0) -> None:
        self._device = device
        self._cuda = device == "cuda"
        self._seconds = seconds
        self._flushed = torch.empty(_FLUSHED_BYTES if self._cuda else 0, dtype=torch.int8, device=device)
        self.cases = tuple(operation_cases(cuda=self._cuda))

    def run(self, on_progress: Callable[[int, int], object] | None = None) -> list[MeasuredOperation]:
        """The rows, launches on the host last. What does not fit into memory is left out."""
        rows = list[MeasuredOperation]()
        each = self._seconds / len(self.cases)
        for number, case in enumerate(self.cases, 1):
            try:
                rows.append(self._measured(case, each))
            except torch.OutOfMemoryError:
                torch.cuda.empty_cache()
            if on_progress is not None:
                on_progress(number, len(self.cases))
        return [*rows, *self._launches()]

    def _measured(self, case: Case, seconds: float) -> MeasuredOperation:
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = case.dtype == "tf32"
        call = operation_call(case.kind, case.dtype, case.shape, self._device)
        us = (self._on_cuda if self._cuda else self._on_cpu)(call, seconds) * 1e6
        flops, size = work_of(case.kind, case.dtype, case.shape)
        return MeasuredOperation(case.kind, case.dtype, case.shape, us, flops, size)

    def _on_cpu(self, call: Call, seconds: float) -> float:
        """The median of calls, of as many as go into the time, at least three."""
        call()
        clock = cpu_clock()
        times, end = list[float](), time.perf_counter() + seconds
        while len(times) < 3 or (time.perf_counter() < end and len(times) < 1000):
            start = clock()
            call()
            times.append(clock() - start)
        return statistics.median(times)

    def _on_cuda(self, call: Call, seconds: float) -> float:
        """The median between events; a kernel that waits gives the host time to launch all."""
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
            pairs.append((_event(), _event()))
            pairs[-1][0].record()
            call()
            pairs[-1][1].record()
        torch.cuda.synchronize()
        return float(statistics.median(first.elapsed_time(last) for first, last in pairs)) * 1e-3

    def _launches(self) -> Iterator[MeasuredOperation]:
        """Host times of operations on few numbers, launched many times."""
        x = torch.randn(16, 16, device=self._device)
        weight = torch.ones(16, device=self._device)
        calls: dict[str, Call] = {
            "add": lambda: x + x, "matmul": lambda: x @ x, "sum": x.sum, "reshape": lambda: x.reshape(256),
            "layer_norm": lambda: torch.nn.functional.layer_norm(x, (16,), weight, weight),
        }  # fmt: skip
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


def _event() -> torch.cuda.Event:
    return torch.cuda.Event(enable_timing=True)  # type: ignore[no-untyped-call]


def cpu_clock() -> Callable[[], float]:
    """The clock for a CPU: the process's time where one thread computes, otherwise that of the wall."""
    return time.process_time if torch.get_num_threads() == 1 else time.perf_counter


def work_of(kind: str, dtype: str, shape: Sequence[int]) -> tuple[int, int]:
    """Operations on numbers, and bytes read and written.

    >>> work_of("matmul", "float32", (128, 768, 768))
    (150994944, 3145728)
    """
    size = _BYTES[dtype]
    if kind == "matmul":
        m, k, n = shape
        return 2 * m * k * n, (m * k + k * n + m * n) * size
    if kind in ("bmm", "bmm_nt"):
        b, m, k, n = shape
        return 2 * b * m * k * n, b * (m * k + k * n + m * n) * size
    if kind.startswith("conv2d"):
        n, c, h, o, k, stride = shape
        space = (h // stride) ** 2
        return 2 * n * o * space * c * k * k, n * (c * h * h + o * space) * size
    if kind.startswith("sdpa"):
        flops, size = 2 * prod(shape) * shape[2], 4 * prod(shape) * size
        return (flops, size) if kind == "sdpa_causal" else (flops * 7 // 2, size * 3)
    if kind == "cast":
        return 0, prod(shape) * (4 + 2)
    flops, words = _FACTORS[kind]
    return flops * prod(shape), words * prod(shape) * size


_FACTORS = {
    "add": (1, 3), "mul_scalar": (1, 2), "gelu": (8, 2), "exp": (1, 2), "tanh": (1, 2), "addcmul_": (2, 4),
    "copy": (0, 2), "sum": (1, 1), "softmax": (5, 2), "log_softmax": (5, 2), "layer_norm": (8, 2), "sum_rows": (1, 1),
    "sum_cols": (1, 1), "max_rows": (1, 1), "bias": (1, 2), "cross_entropy": (6, 1), "index_select": (0, 2),
    "index_add": (1, 3), "transpose_copy": (0, 2),
}  # fmt: skip
"""Operations on numbers, and words moved, for each element."""


def operation_call(kind: str, dtype: str, shape: Sequence[int], device: str) -> Call:
    """A call of the operation on new tensors."""
    type_ = torch.float32 if dtype == "tf32" else getattr(torch, dtype)

    def of(*lengths: int) -> torch.Tensor:
        return torch.randn(*lengths, device=device, dtype=type_)

    if kind == "matmul":
        m, k, n = shape
        a, b = of(m, k), of(k, n)
        return lambda: a @ b
    if kind in ("bmm", "bmm_nt"):
        count, m, k, n = shape
        a, b = of(count, m, k), of(count, k, n) if kind == "bmm" else of(count, n, k).transpose(1, 2)
        return lambda: torch.bmm(a, b)
    if kind.startswith("conv2d"):
        return _convolution(kind, shape, of)
    if kind.startswith("sdpa"):
        return _attention(kind, shape, of)
    if len(shape) == 1:
        return _on_elements(kind, of, shape[0], torch.bfloat16 if dtype != "bfloat16" else torch.float32)
    return _on_rows(kind, of, shape[0], shape[1], device)


def _convolution(kind: str, shape: Sequence[int], of: Callable[..., torch.Tensor]) -> Call:
    n, c, h, o, k, stride = shape
    x, weight, padding = of(n, c, h, h), of(o, c, k, k), k // 2
    if kind == "conv2d":
        return lambda: torch.nn.functional.conv2d(x, weight, stride=stride, padding=padding)
    gradient = torch.nn.functional.conv2d(x, weight, stride=stride, padding=padding)
    if kind == "conv2d_input":
        return lambda: grad.conv2d_input(  # type: ignore[no-untyped-call]
            x.shape, weight, gradient, stride=stride, padding=padding
        )
    return lambda: grad.conv2d_weight(  # type: ignore[no-untyped-call]
        x, weight.shape, gradient, stride=stride, padding=padding
    )


def _attention(kind: str, shape: Sequence[int], of: Callable[..., torch.Tensor]) -> Call:
    attend = torch.nn.functional.scaled_dot_product_attention
    q, k, v = of(*shape), of(*shape), of(*shape)
    if kind == "sdpa_causal":
        return lambda: attend(q, k, v, is_causal=True)
    gradient = of(*shape)
    for each in (q, k, v):
        each.requires_grad_()

    def both() -> object:
        return torch.autograd.grad(attend(q, k, v, is_causal=True), (q, k, v), gradient)

    return both


def _on_elements(kind: str, of: Callable[..., torch.Tensor], count: int, other: torch.dtype) -> Call:
    x, y, z = of(count), of(count), of(count)
    calls: dict[str, Call] = {
        "add": lambda: x + y,
        "addcmul_": lambda: x.addcmul_(y, z, value=0.1),
        "mul_scalar": lambda: x * 1.5,
        "gelu": lambda: torch.nn.functional.gelu(x),
        "copy": x.clone,
        "cast": lambda: x.to(other),
        "exp": x.exp,
        "tanh": x.tanh,
        "sum": x.sum,
    }
    return calls[kind]


def _on_rows(kind: str, of: Callable[..., torch.Tensor], rows: int, columns: int, device: str) -> Call:
    x = of(rows, columns)
    functional = torch.nn.functional
    index = torch.randint(rows, (rows,), device=device)
    classes = torch.randint(columns, (rows,), device=device)
    weight = of(columns)
    calls: dict[str, Call] = {
        "softmax": lambda: functional.softmax(x, -1),
        "log_softmax": lambda: functional.log_softmax(x, -1),
        "layer_norm": lambda: functional.layer_norm(x, (columns,), weight, weight),
        "sum_rows": lambda: x.sum(1),
        "sum_cols": lambda: x.sum(0),
        "max_rows": lambda: x.amax(1),
        "bias": lambda: x + weight,
        "cross_entropy": lambda: functional.cross_entropy(x, classes),
        "index_select": lambda: x[index],
        "index_add": lambda: torch.zeros_like(x).index_add_(0, index, x),
        "transpose_copy": lambda: x.t().contiguous(),
    }
    return calls[kind]
