"""PyTorch's own result for every operation of tensor programs, in float64: what declarations are judged by.

Nothing here uses the numpy meanings of p2smt. Types that round are kept out, but for what casts do to whole numbers and
truth values. Dropout has no counterpart in PyTorch; its mask is the one of its documentation: 64 bits by splitmix64 of
seed, step and global index, kept where the upper 53 bits as a fraction are at least the share.
"""

from collections.abc import Callable, Mapping, Sequence
from math import ceil

import torch
from torch import Tensor
from torch.nn import functional

from p2smt.tensor.frame import Attributes

Meaning = Callable[..., Tensor]
_MASK = 2**64 - 1


def gradient_of(function: Callable[..., Tensor], number: int = 0) -> Meaning:
    """The gradient of a function by its operand of this number, given the gradient of its result and the operands."""

    def computed(given: Tensor, *operands: Tensor) -> Tensor:
        with torch.enable_grad():
            held = [operand.detach().clone().requires_grad_(True) for operand in operands]
            result = function(*held)
        return torch.autograd.grad(result, held[number], given)[0]

    return computed


def _real(truth: Tensor) -> Tensor:
    return truth.double()


def _splitmix(word: int) -> int:
    word = (word + 0x9E3779B97F4A7C15) & _MASK
    word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & _MASK
    return word ^ (word >> 31)


def _upper(word: int) -> int:
    return word >> 32


def _words(x: Tensor, seed: int, step: int) -> Tensor:
    """Words of 32 bits, each of a word of the row and one of the column."""
    key = _splitmix(_splitmix(seed % 2**64) ^ (step % 2**64))
    even = 2**32 - 2
    found = torch.zeros(x.shape, dtype=torch.int64)
    for index in torch.cartesian_prod(*(torch.arange(n) for n in x.shape)).reshape(-1, max(x.ndim, 1)).tolist():
        *row, column = index[: x.ndim] or [0]
        word = _splitmix(0)
        for at in row:
            word = _splitmix(word ^ at)
        line = (_upper(word) | 1) ^ (key & even)
        place = ((_upper(_splitmix(_splitmix(1) ^ column)) | 1) ^ (_upper(key) & even)) * (_upper(_splitmix(key)) | 1)
        found[tuple(index[: x.ndim])] = line * place % 2**32
    return found


def dropout(x: Tensor, share: float, seed: int, step: int) -> Tensor:
    """Elements that are kept, divided by their share."""
    drawn = _words(x, seed, step)
    signed = torch.where(drawn >= 2**31, drawn - 2**32, drawn)
    return x * (signed >= ceil(share * 2**32) - 2**31) / (1 - share)


def _attention_parts(q: Tensor, k: Tensor, v: Tensor, bias: Sequence[Tensor], causal: int) -> tuple[Tensor, ...]:
    """Weights, keys and values of every head of the queries, without `scaled_dot_product_attention`."""
    k, v = (each.repeat_interleave(q.shape[1] // each.shape[1], dim=1) for each in (k, v))
    scores = q @ k.transpose(2, 3) / q.shape[-1] ** 0.5
    for each in bias:
        scores = scores + each
    later = torch.ones(q.shape[2], k.shape[2]).triu(1).bool()
    scores = scores.masked_fill(later, -torch.inf) if causal else scores
    return torch.softmax(scores, 3), k, v


def _attention(q: Tensor, k: Tensor, v: Tensor, *rest: object, kept: Tensor | float = 1.0) -> Tensor:
    *bias, causal = rest
    weights, _, values = _attention_parts(q, k, v, bias, causal)  # type: ignore[arg-type]
    return weights * kept @ values


def _attention_gradient(number: int) -> Meaning:
    """Given the result of the attention, which need not be the one of these operands."""

    def computed(
        given: Tensor, q: Tensor, k: Tensor, v: Tensor, out: Tensor, *rest: object, kept: Tensor | float = 1.0
    ) -> Tensor:
        *bias, causal = rest
        weights, keys, values = _attention_parts(q, k, v, bias, causal)  # type: ignore[arg-type]
        scores = weights * (given @ values.transpose(2, 3) * kept - (given * out).sum(3, keepdim=True))
        if number == 3:
            return scores.sum_to_size(bias[0].shape)  # type: ignore[attr-defined]
        if number == 0:
            return scores @ keys / q.shape[-1] ** 0.5
        of_keys = scores.transpose(2, 3) @ q / q.shape[-1] ** 0.5
        each = of_keys if number == 1 else (weights * kept).transpose(2, 3) @ given
        return each.reshape(each.shape[0], k.shape[1], -1, *each.shape[2:]).sum(2)

    return computed


def _dropped_attention(operation: str, operands: Sequence[Tensor], attributes: Attributes, step: int) -> Tensor:
    """Attention, or a gradient of it, in which what dropout keeps of weights that are 1 is a factor of weights."""
    share, seed, causal = attributes
    query, key = operands[:2] if operation == "dropped_attention" else operands[1:3]
    ones = torch.ones(*query.shape[:3], key.shape[2], dtype=torch.float64)
    kept = dropout(ones, float(share), int(seed), step)  # type: ignore[arg-type]
    return MEANINGS[operation.removeprefix("dropped_")](*operands, causal, kept=kept)


def _turned(x: Tensor, base: float, inverse: int) -> Tensor:
    pairs = torch.complex(*x.chunk(2, dim=-1))
    speeds = base ** (-2 * torch.arange(pairs.shape[-1]).double() / x.shape[-1])
    angles = torch.arange(x.shape[-2]).double()[:, None] * speeds * (-1 if inverse else 1)
    found = pairs * torch.polar(torch.ones_like(angles), angles)
    return torch.cat([found.real, found.imag], dim=-1)


def _of_rows(function: Callable[..., Tensor]) -> Meaning:
    """A function of last dimensions, along any."""

    def computed(x: Tensor, dim: int, eps: float) -> Tensor:
        return function(x.movedim(dim, -1), (x.shape[dim],), eps=eps).movedim(-1, dim)

    return computed


def _weighted(norm: Callable[..., Tensor]) -> Meaning:
    """A norm of the last dimension with weight, and bias where there is one."""

    def computed(x: Tensor, *weights: object) -> Tensor:
        *scales, eps = weights
        return norm(x, (x.shape[-1],), *scales, eps=eps)

    return computed


def _weighted_gradient(norm: Callable[..., Tensor], number: int) -> Meaning:
    def computed(given: Tensor, x: Tensor, *rest: object) -> Tensor:
        *weight, eps = rest
        one = weight[0] if weight else torch.ones(x.shape[-1], dtype=x.dtype)
        return gradient_of(lambda x, weight: _weighted(norm)(x, weight, eps), number)(given, x, one)

    return computed


def _group_norm(x: Tensor, *weights: object) -> Tensor:
    *scales, eps = weights
    flat = [each.flatten() for each in scales]  # type: ignore[attr-defined]
    made: Tensor = functional.group_norm(x.flatten(1, 2), x.shape[1], *flat, eps=eps)  # type: ignore[arg-type]
    return made.view(x.shape)


def _group_gradient(number: int) -> Meaning:
    def computed(given: Tensor, x: Tensor, *rest: object) -> Tensor:
        *weight, eps = rest
        one = weight[0] if weight else torch.ones(x.shape[1:3], dtype=x.dtype)
        return gradient_of(lambda x, weight: _group_norm(x, weight, eps), number)(given, x, one)

    return computed


def _of_channels(values: Tensor, x: Tensor) -> Tensor:
    return values.view(-1, *[1] * (x.ndim - 2)).expand_as(x)


def _batch_norm(x: Tensor, mean: Tensor, scale: Tensor, *weights: Tensor) -> Tensor:
    y = (x - _of_channels(mean, x)) * _of_channels(scale, x)
    return y * _of_channels(weights[0], x) + _of_channels(weights[1], x) if weights else y


def _batch_norm_gradient(given: Tensor, x: Tensor, *channels: Tensor) -> Tensor:
    mean, scale, weight, of_bias, of_weight = (_of_channels(each, x) for each in channels)
    return scale * weight * (given - of_bias - (x - mean) * scale * of_weight)


def _per_channel(x: Tensor) -> Tensor:
    return x.transpose(0, 1).reshape(x.shape[1], -1).sum(1)


_NORMS = {"layernorm": functional.layer_norm, "rms_norm": functional.rms_norm}
_layernorm = _of_rows(functional.layer_norm)
_rms_norm = _of_rows(functional.rms_norm)


def _hits(index: Tensor, classes: int) -> Tensor:
    """Rows of truths; an index that is no class hits none, as p2smt means it."""
    return _real(index.long()[..., None] == torch.arange(classes))


def _embedding(table: Tensor, index: Tensor) -> Tensor:
    rows = index.long()
    there = (rows >= 0) & (rows < len(table))
    return functional.embedding(torch.where(there, rows, 0), table) * there[..., None]


def _pick(x: Tensor, index: Tensor) -> Tensor:
    rows = index.long()
    there = (rows >= 0) & (rows < x.shape[-1])
    return x.gather(-1, torch.where(there, rows, 0)[..., None])[..., 0] * there


def _cross_entropy_gradient(given: Tensor, shares: Tensor, index: Tensor, classes: int) -> Tensor:
    """Of log_softmax, by torch's own backward pass, and of the element that is picked."""
    hits = _hits(index, classes) != 0
    return torch.ops.aten._log_softmax_backward_data(
        torch.where(hits, given[..., None], 0), shares, shares.ndim - 1, torch.float64
    )


def _embedding_backward(given: Tensor, index: Tensor, classes: int) -> Tensor:
    return gradient_of(lambda table: _embedding(table, index))(given, torch.zeros(classes, given.shape[-1]).double())


def _padded(x: Tensor, dim: int, before: int, after: int) -> Tensor:
    return functional.pad(x.movedim(dim, -1), (before, after)).movedim(-1, dim)


_WHOLE = {"i32": torch.int32, "i64": torch.int64, "bool": torch.bool}
_FLOAT = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64}
BEYOND = 1e300
"""In place of what is beyond the range of a type: infinite there, and a number that nothing else gives here."""


def _cast(x: Tensor, dtype: str) -> Tensor:
    """Without rounding, which is not a part of what is claimed."""
    if dtype in _WHOLE:
        return x.to(_WHOLE[dtype]).double()
    beyond = x.isfinite() & x.to(_FLOAT[dtype]).isinf()
    return torch.where(beyond, x.sign() * BEYOND, x)


def _einsum(*given: object) -> Tensor:
    *operands, text = given
    words = sorted(set(str(text).replace("->", " ").replace(",", " ").split()))
    short = "".join(
        dict(zip(words, "abcdefghijklmnop", strict=False)).get(part, "") or part
        for part in str(text).replace("->", " -> ").replace(",", " , ").split()
    )
    return torch.einsum(short, *operands)  # type: ignore[arg-type]


def _dims(function: Callable[..., Tensor], kept: bool) -> Meaning:
    return lambda x, dims: function(x, dim=tuple(dims) or tuple(range(x.ndim)), keepdim=kept)


def _grouped(x: Tensor, w: Tensor, *sliding: int) -> Tensor:
    return functional.conv2d(x.flatten(1, 2), w.flatten(0, 1), None, *sliding, len(w)).unflatten(1, (len(w), -1))


def _grouped_input(g: Tensor, w: Tensor, height: int, width: int, *sliding: int) -> Tensor:
    x = torch.zeros(*g.shape[:2], w.shape[2], height, width).double()
    return gradient_of(lambda x: _grouped(x, w, *sliding))(g, x)


def _grouped_weight(g: Tensor, x: Tensor, height: int, width: int, *sliding: int) -> Tensor:
    w = torch.zeros(*g.shape[1:3], x.shape[2], height, width).double()
    return gradient_of(lambda w: _grouped(x, w, *sliding))(g, w)


def _pooled_gradient(given: Tensor, x: Tensor, kernel: int, stride: int) -> Tensor:
    return gradient_of(lambda x: functional.max_pool2d(x, kernel, stride))(given, x)


def _adaptive_gradient(given: Tensor, height: int, width: int) -> Tensor:
    x = torch.zeros(*given.shape[:2], height, width).double()
    return gradient_of(lambda x: functional.adaptive_avg_pool2d(x, given.shape[2:]))(given, x)


MEANINGS: Mapping[str, Meaning] = {
    **{
        name: getattr(torch, name)
        for name in (
            "add",
            "sub",
            "mul",
            "div",
            "neg",
            "pow",
            "maximum",
            "minimum",
            "sqrt",
            "rsqrt",
            "exp",
            "log",
            "tanh",
            "sigmoid",
            "relu",
            "erf",
            "abs",
            "sign",
            "sin",
            "cos",
            "atan",
            "matmul",
        )
    },
    **{name: lambda x, y, name=name: _real(getattr(torch, name)(x, y)) for name in ("gt", "ge", "lt", "eq")},
    "silu": functional.silu,
    "gelu": functional.gelu,
    "linear": functional.linear,
    "einsum": _einsum,
    "where": lambda c, x, y: torch.where(c != 0, x, y),
    "relu_backward": lambda g, x: torch.ops.aten.threshold_backward(g, x, 0),
    "gelu_backward": torch.ops.aten.gelu_backward,
    "tanh_backward": torch.ops.aten.tanh_backward,
    "gelu_tanh": lambda x: functional.gelu(x, approximate="tanh"),
    "gelu_tanh_backward": lambda g, x: torch.ops.aten.gelu_backward(g, x, approximate="tanh"),
    "silu_backward": torch.ops.aten.silu_backward,
    "sigmoid_backward": torch.ops.aten.sigmoid_backward,
    "cast": _cast,
    "conv2d": lambda x, w, stride, padding, dilation: functional.conv2d(x, w, None, stride, padding, dilation),
    "conv2d_input_backward": lambda g, w, height, width, stride, padding, dilation: torch.nn.grad.conv2d_input(
        (g.shape[0], w.shape[1], height, width), w, g, stride, padding, dilation
    ),
    "conv2d_weight_backward": lambda g, x, height, width, stride, padding, dilation: torch.nn.grad.conv2d_weight(
        x, (g.shape[1], x.shape[1], height, width), g, stride, padding, dilation
    ),
    "grouped_conv2d": _grouped,
    "grouped_conv2d_input_backward": _grouped_input,
    "grouped_conv2d_weight_backward": _grouped_weight,
    "sum": _dims(torch.sum, False),
    "max": _dims(torch.amax, False),
    "min": _dims(torch.amin, False),
    "sum_kept": _dims(torch.sum, True),
    "max_kept": _dims(torch.amax, True),
    "min_kept": _dims(torch.amin, True),
    "softmax": torch.softmax,
    "log_softmax": torch.log_softmax,
    "layernorm": _layernorm,
    "rms_norm": _rms_norm,
    "softmax_backward": lambda g, y, dim: torch.ops.aten._softmax_backward_data(g, y, dim, torch.float64),
    "log_softmax_backward": lambda g, y, dim: torch.ops.aten._log_softmax_backward_data(g, y, dim, torch.float64),
    "layernorm_backward": lambda g, x, dim, eps: gradient_of(lambda x: _layernorm(x, dim, eps))(g, x),
    "rms_norm_backward": lambda g, x, dim, eps: gradient_of(lambda x: _rms_norm(x, dim, eps))(g, x),
    **{f"weighted_{name}": _weighted(norm) for name, norm in _NORMS.items()},
    **{f"weighted_{name}_backward": _weighted_gradient(norm, 0) for name, norm in _NORMS.items()},
    **{f"{name}_weight_backward": _weighted_gradient(norm, 1) for name, norm in _NORMS.items()},
    "group_norm": _group_norm,
    "group_norm_backward": _group_gradient(0),
    "group_norm_weight_backward": _group_gradient(1),
    "batch_norm": _batch_norm,
    "batch_norm_backward": _batch_norm_gradient,
    "batch_norm_squares": lambda x, mean: _per_channel((x - _of_channels(mean, x)) ** 2),
    "batch_norm_weight_backward": lambda g, x, mean, scale: _per_channel(g * _batch_norm(x, mean, scale)),
    "cumsum": torch.cumsum,
    "sort": lambda x, dim: x.sort(dim).values,
    "topk_values": lambda x, count: x.topk(count).values,
    "topk_indices": lambda x, count: torch.sort(x, dim=-1, descending=True, stable=True).indices[..., :count].double(),
    "attention": _attention,
    "attention_query_backward": _attention_gradient(0),
    "attention_key_backward": _attention_gradient(1),
    "attention_value_backward": _attention_gradient(2),
    "attention_bias_backward": _attention_gradient(3),
    "max_pool2d": functional.max_pool2d,
    "max_pool2d_backward": _pooled_gradient,
    "adaptive_avg_pool2d": lambda x, height, width: functional.adaptive_avg_pool2d(x, (height, width)),
    "adaptive_avg_pool2d_backward": _adaptive_gradient,
    "transpose": lambda x, dims: x.permute(dims),
    "expand": lambda x, shape: x.expand(shape),
    "reshape": lambda x, shape: x.reshape(shape),
    "cat": lambda *given: torch.cat(given[:-1], given[-1]),
    "slice": lambda x, dim, start, stop: x.narrow(dim, start, stop - start),
    "flip": lambda x, dim: x.flip(dim),
    "pad": _padded,
    "embedding": _embedding,
    "pick": _pick,
    "one_hot": _hits,
    "pick_backward": lambda g, index, classes: torch.where(_hits(index, classes) != 0, g[..., None], 0),
    "cross_entropy_backward": _cross_entropy_gradient,
    "embedding_backward": _embedding_backward,
    "rotary": _turned,
    "update": lambda old, new: new,
}


def computed(operation: str, operands: Sequence[Tensor], attributes: Attributes, step: int = 1) -> Tensor:
    """What PyTorch makes of whole operands."""
    if operation == "dropout":
        share, seed = attributes
        return dropout(operands[0], float(share), int(seed), step)  # type: ignore[arg-type]
    if operation == "uniform":
        words = _words(operands[0], int(attributes[0]), step)  # type: ignore[arg-type]
        return operands[0] * ((words + 2**31) % 2**32 // 256) / 2**24
    if operation.startswith("dropped_"):
        return _dropped_attention(operation, operands, attributes, step)
    return MEANINGS[operation](*operands, *attributes)
