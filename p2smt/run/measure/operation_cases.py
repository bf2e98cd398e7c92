"""The operations measured on a device: kinds, data types and shapes."""

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OperationCase:
    """An operation to measure, as a row of the table."""

    kind: str
    dtype: str
    shape: tuple[int, ...]


_ON_ELEMENTS = (
    "add",
    "mul_scalar",
    "gelu",
    "gelu_backward",
    "exp",
    "tanh",
    "addcmul_",
    "copy",
    "cast",
    "sum",
    "adamw",
)
_ON_ROWS = (
    "softmax",
    "log_softmax",
    "layer_norm",
    "sum_rows",
    "sum_cols",
    "max_rows",
    "bias",
    "cross_entropy",
    "index_select",
    "index_add",
    "transpose_copy",
    "dropout",
)


def operation_cases(*, cuda: bool) -> Iterator[OperationCase]:
    """Yield small and large, square and skinny cases of each kind; on a CPU smaller ones, in float32 only."""
    for dtype in ("float32", "tf32", "bfloat16") if cuda else ("float32",):
        lengths = (128, 512, 2048, 8192) if cuda else (16, 128, 512, 1024)
        sides = ((768, 3072), (1024, 1024), (4096, 4096), (256, 256), (64, 64))
        for m in lengths:
            for k, n in sides if cuda else ((64, 64), (256, 256), (256, 1024), (1024, 256), (768, 768)):
                yield OperationCase("matmul", dtype, (m, k, n))
        batched = ((96, 128, 64, 128), (512, 128, 64, 128), (128, 1024, 64, 1024), (1024, 17, 64, 17))
        for products in batched if cuda else ((8, 32, 16, 32), (32, 64, 32, 64), (48, 128, 64, 128), (96, 17, 64, 17)):
            for kind in ("bmm", "bmm_nt"):
                yield OperationCase(kind, dtype, products)
        convolved = ((32, 64, 112, 128, 3, 1), (64, 3, 224, 64, 7, 2), (64, 256, 56, 64, 1, 1), (8, 64, 32, 64, 3, 1))
        small = (
            (8, 3, 32, 64, 3, 1),
            (8, 64, 16, 64, 3, 1),
            (8, 128, 8, 256, 3, 1),
            (4, 256, 4, 256, 3, 1),
            (8, 32, 32, 128, 1, 1),
            (8, 256, 16, 64, 1, 1),
            (8, 128, 32, 256, 1, 2),
            (8, 256, 16, 256, 1, 2),
            (8, 64, 32, 64, 3, 2),
            (8, 128, 16, 128, 3, 2),
        )
        for shape in convolved if cuda else small:
            for kind in ("conv2d", "conv2d_input", "conv2d_weight"):
                yield OperationCase(kind, dtype, shape)
        if dtype != "tf32":
            yield from _memory_cases(dtype, cuda=cuda)


def few_operation_cases(*, cuda: bool) -> tuple[OperationCase, ...]:
    """Return at most three cases of each kind and data type, small ones first; for when there are only seconds.

    >>> len(few_operation_cases(cuda=False)), len(tuple(operation_cases(cuda=False)))
    (80, 168)
    """
    kinds: dict[tuple[str, str], list[OperationCase]] = {}
    for case in operation_cases(cuda=cuda):
        kinds.setdefault((case.kind, case.dtype), []).append(case)
    return tuple(case for cases in kinds.values() for case in cases[:: max(1, -(-len(cases) // _FEW))])


_FEW = 3


def _memory_cases(dtype: str, *, cuda: bool) -> Iterator[OperationCase]:
    sizes = (1024, 131072, 1048576, 16777216, 67108864) if cuda else (256, 16384, 131072, 1048576, 4194304)
    for kind in _ON_ELEMENTS:
        for size in sizes:
            yield OperationCase(kind, dtype, (size,))
    tables = ((1024, 768), (8192, 1024), (65536, 1024), (131072, 128), (8192, 8192))
    for kind in _ON_ROWS:
        for table in tables if cuda else ((64, 64), (512, 256), (4096, 64), (1024, 1024)):
            yield OperationCase(kind, dtype, table)
    for image in ((64, 64, 56), (64, 256, 28), (64, 512, 7)) if cuda else ((8, 32, 16), (8, 64, 32), (8, 256, 8)):
        yield OperationCase("batch_norm", dtype, image)
    attended = ((8, 12, 1024, 64), (4, 32, 2048, 128), (64, 12, 128, 64))
    if dtype != "float32" or not cuda:
        for shape in attended if cuda else ((8, 4, 64, 64), (4, 8, 128, 32)):
            for kind in ("sdpa_causal", "sdpa_causal_fb"):
                yield OperationCase(kind, dtype, shape)
