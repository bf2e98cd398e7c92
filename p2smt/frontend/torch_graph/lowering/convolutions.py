"""Convolutions of one and two dimensions; one of one dimension is one of images of height 1.

A transposed convolution is the gradient of a convolution's input; its gradients are a convolution and the gradient of a
kernel.
"""

from collections.abc import Iterable, Mapping, Sequence

from p2smt.frontend.torch_graph.aten_call import AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.lowering.formula import formula
from p2smt.frontend.torch_graph.lowering.moves import joined_along, padded, sliced
from p2smt.frontend.torch_graph.lowering.rows import total
from p2smt.frontend.torch_graph.view import View, with_one
from p2smt.tensor.signature import Shape


def same_in_both(call: AtenCall, position: int, what: str, default: int) -> int:
    """A number that is the same in all directions of space."""
    found = call.wholes(position) or (default,)
    if len(set(found)) > 1:
        raise call.refused(f"a {what} of {' and '.join(map(str, found))} is not in the language, which has one of both")
    return found[0]


_MOST_GROUPS = 64


class _Sliding:
    """A convolution's calls on groups of channels; padding that differs in both directions are zeros put around."""

    def __init__(self, emission: Emission, call: AtenCall, first: int) -> None:
        self._emission = emission
        paddings = call.wholes(first + 1)
        self._flat = len(call.wholes(first)) == 1
        if len(call.wholes(first)) > 2:
            raise call.refused("only convolutions of one and two dimensions are in the language of tensor programs")
        self.transposed = bool(call.argument(first + 3))
        self.groups = call.whole(first + 5)
        if self.groups > _MOST_GROUPS:
            raise call.refused(
                f"{self.groups} groups would be {self.groups} convolutions; at most {_MOST_GROUPS} are written out"
            )
        self._around = (0, *paddings) if self._flat else paddings
        self._given = 0 if len(set(self._around)) > 1 else self._around[0]
        stride, dilation = same_in_both(call, first, "stride", 1), same_in_both(call, first + 2, "dilation", 1)
        self._attributes = (stride, self._given, dilation)

    def image(self, view: View) -> View:
        """An input, weight or gradient as images."""
        return with_one(view, 2) if self._flat else view

    def back(self, view: View) -> View:
        """Images as what they came from."""
        return self._emission.reshaped(view, (*view.shape[:2], *view.shape[3:])) if self._flat else view

    def forward(self, view: View, weight: View) -> View:
        """The convolution of images."""
        pairs = zip(self._parts(self._surrounded(view), 1), self._parts(weight, 0), strict=True)
        return self._joined("conv2d", pairs, (), 1)

    def of_input(self, gradient: View, weight: View, space: Shape) -> View:
        """The gradient of the input, whose height and width are `space`."""
        widths = [0 if self._given else width for width in self._around]
        padded_space = [length + (2 * width) for length, width in zip(space, widths, strict=True)]
        pairs = zip(self._parts(gradient, 1), self._parts(weight, 0), strict=True)
        made = self._joined("conv2d_input_backward", pairs, padded_space, 1)
        for dim, width in enumerate(widths, start=2):
            made = sliced(self._emission, made, dim, width, made.shape[dim] - width) if width else made
        return made

    def of_weight(self, gradient: View, view: View, kernel: Shape) -> View:
        """The gradient of the weight, whose height and width are `kernel`."""
        pairs = zip(self._parts(gradient, 1), self._parts(self._surrounded(view), 1), strict=True)
        return self._joined("conv2d_weight_backward", pairs, kernel, 0)

    def _joined(self, operation: str, pairs: Iterable[tuple[View, View]], lengths: Sequence[int], dim: int) -> View:
        attributes = (*lengths, *self._attributes)
        parts = [self._emission.call(operation, pair, attributes) for pair in pairs]
        return joined_along(self._emission, parts, dim)

    def _surrounded(self, view: View) -> View:
        """An input with zeros around it, unless the convolution adds them."""
        for dim, width in enumerate(self._around, start=2):
            view = padded(self._emission, view, dim, width, width) if not self._given else view
        return view

    def _parts(self, view: View, dim: int) -> list[View]:
        """Channels in groups of one length."""
        length = view.shape[dim] // self.groups
        return [sliced(self._emission, view, dim, at * length, (at + 1) * length) for at in range(self.groups)]


def _convolution(emission: Emission, call: AtenCall) -> View:
    sliding = _Sliding(emission, call, 3)
    view, weight, bias = sliding.image(call.view(0)), sliding.image(call.view(1)), call.maybe(2)
    if sliding.transposed:
        space = call.shape[2:]
        made = sliding.of_input(view, weight, (1, *space) if len(space) == 1 else space)
    else:
        made = sliding.forward(view, weight)
    made = sliding.back(made)
    if bias is None:
        return made
    shape = (bias.shape[0], *(1,) * (len(call.shape) - 2))
    return formula(emission, call).of("add", made, emission.reshaped(bias, shape))


def _convolution_backward(emission: Emission, call: AtenCall) -> list[View | None]:
    sliding = _Sliding(emission, call, 4)
    gradient, view, weight = (sliding.image(call.view(position)) for position in range(3))
    results: list[View | None] = [None, None, None]
    if call.wanted(0) and sliding.transposed:
        results[0] = sliding.back(sliding.forward(gradient, weight))
    elif call.wanted(0):
        results[0] = sliding.back(sliding.of_input(gradient, weight, view.shape[2:]))
    if call.wanted(1):
        outer, inner = (view, gradient) if sliding.transposed else (gradient, view)
        results[1] = sliding.back(sliding.of_weight(outer, inner, weight.shape[2:]))
    if call.wanted(2):
        results[2] = total(emission, gradient, (0, 2, 3))
    return results


CONVOLUTIONS: Mapping[str, Handler] = {"convolution": _convolution, "convolution_backward": _convolution_backward}
