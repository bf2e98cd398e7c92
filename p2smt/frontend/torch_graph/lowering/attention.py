"""Attention as one operation, as `attention.py` traces it, or else as products and a softmax."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf, isclose, sqrt

from p2smt.frontend.torch_graph.aten_call import AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.lowering.formula import Formula, cast
from p2smt.frontend.torch_graph.view import View, with_one
from p2smt.tensor.dtype import DType
from p2smt.tensor.frame import Attributes


def _factor(call: AtenCall, query: View, position: int) -> float | None:
    """The factor on queries that gives the requested scale; None for the usual scale 1 / sqrt(d)."""
    usual = 1 / sqrt(query.shape[-1])
    scale = call.real(position)
    # The tolerance is for scales that a model computes itself, as d ** -0.5, with another rounding.
    return None if isclose(scale, usual, rel_tol=1e-15) else scale / usual


def _scaled(emission: Emission, view: View, factor: float | None) -> View:
    return view if factor is None else Formula(emission, view.dtype or DType.F32, view.shape).of("mul", view, factor)


def _bias(emission: Emission, call: AtenCall, position: int, dtype: DType, trained: bool) -> list[View]:
    """Return the bias of the scores, shared by layers; a boolean mask becomes 0 where true and -inf elsewhere."""
    mask = call.maybe(position)
    if mask is None:
        return []
    if trained and mask.expanded not in (None, mask.packed):
        mask = emission.whole(mask)  # each of what is repeated has a gradient
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
    bias = _bias(emission, call, 3, call.dtype, bool(call.argument(7)))
    query = _scaled(emission, query, _factor(call, query, 5))
    share, causal = call.real(6), int(bool(call.argument(4)))
    if not share:
        return emission.call("attention", (query, key, value, *bias), (causal,))
    seed = call.memory.drawn[call.node.name] = call.seed()
    return emission.call("dropped_attention", (query, key, value, *bias), (share, seed, causal))


def _attention_backward(emission: Emission, call: AtenCall) -> Sequence[View | None]:
    gradient, query, key, value, result = (call.view(position) for position in range(5))
    factor, mask = _factor(call, query, 7), call.maybe(5)
    trained = bool(call.argument(9))
    bias = _bias(emission, call, 5, call.dtype, trained)
    operands = (gradient, _scaled(emission, query, factor), key, value, result, *bias)
    share, causal = call.real(8), int(bool(call.argument(6)))
    name, attributes = _kind(call, share, causal)
    made: list[View] = []
    for operand in ("query", "key", "value", *(["bias"] if trained else [])):
        emission.name = f"{name}_{operand}_backward"
        made.append(emission.call(emission.name, operands, attributes))
    made[0] = _scaled(emission, made[0], factor)
    if mask is None or not trained:
        return [*made[:3], None]
    return [*made[:3], cast(emission, emission.reshaped(made[3], mask.shape), mask.dtype or call.dtype)]


def _kind(call: AtenCall, share: float, causal: int) -> tuple[str, Attributes]:
    """The forward operation, and its attributes with the seed of the forward pass."""
    if not share:
        return "attention", (causal,)
    name = getattr(call.node.arguments[4], "node", "")
    if name not in call.memory.drawn:
        raise call.refused("its forward pass is not a supported attention, so its dropout mask is unknown")
    return "dropped_attention", (share, call.memory.drawn[name], causal)


ATTENTION: Mapping[str, Handler] = {"p2smt.attention": _attention, "p2smt.attention_backward": _attention_backward}
