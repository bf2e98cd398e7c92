"""Attention as one operation, as `attention.py` has it traced; else its parts are products and a softmax."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf, isclose, sqrt

from p2smt.frontend.torch_graph.aten_call import AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.lowering.formula import Formula, cast
from p2smt.frontend.torch_graph.view import View, with_one
from p2smt.tensor.program import DType


def _factor(call: AtenCall, query: View, position: int) -> float | None:
    """What queries are multiplied with so that scores are scaled as asked for; None: they are as they should be."""
    usual = 1 / sqrt(query.shape[-1])
    scale = call.real(position)
    return None if isclose(scale, usual, rel_tol=1e-15) else scale / usual


def _scaled(emission: Emission, view: View, factor: float | None) -> View:
    return view if factor is None else Formula(emission, view.dtype or DType.F32, view.shape).of("mul", view, factor)


def _bias(emission: Emission, call: AtenCall, position: int, dtype: DType) -> list[View]:
    """Return what is added to scores: of truth values 0 where they are true and -inf elsewhere; layers share it."""
    mask = call.maybe(position)
    if mask is None:
        return []
    mask = replace(mask, expanded=None)
    while len(mask.shape) < 4:
        mask = with_one(mask, 0)
    key = (mask, dtype)
    if key not in call.memory.biases:
        name, emission.name = emission.name, "attention_bias"
        made = Formula(emission, dtype, mask.shape)
        bias = made.of("where", mask, 0, -inf) if mask.dtype is DType.BOOL else cast(emission, mask, dtype)
        call.memory.biases[key] = emission.whole(bias)
        emission.name = name
    return [call.memory.biases[key]]


def _attention(emission: Emission, call: AtenCall) -> View:
    query, key, value = (call.view(position) for position in range(3))
    bias = _bias(emission, call, 3, call.dtype)
    query = _scaled(emission, query, _factor(call, query, 5))
    return emission.call("attention", (query, key, value, *bias), (int(bool(call.argument(4))),))


def _attention_backward(emission: Emission, call: AtenCall) -> Sequence[View | None]:
    gradient, query, key, value, result = (call.view(position) for position in range(5))
    factor = _factor(call, query, 7)
    bias = _bias(emission, call, 5, call.dtype)
    operands = (gradient, _scaled(emission, query, factor), key, value, result, *bias)
    made: list[View | None] = []
    for name in ("query", "key", "value"):
        emission.name = f"attention_{name}_backward"
        made.append(emission.call(emission.name, operands, (int(bool(call.argument(6))),)))
    assert made[0] is not None
    return [_scaled(emission, made[0], factor), *made[1:]]


ATTENTION: Mapping[str, Handler] = {"p2smt.attention": _attention, "p2smt.attention_backward": _attention_backward}
