"""Losses and their backward passes in operations of the language; a mean divides by the number of terms."""

from collections.abc import Mapping
from math import prod

from p2smt.frontend.torch_graph.aten_call import AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission, number
from p2smt.frontend.torch_graph.lowering.formula import Formula, cast
from p2smt.frontend.torch_graph.lowering.indices import one_hot, picked, put_back
from p2smt.frontend.torch_graph.lowering.rows import total
from p2smt.frontend.torch_graph.view import View, permuted
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Call

_NONE, _MEAN, _SUM = 0, 1, 2


def _reduced(emission: Emission, call: AtenCall, view: View, reduction: int) -> View:
    if reduction == _NONE:
        return view
    made = total(emission, view, tuple(range(len(view.shape))))
    return made if reduction == _SUM else Formula(emission, call.dtype, ()).of("div", made, prod(view.shape))


def _spread(emission: Emission, call: AtenCall, gradient: View, shape: tuple[int, ...], reduction: int) -> View:
    """Return the gradient of each element, given the gradient of the (reduced) loss."""
    if reduction == _MEAN:
        gradient = Formula(emission, call.dtype, gradient.shape).of("div", gradient, prod(shape))
    return gradient.repeated(shape)


def _mse(emission: Emission, call: AtenCall) -> View:
    x, y = call.view(0), call.view(1)
    made = Formula(emission, call.dtype, x.shape)
    difference = made.of("sub", x, y)
    return _reduced(emission, call, made.of("mul", difference, difference), call.whole(2, "reduction", _MEAN))


def _mse_backward(emission: Emission, call: AtenCall) -> View:
    x, y, reduction = call.view(1), call.view(2), call.whole(3)
    made = Formula(emission, call.dtype, call.shape)
    gradient = _spread(emission, call, call.view(0), call.shape, reduction)
    return made.of("mul", made.of("mul", made.of("sub", x, y), 2), gradient)


def _huber_parts(emission: Emission, call: AtenCall, x: View, y: View) -> tuple[Formula, View, View]:
    made = Formula(emission, call.dtype, x.shape)
    difference = made.of("sub", x, y)
    return made, difference, made.of("abs", difference)


def _smooth_l1(emission: Emission, call: AtenCall) -> View:
    beta = call.real(3, "beta", 1.0)
    made, difference, size = _huber_parts(emission, call, call.view(0), call.view(1))
    inner = made.of("div", made.of("mul", made.of("mul", difference, difference), 0.5), beta)
    result = made.of("where", made.of("lt", size, beta), inner, made.of("sub", size, 0.5 * beta))
    return _reduced(emission, call, result, call.whole(2, "reduction", _MEAN))


def _smooth_l1_backward(emission: Emission, call: AtenCall) -> View:
    beta = call.real(4)
    made, difference, size = _huber_parts(emission, call, call.view(1), call.view(2))
    inner = made.of("div", difference, beta)
    slope = made.of("where", made.of("lt", size, beta), inner, made.of("sign", difference))
    return made.of("mul", slope, _spread(emission, call, call.view(0), call.shape, call.whole(3)))


def _huber(emission: Emission, call: AtenCall) -> View:
    delta = call.real(3, "delta", 1.0)
    made, difference, size = _huber_parts(emission, call, call.view(0), call.view(1))
    inner = made.of("mul", made.of("mul", difference, difference), 0.5)
    outer = made.of("mul", made.of("sub", size, 0.5 * delta), delta)
    result = made.of("where", made.of("ge", delta, size), inner, outer)
    return _reduced(emission, call, result, call.whole(2, "reduction", _MEAN))


def _huber_backward(emission: Emission, call: AtenCall) -> View:
    delta = call.real(4)
    made, difference, _ = _huber_parts(emission, call, call.view(1), call.view(2))
    slope = made.of("minimum", made.of("maximum", difference, -delta), delta)
    return made.of("mul", slope, _spread(emission, call, call.view(0), call.shape, call.whole(3)))


def _bce(emission: Emission, call: AtenCall) -> View:
    x, y, weight = call.view(0), call.view(1), call.maybe(2)
    made = Formula(emission, call.dtype, x.shape)
    on = made.of("mul", y, made.of("maximum", made.of("log", x), -100))
    off = made.of("mul", made.of("sub", 1, y), made.of("maximum", made.of("log", made.of("sub", 1, x)), -100))
    result = made.of("neg", made.of("add", on, off))
    result = result if weight is None else made.of("mul", result, weight)
    return _reduced(emission, call, result, call.whole(3, "reduction", _MEAN))


def _bce_backward(emission: Emission, call: AtenCall) -> View:
    x, y, weight = call.view(1), call.view(2), call.maybe(3)
    made = Formula(emission, call.dtype, x.shape)
    below = made.of("maximum", made.of("mul", made.of("sub", 1, x), x), 1e-12)
    slope = made.of("div", made.of("sub", x, y), below)
    slope = slope if weight is None else made.of("mul", slope, weight)
    return made.of("mul", slope, _spread(emission, call, call.view(0), call.shape, call.whole(4, default=_MEAN)))


def _bce_with_logits(emission: Emission, call: AtenCall) -> View:
    """Return max(x, 0) - x y + log(1 + exp(-|x|)).

    With `pos_weight` w: (1 - y) x + (1 + (w - 1) y) log(1 + exp(-x)).
    """
    x, y, weight, positive = call.view(0), call.view(1), call.maybe(2), call.maybe(3)
    made = Formula(emission, call.dtype, x.shape)
    soft = made.of("log", made.of("add", 1, made.of("exp", made.of("neg", made.of("abs", x)))))
    if positive is None:
        result = made.of("add", made.of("sub", made.of("maximum", x, 0), made.of("mul", x, y)), soft)
    else:
        share = made.of("add", 1, made.of("mul", made.of("sub", positive, 1), y))
        below = made.of("add", soft, made.of("maximum", made.of("neg", x), 0))
        result = made.of("add", made.of("mul", made.of("sub", 1, y), x), made.of("mul", share, below))
    result = result if weight is None else made.of("mul", result, weight)
    return _reduced(emission, call, result, call.whole(4, "reduction", _MEAN))


def _soft_margin(emission: Emission, call: AtenCall) -> View:
    x, y = call.view(0), call.view(1)
    made = Formula(emission, call.dtype, x.shape)
    result = made.of("log", made.of("add", 1, made.of("exp", made.of("neg", made.of("mul", x, y)))))
    return _reduced(emission, call, result, call.whole(2, "reduction", _MEAN))


def _soft_margin_backward(emission: Emission, call: AtenCall) -> View:
    x, y = call.view(1), call.view(2)
    made = Formula(emission, call.dtype, x.shape)
    slope = made.of("mul", made.of("neg", y), made.of("sigmoid", made.of("neg", made.of("mul", x, y))))
    return made.of("mul", slope, _spread(emission, call, call.view(0), call.shape, call.whole(3)))


def _rows_last(view: View) -> View:
    """Return the view with classes as last dimension; torch has them as second."""
    rank = len(view.shape)
    return view if rank <= 2 else permuted(view, (0, *range(2, rank), 1))


def _weights(emission: Emission, call: AtenCall, target: View, position: int) -> View:
    """Return the weight of every row: 0 if its target is the ignored class."""
    ignored = call.whole(position + 2, default=-100)
    dtype = call.dtype
    there = Formula(emission, DType.BOOL, target.shape)
    counted = cast(emission, there.of("sub", 1, there.of("eq", target, ignored)), dtype)
    weight = call.maybe(position)
    if weight is None:
        return counted
    rows = emission.contracted(
        [one_hot(emission, target, weight.shape[0], dtype), weight], [_names(target), "z"], _names(target)[:-1]
    )
    return Formula(emission, dtype, target.shape).of("mul", counted, rows)


def _names(target: View) -> str:
    return "abcdef"[: len(target.shape)] + "z"


def _nll(emission: Emission, call: AtenCall) -> list[View]:
    rows, target = _rows_last(call.view(0)), call.view(1)
    reduction = call.whole(3)
    weights = _weights(emission, call, target, 2)
    made = Formula(emission, call.dtype, target.shape)
    each = made.of("neg", picked(emission, rows, target))
    if call.maybe(2) is not None or 0 <= call.whole(4) < rows.shape[-1]:
        each = made.of("mul", each, weights)
    dims = tuple(range(len(target.shape)))
    if reduction == _NONE:
        return [each, number(0)]
    count = total(emission, weights, dims)
    loss = total(emission, each, dims)
    return [loss if reduction == _SUM else Formula(emission, call.dtype, ()).of("div", loss, count), count]


def _nll_backward(emission: Emission, call: AtenCall) -> View:
    gradient, view, target = call.view(0), call.view(1), call.view(2)
    reduction, classes = call.whole(4), view.shape[min(1, len(view.shape) - 1)]
    if reduction == _MEAN:
        gradient = Formula(emission, call.dtype, gradient.shape).of("div", gradient, call.view(6))
    each = Formula(emission, call.dtype, target.shape).of("neg", gradient.repeated(target.shape))
    if call.maybe(3) is not None or 0 <= call.whole(5) < classes:
        each = Formula(emission, call.dtype, target.shape).of("mul", each, _weights(emission, call, target, 3))
    made = put_back(emission, each, target, classes)
    rank = len(view.shape)
    made = made if rank <= 2 else permuted(made, (0, rank - 1, *range(1, rank - 1)))
    call.memory.put[made] = each, target, classes
    return made


def _log_softmax_backward(emission: Emission, call: AtenCall) -> View:
    """The gradient of log-softmax; cross entropy becomes one operation, without one-hot rows."""
    gradient, shares = call.view(0), call.view(1)
    dim, rank = call.dim(2, len(shares.shape)), len(shares.shape)
    if gradient not in call.memory.put or dim != min(1, rank - 1):
        return emission.row("log_softmax_backward", [gradient, shares], dim)
    each, target, classes = call.memory.put[gradient]
    made = _cross_entropy_backward(emission, each, _rows_last(shares), target, classes)
    return made if rank <= 2 else permuted(made, (0, rank - 1, *range(1, rank - 1)))


def _cross_entropy_backward(emission: Emission, each: View, shares: View, target: View, classes: int) -> View:
    """Return the cross-entropy gradient, on unflattened row dimensions if rows and targets join the same ones."""
    rows = (target.sizes, (*target.groups, (len(target.sizes),)))
    if target.expanded is None and shares.expanded is None and (shares.sizes[:-1], shares.groups) == rows:
        if not each.sizes:
            spread = Call("expand", (each.expression,), (target.sizes,))
            each = emission.statement(spread, shares.dtype, target.sizes, target.groups)
        if each.expanded is None and (each.sizes, each.groups) == (target.sizes, target.groups):
            made = Call("cross_entropy_backward", (each.expression, shares.expression, target.expression), (classes,))
            return emission.statement(made, shares.dtype, shares.sizes, shares.groups)
    return emission.call("cross_entropy_backward", (each, shares, target), (classes,), shares.dtype)


LOSSES: Mapping[str, Handler] = {
    "soft_margin_loss": _soft_margin,
    "soft_margin_loss_backward": _soft_margin_backward,
    "mse_loss": _mse,
    "mse_loss_backward": _mse_backward,
    "smooth_l1_loss": _smooth_l1,
    "smooth_l1_loss_backward": _smooth_l1_backward,
    "huber_loss": _huber,
    "huber_loss_backward": _huber_backward,
    "binary_cross_entropy": _bce,
    "binary_cross_entropy_backward": _bce_backward,
    "binary_cross_entropy_with_logits": _bce_with_logits,
    "nll_loss_forward": _nll,
    "nll_loss_backward": _nll_backward,
    "nll_loss2d_forward": _nll,
    "nll_loss2d_backward": _nll_backward,
    "_log_softmax_backward_data": _log_softmax_backward,
}
