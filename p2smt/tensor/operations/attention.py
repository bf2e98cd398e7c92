"""Scaled dot-product attention and its gradients, each one operation.

    weights = softmax(query key^T / sqrt(features) + bias),   out = weights value

With `causal` a query takes nothing of later keys. The bias is what masks become: 0, or -inf where nothing is taken; a
query that takes nothing at all gives 0, as in PyTorch. Its dimensions may have length 1 and are repeated then. Heads of
keys and values may be fewer than those of queries; each serves a block of neighbouring ones (grouped-query attention).

Gradients read the result as well, as those of torch do: with c = sum over features of gradient * out,
the gradient of the scores is weights * (gradient value^T - c).

Labels: batch and heads are parallel. Queries are parallel, and reduced in the gradients of keys and values, so that
ranks with different queries get summands of them. Keys are blocked: every query takes something of all.
Flops count the products: two forward, and with those that a gradient computes again three or two backward.
"""

from collections.abc import Callable, Sequence

import numpy as np

from p2smt.problem.system.device_model import OperationKind
from p2smt.tensor.frame import Attributes, Frame
from p2smt.tensor.layout import Reduction
from p2smt.tensor.operation import Array, Kind, Operation, Parameter, ParameterKind
from p2smt.tensor.operations.checks import rank_is, same, whole_number
from p2smt.tensor.reason import Reason
from p2smt.tensor.signature import (
    Blocked,
    Dimension,
    Label,
    LabelKind,
    Parallel,
    Reduced,
    Shape,
    Signature,
    dims,
    linear,
)

_CAUSAL = (Parameter("causal", ParameterKind.WHOLE, 0),)
_QUERY, _KEY, _VALUE = 0, 1, 2


def _group(query: Shape, key: Shape) -> int:
    """The number of query heads that share one key head."""
    if not key[1] or query[1] % key[1]:
        raise ValueError(f"{query[1]} heads of queries cannot share {key[1]} heads of keys evenly")
    return query[1] // key[1]


def _labelled(operands: Sequence[Shape], kinds: dict[str, LabelKind]) -> Signature:
    """The signature for query, key, value and perhaps a bias; labels without a kind are blocked."""
    query, key, value, *biases = operands
    for shape in operands:
        rank_is(shape, 4, "an operand of attention (batch, heads, positions, features)")
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
    found = _labelled(shapes, dict.fromkeys("bhse", Parallel()))
    return Signature(found.labels, found.operands, found.result, linear(_VALUE))


def _backward_signature(operand: int) -> Callable[[Sequence[Shape], Attributes], Signature]:
    kinds: dict[str, LabelKind] = dict.fromkeys("bhe" if operand == _VALUE else "bh", Parallel())
    kinds["s"] = Parallel() if operand == _QUERY else Reduced(Reduction.SUM)

    def signature(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
        gradient, query, key, value, out, *bias = shapes
        found = _labelled((query, key, value, *bias), kinds)
        asked, keys, values, *biases = found.operands
        sizes = (*query[:3], value[3])
        same(gradient, sizes, "shapes of the gradient and of the attention")
        same(out, sizes, "shapes of the result and of the attention")
        operands = (found.result, asked, keys, values, found.result, *biases)
        return Signature(found.labels, operands, (asked, keys, values)[operand], linear(0))

    return signature


def _weights(query: Array, key: Array, bias: Sequence[Array], frame: Frame, first: int) -> Array:
    """Attention weights of every query, counted from `first`, over the keys."""
    scores = np.einsum("bhsd,bhtd->bhst", query, key) / np.sqrt(query.shape[-1])
    scores = scores + sum(bias)
    if whole_number(frame.attributes[0]):
        later = np.arange(key.shape[2])[None, :] > np.arange(first, first + query.shape[2])[:, None]
        scores = np.where(later, -np.inf, scores)
    largest = np.max(scores, axis=3, keepdims=True)
    powers = np.exp(scores - np.where(np.isneginf(largest), 0, largest))
    total = np.sum(powers, axis=3, keepdims=True)
    result: Array = powers / np.where(total == 0, 1, total)
    return result


def _per_query(x: Array, query: Array) -> Array:
    """Keys or values for every head of the queries."""
    return np.repeat(x, query.shape[1] // max(x.shape[1], 1), axis=1)


def _attention(arrays: Sequence[Array], frame: Frame) -> Array:
    query, key, value, *bias = arrays
    if query.size == 0:
        return np.zeros(frame.shape)
    weights = _weights(query, _per_query(key, query), bias, frame, frame.operands[0][2].start)
    result: Array = np.einsum("bhst,bhte->bhse", weights, _per_query(value, query))
    return result


def _backward(operand: int) -> Callable[[Sequence[Array], Frame], Array]:
    def meaning(arrays: Sequence[Array], frame: Frame) -> Array:
        gradient, query, key, value, out, *bias = arrays
        if query.size == 0 or value.size == 0:
            return np.zeros(frame.shape)
        keys, values = _per_query(key, query), _per_query(value, query)
        weights = _weights(query, keys, bias, frame, frame.operands[1][2].start)
        if operand == _VALUE:
            return _per_key(np.einsum("bhst,bhse->bhte", weights, gradient), value)
        mean = np.sum(gradient * out, axis=3, keepdims=True)
        scores = weights * (np.einsum("bhse,bhte->bhst", gradient, values) - mean) / np.sqrt(query.shape[-1])
        if operand == _QUERY:
            result: Array = np.einsum("bhst,bhtd->bhsd", scores, keys)
            return result
        return _per_key(np.einsum("bhst,bhsd->bhtd", scores, query), key)

    return meaning


def _per_key(x: Array, like: Array) -> Array:
    """The sum over the heads of queries that share one of keys."""
    result: Array = x.reshape(*x.shape[:1], like.shape[1], -1, *x.shape[2:]).sum(axis=2)
    return result


_GRADIENTS = ("query", "key", "value")
_ARGUMENTS = "{operands}, causal={causal}, start={part1[2].start}"

ATTENTION = (
    Operation(name="attention", kind=Kind.ROW, operands=3, optional=1, signature=_forward_signature, numpy=_attention,
              torch="torch.nn.functional.scaled_dot_product_attention", parameters=_CAUSAL, flops=4,
              emitted="attention({operands}, causal={causal}, start={part0[2].start})",
              positional={"causal": frozenset("s")}, uncounted=frozenset("e"), kernel=OperationKind.ATTENTION),
    *(Operation(name=f"attention_{name}_backward", kind=Kind.ROW, operands=5, optional=1,
                signature=_backward_signature(operand), numpy=_backward(operand), parameters=_CAUSAL,
                flops=4 if operand == _VALUE else 6, uncounted=frozenset("e"), positional={"causal": frozenset("s")},
                emitted=f"attention_gradient({operand}, {_ARGUMENTS})",
                torch="torch.nn.functional.scaled_dot_product_attention", kernel=OperationKind.ATTENTION_BACKWARD)
      for operand, name in enumerate(_GRADIENTS)),
)  # fmt: skip
