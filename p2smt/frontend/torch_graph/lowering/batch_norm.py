"""Lowering of batch norm."""

from collections.abc import Mapping
from math import prod

from p2smt.frontend.torch_graph.aten_call import AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission, number
from p2smt.frontend.torch_graph.lowering.formula import Formula, cast
from p2smt.frontend.torch_graph.lowering.rows import total
from p2smt.frontend.torch_graph.view import View
from p2smt.tensor.dtype import DType


class _Batch:
    """Statistics per channel over a batch, with the tensor that they normalise."""

    def __init__(self, emission: Emission, view: View, eps: float, running: View | None = None) -> None:
        self.emission = emission
        self.view = view
        self.dtype = view.dtype or DType.F32
        # Under autocast running statistics have more digits than what is normalised.
        kept = self.dtype if running is None or running.dtype is None else running.dtype
        self.row = Formula(emission, kept, (view.shape[1],))
        self.count = prod(view.shape[dim] for dim in (0, *range(2, len(view.shape))))
        self.eps = eps

    def over(self, value: View) -> View:
        """The value divided by the number of elements per channel."""
        return self.row.of("div", value, self.count)

    def sums(self, view: View) -> View:
        """Sums per channel."""
        return total(self.emission, view, (0, *range(2, len(view.shape))))

    def statistics(self) -> tuple[View, View]:
        """Mean and biased variance."""
        mean = self.over(self.sums(self.view))
        given = (self.view, self.cast(mean))
        return mean, self.over(self.emission.call("batch_norm_squares", given, (), self.dtype))

    def scale(self, variance: View) -> View:
        """The reciprocal of the standard deviation."""
        return self.row.of("rsqrt", self.row.of("add", variance, self.eps))

    def normal(self, mean: View, scale: View, weight: View | None, bias: View | None) -> View:
        """The normalised tensor, with weight and bias applied."""
        ones, zeros = number(1).repeated(self.row_shape), number(0).repeated(self.row_shape)
        weights = () if weight is None and bias is None else (weight or ones, bias or zeros)
        given = [self.cast(each) for each in (mean, scale, *weights)]
        return self.emission.call("batch_norm", (self.view, *given), (), self.dtype)

    def cast(self, channels: View) -> View:
        """Statistics cast to the input's type; they are often kept in a wider one."""
        return cast(self.emission, channels, self.dtype)

    @property
    def row_shape(self) -> tuple[int]:
        """Return the shape of per-channel values."""
        return (self.view.shape[1],)


def _batch_norm(emission: Emission, call: AtenCall) -> list[View | None]:
    """Return the normalised tensor, the mean, the reciprocal deviation, and any new running statistics."""
    view, weight, bias = call.view(0), call.maybe(1), call.maybe(2)
    running = not call.node.operation.startswith("aten._native_batch_norm_legit.no_stats")
    at = 5 if running else 3
    training, momentum, eps = call.argument(at), call.real(at + 1), call.real(at + 2)
    old = [call.maybe(3), call.maybe(4)] if running else [None, None]
    batch = _Batch(emission, view, eps, old[0])
    if training:
        mean, variance = batch.statistics()
    else:
        mean, variance = call.view(3), call.view(4)
    scale = batch.scale(variance)
    results: list[View | None] = [batch.normal(mean, scale, weight, bias), mean, scale]
    if training and old[0] is not None and old[1] is not None:
        unbiased = batch.row.of("mul", variance, batch.count / max(1, batch.count - 1))
        for before, now in ((old[0], mean), (old[1], unbiased)):
            kept = batch.row.of("mul", before, 1 - momentum)
            results.append(batch.row.of("add", kept, batch.row.of("mul", now, momentum)))
    return [*results, *old][: max(3, len(call.node.results))]


def _batch_norm_backward(emission: Emission, call: AtenCall) -> list[View | None]:
    gradient, view, weight, eps = call.view(0), call.view(1), call.maybe(2), call.real(8)
    batch = _Batch(emission, view, eps)
    training = bool(call.argument(7))
    mean = batch.cast(call.view(5) if training else call.view(3))
    scale = batch.cast(call.view(6) if training else batch.scale(call.view(4)))
    products = emission.call("batch_norm_weight_backward", (gradient, view, mean, scale), (), batch.dtype)
    sums = batch.sums(gradient)
    results: list[View | None] = [None, products, sums]
    if call.wanted(0):
        of = [batch.over(each) if training else number(0).repeated(batch.row_shape) for each in (sums, products)]
        factor = number(1).repeated(batch.row_shape) if weight is None else batch.cast(weight)
        given = (gradient, view, mean, scale, factor, *of)
        results[0] = emission.call("batch_norm_backward", given, (), batch.dtype)
    return results


def _batch_norm_fixed(emission: Emission, call: AtenCall) -> list[View | None]:
    """Batch norm with given statistics."""
    batch = _Batch(emission, call.view(0), call.real(6))
    return [batch.normal(call.view(3), batch.scale(call.view(4)), call.maybe(1), call.maybe(2)), None, None]


BATCH_NORMS: Mapping[str, Handler] = {
    "_native_batch_norm_legit_functional": _batch_norm,
    "_native_batch_norm_legit": _batch_norm,
    "_native_batch_norm_legit_no_training": _batch_norm_fixed,
    "native_batch_norm": _batch_norm,
    "native_batch_norm_backward": _batch_norm_backward,
}
