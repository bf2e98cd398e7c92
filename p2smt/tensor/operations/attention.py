"""Scaled dot-product attention and its gradients, each one operation.

    weights = softmax(query key^T / sqrt(features) + bias),   out = weights value

With `causal`, a query ignores later keys. Masks become a bias of 0 or -inf; a query whose bias is all -inf gives 0,
as in PyTorch. Bias dimensions of length 1 are broadcast. There may be fewer key and value heads than query heads;
each serves a block of consecutive query heads (grouped-query attention).

Gradients also read the result, as torch's do. With c = sum over features of gradient * out, the gradient of the
scores is weights * (gradient value^T - c). The gradient of the bias is its sum along broadcast dimensions.

`dropped_attention` applies dropout to the weights, out = (weights * kept / (1 - share)) value, and its gradients
apply the same factor to gradient value^T. The mask depends on seed, training step and the global indices of batch,
head, query and key (`random.py`), so it is the same in every layout.

Labels: batch and heads are parallel. Queries are parallel, but reduced in the gradients of keys and values, so
ranks with different queries hold partial values; the same holds for broadcast dimensions in the bias gradient. Keys
are blocked, because every query reads all of them. Flops count matrix products: two forward; three or two per
gradient, including recomputed ones.
Reference: Vaswani et al., "Attention is all you need", 2017; Dao et al., "FlashAttention", 2022 (the gradients by c).
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from p2smt.problem.system.device_model import OperationKind
from p2smt.tensor.checks import rank_is, same, whole_number
from p2smt.tensor.frame import Attributes, Frame
from p2smt.tensor.layout import ReductionOp
from p2smt.tensor.operation import Array, Kind, Operation, Parameter, ParameterKind
from p2smt.tensor.operations.random import DROPPED, check_share, dropped
from p2smt.tensor.reason import Reason
from p2smt.tensor.signature import (
    Blocked,
    Dimension,
    Label,
    LabelKind,
    ParallelLabel,
    Reduced,
    Shape,
    Signature,
    dims,
    linear,
)

_CAUSAL = Parameter("causal", ParameterKind.WHOLE, 0)
_QUERY, _KEY, _VALUE, _BIAS = 0, 1, 2, 3
_OPERAND = "an operand of attention (batch, heads, positions, features)"


def _group(query: Shape, key: Shape) -> int:
    """Return the number of query heads that share one key head."""
    if not key[1] or query[1] % key[1]:
        raise ValueError(f"{query[1]} heads of queries cannot share {key[1]} heads of keys evenly")
    return query[1] // key[1]


def _labelled(operands: Sequence[Shape], kinds: dict[str, LabelKind]) -> Signature:
    """Return the signature for query, key, value and optionally a bias; labels without a kind are blocked."""
    query, key, value, *biases = operands
    for shape in operands:
        rank_is(shape, 4, _OPERAND)
    same(key, (query[0], key[1], key[2], query[3]), "shape of the keys")
    same(value[:3], key[:3], "batch, heads and positions of keys and values")
    group = _group(query, key)
    sizes = {"b": query[0], "h": key[1], "s": query[2], "t": key[2], "d": query[3], "e": value[3], "shared": group}
    labels = [Label(name, size, kinds.get(name, Blocked())) for name, size in sizes.items()]
    heads = Dimension("h", group)
    batch, (queries, keys, features) = Dimension("b"), dims("std")
    asked, out = (batch, heads, queries, features), (batch, heads, queries, Dimension("e"))
    named = [asked, dims("bhtd"), dims("bhte")]
    for shape in biases:
        lengths = (query[0], query[1], query[2], key[2])
        dimensions = []
        for number, (length, each) in enumerate(zip(shape, (batch, heads, queries, keys), strict=True)):
            if length == lengths[number]:
                dimensions.append(each)
                continue
            same(length, 1, f"length of dimension {number} of the bias, where there are {lengths[number]}, and")
            labels.append(Label(f"one{number}", 1, Blocked(Reason.LENGTH_ONE)))
            dimensions.append(Dimension(f"one{number}"))
        named.append(tuple(dimensions))
    return Signature(tuple(labels), tuple(named), out)


def _forward_signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    _check(attributes)
    found = _labelled(shapes, dict.fromkeys("bhse", ParallelLabel()))
    return Signature(found.labels, found.operands, found.result, linear(_VALUE))


def _check(attributes: Attributes) -> None:
    if attributes[:-1]:
        check_share(attributes)


def _backward_signature(operand: int) -> Callable[[Sequence[Shape], Attributes], Signature]:
    def signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
        _check(attributes)
        gradient, query, key, value, out, *bias = shapes
        for shape in shapes:
            rank_is(shape, 4, _OPERAND)
        sizes = (*query[:3], value[3])
        found = _labelled((query, key, value, *bias), _backward_kinds(operand, sizes, *bias))
        same(gradient, sizes, "shapes of the gradient and of the attention")
        same(out, sizes, "shapes of the result and of the attention")
        operands = (found.result, *found.operands[:3], found.result, *found.operands[3:])
        return Signature(found.labels, operands, found.operands[operand], linear(0))

    return signature


def _backward_kinds(operand: int, sizes: Shape, bias: Shape = ()) -> dict[str, LabelKind]:
    """Return the label kinds of a gradient: labels absent from it are reduced, except those of features and keys."""
    if operand == _BIAS:
        pairs = zip("bhs", sizes, bias, strict=False)
        return {name: ParallelLabel() if size == own else Reduced(ReductionOp.SUM) for name, size, own in pairs}
    kinds: dict[str, LabelKind] = dict.fromkeys("bhe" if operand == _VALUE else "bh", ParallelLabel())
    kinds["s"] = ParallelLabel() if operand == _QUERY else Reduced(ReductionOp.SUM)
    return kinds


def _weights(query: Array, key: Array, bias: Sequence[Array], frame: Frame, first: int) -> Array:
    """Return the attention weights of all queries; the first query has the global index `first`."""
    scores = np.einsum("bhsd,bhtd->bhst", query, key) / np.sqrt(query.shape[-1])
    scores = scores + sum(bias)
    if whole_number(frame.attributes[-1]):
        later = np.arange(key.shape[2])[None, :] > np.arange(first, first + query.shape[2])[:, None]
        scores = np.where(later, -np.inf, scores)
    largest = np.max(scores, axis=3, keepdims=True)
    # A row without any key has the maximum -inf; subtracting it would give NaN, so 0 is subtracted.
    powers = np.exp(scores - np.where(np.isneginf(largest), 0, largest))
    total = np.sum(powers, axis=3, keepdims=True)
    # Such a row sums to 0 and gives 0, as in PyTorch.
    result: Array = powers / np.where(total == 0, 1, total)
    return result


def _dropped(weights: Array, frame: Frame, query: int) -> Array:
    """Apply dropout to weights or their gradients.

    `query` is the position of the query among the operands.
    """
    if not frame.attributes[:-1]:
        return weights
    intervals = (*frame.operands[query][:3], frame.operands[query + 1][2])
    return dropped(weights, frame.attributes, frame.step, intervals)


def _per_query(x: Array, query: Array) -> Array:
    """Repeat key or value heads for the query heads that share them."""
    return np.repeat(x, query.shape[1] // max(x.shape[1], 1), axis=1)


def _attention(arrays: Sequence[Array], frame: Frame) -> Array:
    query, key, value, *bias = arrays
    if query.size == 0:
        return np.zeros(frame.shape)
    weights = _weights(query, _per_query(key, query), bias, frame, frame.operands[0][2].start)
    result: Array = np.einsum("bhst,bhte->bhse", _dropped(weights, frame, 0), _per_query(value, query))
    return result


def _backward(operand: int) -> Callable[[Sequence[Array], Frame], Array]:
    def meaning(arrays: Sequence[Array], frame: Frame) -> Array:
        gradient, query, key, value, out, *bias = arrays
        if query.size == 0 or value.size == 0:
            return np.zeros(frame.shape)
        keys, values = _per_query(key, query), _per_query(value, query)
        weights = _weights(query, keys, bias, frame, frame.operands[1][2].start)
        if operand == _VALUE:
            return _per_key(np.einsum("bhst,bhse->bhte", _dropped(weights, frame, 1), gradient), value)
        # Of softmax's gradient, weights * (slope - sum(weights * slope)), the sum equals
        # sum(gradient * out) (Dao et al., "FlashAttention", 2022).
        mean = np.sum(gradient * out, axis=3, keepdims=True)
        slope = _dropped(np.einsum("bhse,bhte->bhst", gradient, values), frame, 1)
        scores = weights * (slope - mean)
        if operand == _BIAS:
            return _summed(scores, frame.shape)
        scores = scores / np.sqrt(query.shape[-1])
        if operand == _QUERY:
            result: Array = np.einsum("bhst,bhtd->bhsd", scores, keys)
            return result
        return _per_key(np.einsum("bhst,bhsd->bhtd", scores, query), key)

    return meaning


def _per_key(x: Array, like: Array) -> Array:
    """Sum over the query heads that share a key head."""
    result: Array = x.reshape(*x.shape[:1], like.shape[1], -1, *x.shape[2:]).sum(axis=2)
    return result


def _summed(x: Array, shape: Shape) -> Array:
    """Sum along the dimensions of length 1 in this shape, which undoes broadcasting."""
    axes = tuple(axis for axis, length in enumerate(shape) if length == 1)
    result: Array = x.sum(axis=axes, keepdims=True)
    return result


_GRADIENTS = ("query", "key", "value", "bias")
_KERNELS = OperationKind.ATTENTION, OperationKind.ATTENTION_BACKWARD
_POSITION = "causal={{causal}}, start={{part{0}[2].start}}"
_DRAWN = (
    "causal={{causal}}, share={{share}}, seed={{seed}}, step=step, "
    "starts=({{part{0}[0].start}}, {{part{0}[1].start}}, {{part{0}[2].start}}, 0)"
)


def _family(name: str, parameters: tuple[Parameter, ...], arguments: str) -> Iterator[Operation]:
    """Yield attention and its gradients. `arguments` is the template of the emitted call's last arguments."""
    # Dropout draws by global index of batch, head and query, so these positions matter with dropout
    # alone.
    drawn = {"share": frozenset("bhs")} if parameters[1:] else {}
    positional = {"causal": frozenset("s"), **drawn}
    torch = "torch.nn.functional.scaled_dot_product_attention"
    yield Operation(
        name=name,
        kind=Kind.ROW,
        operands=3,
        optional=1,
        signature=_forward_signature,
        numpy=_attention,
        torch=torch,
        parameters=parameters,
        flops=4,
        uncounted=frozenset("e"),
        positional=positional,
        emitted=f"{name}({{operands}}, {arguments.format(0)})",
        kernel=_KERNELS[0],
    )
    for operand, gradient in enumerate(_GRADIENTS):
        trained = operand == _BIAS
        wanted = tuple(number == operand for number in range(len(_GRADIENTS)))
        called = f"{name}_gradients(None, {wanted}" if drawn else f"{name}_gradient({operand}"
        tail = f", {{operands}}, {arguments.format(1)})"
        yield Operation(
            name=f"{name}_{gradient}_backward",
            kind=Kind.ROW,
            operands=6 if trained else 5,
            optional=0 if trained else 1,
            signature=_backward_signature(operand),
            numpy=_backward(operand),
            parameters=parameters,
            uncounted=frozenset("e"),
            torch=torch,
            flops=4 if operand in (_VALUE, _BIAS) else 6,
            positional=positional,
            kernel=_KERNELS[1],
            emitted=f"{called}{tail}{'[0]' if drawn else ''}",
        )


ATTENTION = (
    *_family("attention", (_CAUSAL,), _POSITION),
    *_family("dropped_attention", (*DROPPED, _CAUSAL), _DRAWN),
)
