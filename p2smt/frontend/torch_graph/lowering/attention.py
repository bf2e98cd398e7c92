"""Attention as one operation, where torch's graph has it as one; else its parts are products and a softmax."""

from collections.abc import Mapping, Sequence
from math import isclose, sqrt

from p2smt.frontend.torch_graph.aten_call import AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.lowering.formula import Formula
from p2smt.frontend.torch_graph.view import View


def _factor(call: AtenCall, query: View) -> float | None:
    """What queries are multiplied with so that scores are scaled as asked for; None: they are as they should be."""
    usual = 1 / sqrt(query.shape[-1])
    scale = call.real(len(call.node.arguments), "scale", usual)
    return None if isclose(scale, usual, rel_tol=1e-15) else scale / usual


def _scaled(emission: Emission, call: AtenCall, view: View, factor: float | None) -> View:
    return view if factor is None else Formula(emission, call.dtype, view.shape).of("mul", view, factor)


def _causal(call: AtenCall, dropout: int) -> tuple[int]:
    if call.real(dropout, "dropout_p", 0.0) or call.argument(len(call.node.arguments), "attn_mask") is not None:
        raise call.refused("attention as one operation has no dropout and no mask; capture it as its parts")
    return (int(bool(call.argument(dropout + 1, "is_causal"))),)


def _attention(emission: Emission, call: AtenCall) -> list[View | None]:
    query, key, value = (call.view(position) for position in range(3))
    query = _scaled(emission, call, query, _factor(call, query))
    emission.name = "attention"
    return [emission.call("attention", (query, key, value), _causal(call, 3)), None]


def _attention_backward(emission: Emission, call: AtenCall) -> Sequence[View | None]:
    gradient, query, key, value = (call.view(position) for position in range(4))
    factor = _factor(call, query)
    operands = (gradient, _scaled(emission, call, query, factor), key, value)
    made = []
    for name in ("query", "key", "value"):
        emission.name = f"attention_{name}_backward"
        made.append(emission.call(emission.name, operands, _causal(call, 6)))
    return [_scaled(emission, call, made[0], factor), *made[1:]]


ATTENTION: Mapping[str, Handler] = {
    "_scaled_dot_product_flash_attention_for_cpu": _attention,
    "_scaled_dot_product_flash_attention_for_cpu_backward": _attention_backward,
}
