"""The numpy meaning of every operation is torch's, gradients those of autograd, in float64."""

import numpy as np
import pytest
import torch
from looped import looped
from tensor.one_operation import single
from tensor.operation_cases import CASES
from torch.nn import functional

from p2smt.tensor.comparison import split
from p2smt.tensor.dtype import DType
from p2smt.tensor.interpreter import run
from p2smt.tensor.operations import OPERATIONS
from p2smt.tensor.reals import Reals


def gradient(function, number):
    """The gradient of a function of the operands behind the first, which is the gradient of its result."""

    def computed(given, *operands):
        held = [operand.clone().requires_grad_(True) for operand in operands]
        function(*held).backward(given)
        return held[number].grad

    return computed


def attention(causal, kept=None):
    def computed(query, key, value, *bias):
        key, value = (each.repeat_interleave(query.shape[1] // each.shape[1], 1) for each in (key, value))
        scores = query @ key.transpose(2, 3) / query.shape[-1] ** 0.5 + sum(bias)
        later = torch.ones(scores.shape[2:]).triu(1).bool() if causal else torch.zeros(scores.shape[2:]).bool()
        weights = torch.softmax(scores.masked_fill(later, -torch.inf), 3)
        return (weights if kept is None else weights * kept) @ value

    return computed


def from_result(function, inverse):
    """The gradient of a function, given its result: autograd gets what leads there."""
    return lambda given, result: gradient(function, 0)(given, inverse(result))


def turned(x, base):
    """Pairs of features as complex numbers, which turn by the angle of their position."""
    pairs = torch.complex(*x.chunk(2, dim=-1))
    exponents = [-2 * i / x.shape[-1] for i in range(pairs.shape[-1])]
    speeds = base ** torch.tensor(exponents, dtype=torch.float64)
    angles = torch.arange(x.shape[-2])[:, None] * speeds
    found = pairs * torch.polar(torch.ones_like(angles), angles)
    return torch.cat([found.real, found.imag], dim=-1)


def _grouped(x, weight):
    made = functional.conv2d(x.flatten(1, 2), weight.flatten(0, 1), None, 2, 1, groups=len(weight))
    return made.unflatten(1, (len(weight), -1))


def scattered(given, at, classes):
    rows = at.long()
    return torch.zeros((classes, *given.shape[rows.ndim :]), dtype=given.dtype).index_add(0, rows.flatten(), given)


def layer_norm(x, *weights):
    return functional.layer_norm(x, x.shape[-1:], *weights)


def rms_norm(x, weight):
    return functional.rms_norm(x, x.shape[-1:], weight, eps=1e-5)


def group_norm(x, *weights):
    made = functional.group_norm(x.flatten(1, 2), x.shape[1], *(each.flatten() for each in weights))
    return made.view(x.shape)


BY_NAME = {
    name: getattr(torch, name)
    for name in (
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
        "neg",
        "add",
        "sub",
        "mul",
        "div",
        "pow",
        "maximum",
        "minimum",
        "gt",
        "ge",
        "lt",
        "eq",
        "matmul",
    )
}
OTHERS = {
    "silu(x0)": functional.silu,
    "gelu(x0)": functional.gelu,
    "relu_backward(x0, x1)": gradient(torch.relu, 0),
    "gelu_backward(x0, x1)": gradient(functional.gelu, 0),
    "tanh_backward(x0, x1)": from_result(torch.tanh, torch.atanh),
    "gelu_tanh(x0)": lambda x: functional.gelu(x, approximate="tanh"),
    "gelu_tanh_backward(x0, x1)": gradient(lambda x: functional.gelu(x, approximate="tanh"), 0),
    "silu_backward(x0, x1)": gradient(functional.silu, 0),
    "sigmoid_backward(x0, x1)": from_result(torch.sigmoid, torch.logit),
    "add(x0, 2)": lambda x: x + 2,
    "where(x0, x1, x2)": lambda condition, then, other: torch.where(condition.bool(), then, other),
    "cast(x0, f64)": lambda x: x,
    "linear(x0, x1)": functional.linear,
    'einsum("b e c d, b s e c -> b s d", x0, x1)': lambda x, y: torch.einsum("becd,bsec->bsd", x, y),
    "conv2d(x0, x1, padding=1)": lambda x, w: functional.conv2d(x, w, padding=1),
    "conv2d_input_backward(x0, x1, height=4, width=4, padding=1)": lambda g, w: torch.nn.grad.conv2d_input(
        (2, 3, 4, 4), w, g, padding=1
    ),
    "conv2d_weight_backward(x0, x1, height=3, width=3, padding=1)": lambda g, x: torch.nn.grad.conv2d_weight(
        x, (5, 3, 3, 3), g, padding=1
    ),
    "conv2d(x0, x1, stride=2, padding=1, dilation=2)": lambda x, w: functional.conv2d(x, w, None, 2, 1, 2),
    "conv2d_input_backward(x0, x1, height=7, width=6, stride=2, padding=1, dilation=2)": lambda g, w: (
        torch.nn.grad.conv2d_input((2, 3, 7, 6), w, g, 2, 1, 2)
    ),
    "conv2d_weight_backward(x0, x1, height=3, width=2, stride=2, padding=1, dilation=2)": lambda g, x: (
        torch.nn.grad.conv2d_weight(x, (5, 3, 3, 2), g, 2, 1, 2)
    ),
    "sum(x0, 0)": lambda x: x.sum(0),
    "sum(x0)": torch.sum,
    "max(x0, 1)": lambda x: x.amax(1),
    "min(x0, 0)": lambda x: x.amin(0),
    "sum_kept(x0, 1)": lambda x: x.sum(1, keepdim=True),
    "max_kept(x0, 1)": lambda x: x.amax(1, keepdim=True),
    "min_kept(x0, 0)": lambda x: x.amin(0, keepdim=True),
    "softmax(x0, 1)": lambda x: torch.softmax(x, 1),
    "log_softmax(x0, 1)": lambda x: torch.log_softmax(x, 1),
    "layernorm(x0, 1)": lambda x: functional.layer_norm(x, (4,)),
    "rms_norm(x0, 1)": lambda x: functional.rms_norm(x, (4,), eps=1e-5),
    "rms_norm_backward(x0, x1, 1)": gradient(lambda x: functional.rms_norm(x, (4,), eps=1e-5), 0),
    "rotary(x0)": lambda x: turned(x, 10000),
    "rotary(x0, base=100, inverse=1)": lambda g: gradient(lambda x: turned(x, 100), 0)(g, torch.zeros(3, 4).double()),
    "layernorm_backward(x0, x1, 1)": gradient(lambda x: functional.layer_norm(x, (4,)), 0),
    "weighted_layernorm(x0, x1, x2)": layer_norm,
    "weighted_layernorm(x0, x1)": layer_norm,
    "weighted_layernorm_backward(x0, x1, x2)": gradient(layer_norm, 0),
    "layernorm_weight_backward(x0, x1)": lambda g, x: gradient(layer_norm, 1)(g, x, torch.ones(4).double()),
    "weighted_rms_norm(x0, x1)": rms_norm,
    "weighted_rms_norm_backward(x0, x1, x2)": gradient(rms_norm, 0),
    "rms_norm_weight_backward(x0, x1)": lambda g, x: gradient(rms_norm, 1)(g, x, torch.ones(4).double()),
    "group_norm(x0, x1, x2)": group_norm,
    "group_norm(x0, x1)": group_norm,
    "group_norm_backward(x0, x1, x2)": gradient(group_norm, 0),
    "group_norm_weight_backward(x0, x1)": lambda g, x: gradient(group_norm, 1)(g, x, torch.ones(3, 2).double()),
    **{call: None for call, _ in CASES if call.startswith("batch_norm")},
    "cumsum(x0, 0)": lambda x: x.cumsum(0),
    "sort(x0, 1)": lambda x: x.sort(1).values,
    "topk_values(x0, 2)": lambda x: x.topk(2).values,
    "topk_indices(x0, 2)": lambda x: x.topk(2).indices,
    "attention(x0, x1, x2, causal=1)": attention(True),
    "attention(x0, x1, x2, x3)": attention(False),
    **{call: None for call, _ in CASES if call.startswith(("attention_", "dropped_attention"))},
    "grouped_conv2d(x0, x1, stride=2, padding=1)": _grouped,
    "grouped_conv2d_input_backward(x0, x1, height=5, width=4, stride=2, padding=1)": lambda g, w: gradient(_grouped, 0)(
        g, torch.zeros(2, 3, 2, 5, 4, dtype=g.dtype), w
    ),
    "grouped_conv2d_weight_backward(x0, x1, height=3, width=2, stride=2, padding=1)": lambda g, x: gradient(
        lambda w, each: _grouped(each, w), 0
    )(g, torch.zeros(3, 4, 2, 3, 2, dtype=g.dtype), x),
    "max_pool2d(x0, kernel=2, stride=2)": lambda x: functional.max_pool2d(x, 2, 2),
    "max_pool2d_backward(x0, x1, kernel=2, stride=1)": gradient(lambda x: functional.max_pool2d(x, 2, 1), 0),
    "adaptive_avg_pool2d(x0, height=3, width=3)": lambda x: functional.adaptive_avg_pool2d(x, (3, 3)),
    "adaptive_avg_pool2d_backward(x0, height=4, width=4)": lambda g: gradient(
        lambda x: functional.adaptive_avg_pool2d(x, (3, 3)), 0
    )(g, torch.zeros(2, 3, 4, 4).double()),
    "transpose(x0, 1, 2, 0)": lambda x: x.permute(1, 2, 0),
    "expand(x0, 5, 3, 4)": lambda x: x.expand(5, 3, 4),
    "reshape(x0, 12)": lambda x: x.reshape(12),
    "reshape(x0, 3, 4)": lambda x: x.reshape(3, 4),
    "reshape(x0, 6, 4)": lambda x: x.reshape(6, 4),
    "reshape(x0, 1, 6, 2)": lambda x: x.reshape(1, 6, 2),
    "cat(x0, x1, dim=1)": lambda x, y: torch.cat([x, y], 1),
    "slice(x0, 1, 1, 3)": lambda x: x[:, 1:3],
    "flip(x0, 1)": lambda x: x.flip(1),
    "pad(x0, 1, 1, 2)": lambda x: functional.pad(x, (1, 2)),
    "pick_backward(x0, x1, 6)": lambda g, i: torch.zeros(4, 6).double().scatter(1, i.long()[:, None] % 6, g[:, None]),
    "cross_entropy_backward(x0, x1, x2, 6)": None,
    "embedding(x0, x1)": lambda table, i: functional.embedding(i.long() % 6, table),
    "pick(x0, x1)": lambda x, i: x.gather(1, i.long()[:, None] % 6)[:, 0],
    "one_hot(x0, 6)": lambda i: functional.one_hot(i.long() % 6, 6),
    "embedding_backward(x0, x1, 6)": lambda g, i: scattered(g, i % 6, 6),
    "update(x0, x1)": lambda old, new: new,
    "softmax_backward(x0, x1, 1)": None,
    "log_softmax_backward(x0, x1, 1)": None,
    "dropout(x0, 0.5, seed=3)": None,
    "uniform(x0, seed=3)": None,
}
"""None: tested below."""


def ours(call, types, seed=1, values=None):
    program = single(call, types)
    meaning = Reals(seed)
    arrays = [meaning.random(source.shape, source.dtype) for source in program.sources] if values is None else values
    pairs = list(zip(arrays, program.sources, strict=True))
    arrays = [array % 6 if source.dtype == "i64" else array for array, source in pairs]
    pairs = list(zip(arrays, program.sources, strict=True))
    given = {source.name: split(source, array, program, meaning) for array, source in pairs}
    return arrays, run(program, given, meaning)["y"][0].array


def test_every_operation_is_that_of_torch():
    for call, types in CASES:
        theirs = OTHERS[call] if call in OTHERS else BY_NAME[call.partition("(")[0]]
        if theirs is None:
            continue
        arrays, result = ours(call, types)
        expected = theirs(*(torch.from_numpy(np.array(array)) for array in arrays))
        assert result.shape == tuple(expected.shape), (call, types)
        np.testing.assert_allclose(
            result, expected.double().detach().numpy(), rtol=1e-12, atol=1e-12, err_msg=f"{call} {types}"
        )


def test_of_equal_elements_the_first_is_the_larger():
    """Torch leaves open which one is."""
    rows = np.array([[2.0, 2.0, 1.0, 2.0], [0.0, 3.0, 0.0, 3.0], [1.0, 1.0, 1.0, 1.0]])
    _, places = ours("topk_indices(x0, 3)", ("f32[3,4]",), values=[rows])
    assert places.tolist() == [[0, 1, 3], [1, 3, 0], [0, 1, 2]]


@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_gradients_that_are_given_the_result(name):
    given, x = (torch.from_numpy(Reals(seed).random((3, 4), DType.F32)) for seed in (1, 2))
    expected = gradient(lambda x: getattr(torch, name)(x, 1), 0)(given, x)
    result = getattr(torch, name)(x, 1)
    _, computed = ours(f"{name}_backward(x0, x1, 1)", ("f32[3,4]", "f32[3,4]"), values=[given.numpy(), result.numpy()])
    np.testing.assert_allclose(computed, expected.numpy(), rtol=1e-12, atol=1e-12)


@looped(("name", "number"), [("query", 0), ("key", 1), ("value", 2), ("bias", 3)])
def test_gradients_of_attention_are_given_its_result(name, number):
    """With a bias that forbids some keys, to one query all, heads that share keys, and with dropout."""
    shapes = ((2, 4, 3, 4), (2, 2, 5, 4), (2, 2, 5, 3), (1, 4, 3, 5))
    operands = [torch.from_numpy(Reals(seed).random(shape, DType.F32)) for seed, shape in enumerate(shapes)]
    if name != "bias":
        operands[3][:, :, 1, 2:] = -torch.inf
    ones = ours("dropout(x0, 0.5, seed=3)", ("f32[2,4,3,5]",), values=[np.ones((2, 4, 3, 5))])[1]
    for kind, kept, how in (
        ("attention", None, "causal=1"),
        ("dropped_attention", torch.from_numpy(ones), "share=0.5, seed=3, causal=1"),
    ):
        out = attention(True, kept)(*operands)
        given = torch.from_numpy(Reals(9).random(tuple(out.shape), DType.F32))
        expected = gradient(attention(True, kept), number)(given, *operands)
        types = [f"f32[{','.join(map(str, each.shape))}]" for each in (given, *operands[:3], out, operands[3])]
        values = [each.numpy() for each in (given, *operands[:3], out, operands[3])]
        _, result = ours(f"{kind}(x0, x1, x2, x3, {how})", [*types[1:4], types[5]], values=[*values[1:4], values[5]])
        np.testing.assert_allclose(result, out.numpy(), rtol=1e-11, atol=1e-11)
        _, computed = ours(f"{kind}_{name}_backward(x0, x1, x2, x3, x4, x5, {how})", types, values=values)
        np.testing.assert_allclose(computed, expected.numpy(), rtol=1e-11, atol=1e-11)


def test_the_gradient_of_cross_entropy_is_that_of_its_parts():
    """Of the logarithms of shares and the class of each row; -1 and 6 are no classes."""
    x, given = (torch.from_numpy(Reals(seed).random(shape, DType.F32)) for seed, shape in ((1, (5, 6)), (2, (5,))))
    index = torch.tensor([3, -1, 0, 6, 5])
    known = ((index >= 0) & (index < 6)).double()
    expected = gradient(lambda x: torch.log_softmax(x, 1).gather(1, index.clamp(0, 5)[:, None])[:, 0] * known, 0)(
        given, x
    )
    values = [given.numpy(), torch.log_softmax(x, 1).numpy(), index.numpy()]
    program = single("cross_entropy_backward(x0, x1, x2, 6)", ("f32[5]", "f32[5,6]", "i64[5]"))
    pairs = zip(program.sources, values, strict=True)
    parts = {source.name: split(source, value, program, Reals(1)) for source, value in pairs}
    np.testing.assert_allclose(run(program, parts, Reals(1))["y"][0].array, expected.numpy(), rtol=1e-12, atol=1e-12)


def test_batch_norm_from_its_statistics_is_that_of_torch():
    """With its gradients, of a batch with space."""
    x, given = (torch.from_numpy(Reals(seed).random((4, 3, 5), DType.F32)) for seed in (1, 2))
    weight, bias = (torch.from_numpy(Reals(seed).random((3,), DType.F32)) for seed in (3, 4))
    mean, count = x.mean((0, 2)), 20
    wide, narrow = "f32[4,3,5]", "f32[3]"

    def called(operation, *values):
        types = [wide if each.ndim == 3 else narrow for each in values]
        call = f"{operation}({', '.join(f'x{number}' for number in range(len(values)))})"
        return torch.from_numpy(ours(call, types, values=[each.numpy() for each in values])[1])

    scale = torch.rsqrt(called("batch_norm_squares", x, mean) / count + 1e-5)

    def batch_norm(x, weight, bias):
        return functional.batch_norm(x, None, None, weight, bias, training=True)

    expected = [gradient(batch_norm, number)(given, x, weight, bias) for number in range(3)]
    of_weight = called("batch_norm_weight_backward", given, x, mean, scale)
    of_x = called("batch_norm_backward", given, x, mean, scale, weight, expected[2] / count, of_weight / count)
    pairs = [
        (called("batch_norm", x, mean, scale, weight, bias), batch_norm(x, weight, bias)),
        (of_weight, expected[1]),
        (of_x, expected[0]),
    ]
    for mine, theirs in pairs:
        np.testing.assert_allclose(mine.numpy(), theirs.numpy(), rtol=1e-11, atol=1e-11)


def test_a_query_that_may_take_nothing_gives_0():
    shapes = ((1, 1, 2, 3), (1, 1, 4, 3), (1, 1, 4, 2), (1, 1, 2, 4))
    query, key, value, bias = (Reals(seed).random(shape, DType.F32) for seed, shape in enumerate(shapes))
    bias[:, :, 1] = -np.inf
    types = [f"f32[{','.join(map(str, shape))}]" for shape in shapes]
    _, computed = ours("attention(x0, x1, x2, x3)", types, values=[query, key, value, bias])
    theirs = functional.scaled_dot_product_attention(*map(torch.from_numpy, (query, key, value, bias)))
    assert not computed[:, :, 1].any()
    np.testing.assert_allclose(computed, theirs.numpy(), rtol=1e-12, atol=1e-12)


def test_dropout_keeps_its_share_and_its_mean():
    (array,), result = ours("dropout(x0, 0.25, seed=3)", ("f32[200,100]",))
    kept = result != 0
    assert abs(kept.mean() - 0.75) < 0.01
    np.testing.assert_allclose(result[kept], array[kept] / 0.75, rtol=1e-12)
    assert abs(np.corrcoef(kept[:, :-1].ravel(), kept[:, 1:].ravel())[0, 1]) < 0.03


def test_uniform_numbers_have_the_moments_and_the_independence_of_uniform_numbers():
    ones = [np.ones((200, 100))]
    _, result = ours("uniform(x0, seed=3)", ("f32[200,100]",), values=ones)
    assert 0 <= result.min() < 0.001
    assert 0.999 < result.max() < 1
    assert abs(result.mean() - 1 / 2) < 0.01
    assert abs(result.var() - 1 / 12) < 0.002
    assert abs(np.corrcoef(result[:, :-1].ravel(), result[:, 1:].ravel())[0, 1]) < 0.03
    (array,), scaled = ours("uniform(x0, seed=3)", ("f32[200,100]",))
    np.testing.assert_allclose(scaled, array * result, rtol=1e-12)


def test_every_operation_names_its_call_in_torch():
    for operation in OPERATIONS.values():
        path = operation.torch.removeprefix("torch.").split(".")
        found = torch
        for name in path:
            found = getattr(found, name)
        assert callable(found), operation.name
