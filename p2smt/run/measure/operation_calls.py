"""The measured operations as PyTorch calls on new tensors, and the work of each."""

from collections.abc import Callable, Sequence
from math import prod

import torch
from torch.nn import grad

Call = Callable[[], object]

_BYTES = {"float64": 8, "float32": 4, "tf32": 4, "bfloat16": 2, "float16": 2}


def work_of(kind: str, dtype: str, shape: Sequence[int]) -> tuple[int, int]:
    """Return an operation's floating-point operations, and the bytes that it reads and writes.

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
        # Two products of (tokens x tokens x features) per head, of which causal masking needs half.
        flops, size = 2 * prod(shape) * shape[2], 4 * prod(shape) * size
        # Forward and backward together have seven products where the forward pass has two.
        return (flops, size) if kind == "sdpa_causal" else (flops * 7 // 2, size * 3)
    if kind == "cast":
        return 0, prod(shape) * (4 + 2)
    flops, words = _FACTORS[kind]
    count = prod(shape) * (shape[-1] if kind == "batch_norm" else 1)
    return flops * count, words * count * size


_FACTORS = {
    "add": (1, 3),
    "mul_scalar": (1, 2),
    "gelu": (8, 2),
    "exp": (1, 2),
    "tanh": (1, 2),
    "addcmul_": (2, 4),
    "copy": (0, 2),
    "sum": (1, 1),
    "softmax": (5, 2),
    "log_softmax": (5, 2),
    "layer_norm": (8, 2),
    "sum_rows": (1, 1),
    "sum_cols": (1, 1),
    "max_rows": (1, 1),
    "bias": (1, 2),
    "cross_entropy": (6, 1),
    "index_select": (0, 2),
    "index_add": (1, 3),
    "transpose_copy": (0, 2),
    "gelu_backward": (16, 3),
    "adamw": (12, 7),
    "dropout": (4, 2),
    "batch_norm": (16, 8),
}
"""Map each elementwise operation to its arithmetic operations and its words moved, per element."""


def operation_call(kind: str, dtype: str, shape: Sequence[int], device: str) -> Call:
    """Return a function that calls the operation on newly allocated random tensors."""
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
    if kind.startswith(("conv2d", "sdpa")):
        return (_convolution if kind.startswith("conv2d") else _attention)(kind, shape, of)
    if kind in ("batch_norm", "adamw"):
        return _batch_norm(of, shape) if kind == "batch_norm" else _adamw(of, shape[0], device)
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


def _batch_norm(of: Callable[..., torch.Tensor], shape: Sequence[int]) -> Call:
    """Return a call of batch norm and its gradients, split as in emitted steps, where ranks may add up the sums."""
    x, gradient = (of(*shape, shape[-1]) for _ in range(2))
    # CUDA's kernels take statistics of bfloat16 and float16 in float32, as layers of torch keep them.
    kept = torch.promote_types(x.dtype, torch.float32)
    ones, dims = torch.ones(x.shape[1], device=x.device, dtype=kept), (0, 2, 3)
    elementwise, backward = torch.native_batch_norm, torch.ops.aten.native_batch_norm_backward

    def parts() -> object:
        squares = (x - ones[:, None, None]).square_().sum(dims, dtype=kept)
        made = elementwise(x, ones, ones, squares, ones, False, 0.0, 0.0)[0]
        wanted = [False, True, False]
        of_weight = backward(gradient, x, ones, None, None, squares, ones, True, 0.0, wanted)[1]
        inner = elementwise(x, ones, of_weight, squares, ones, False, 0.0, 0.0)[0]
        return made, inner.addcmul_(gradient, ones[:, None, None])

    return parts


def _adamw(of: Callable[..., torch.Tensor], count: int, device: str) -> Call:
    """Return a call of the fused AdamW update of one tensor."""
    parameter, gradient, mean, square = ([of(count).abs_()] for _ in range(4))
    step = [torch.ones((), device=device)]
    return lambda: torch._fused_adamw_(
        parameter,
        gradient,
        mean,
        square,
        [],
        step,
        lr=1e-3,
        beta1=0.9,
        beta2=0.999,
        weight_decay=0.01,
        eps=1e-8,
        amsgrad=False,
        maximize=False,
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
        "gelu_backward": lambda: torch.ops.aten.gelu_backward(y, x),
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
    words = [torch.randint(2**31, shape, device=device, dtype=torch.int32) for shape in ((rows, 1), (columns,))]

    def dropout() -> torch.Tensor:
        # Each element's word is the product of two random words, as in emitted dropout.
        kept = words[0] * words[1] >= 2**29
        if x.is_cuda:
            made: torch.Tensor = torch.ops.aten.native_dropout_backward(x, kept, 2.0)
            return made
        return kept.to(x.dtype).mul_(x).mul_(2.0)

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
        "dropout": dropout,
    }
    return calls[kind]
