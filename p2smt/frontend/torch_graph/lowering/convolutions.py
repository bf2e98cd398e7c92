"""Convolutions of one and two dimensions; one of one dimension is one of images of height 1."""

from collections.abc import Mapping

from p2smt.frontend.torch_graph.aten_call import AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.lowering.formula import formula
from p2smt.frontend.torch_graph.lowering.moves import joined_along, padded, sliced
from p2smt.frontend.torch_graph.lowering.rows import total
from p2smt.frontend.torch_graph.view import View, with_one


def same_in_both(call: AtenCall, position: int, what: str, default: int) -> int:
    """A number that is the same in all directions of space."""
    found = call.wholes(position) or (default,)
    if len(set(found)) > 1:
        raise call.refused(f"a {what} of {' and '.join(map(str, found))} is not in the language, which has one of both")
    return found[0]


class _Sliding:
    """Stride, and padding: that of both directions, or zeros that are put around an image before."""

    def __init__(self, emission: Emission, call: AtenCall, first: int) -> None:
        self._emission = emission
        paddings = call.wholes(first + 1)
        self.flat = len(call.wholes(first)) == 1
        if len(call.wholes(first)) > 2:
            raise call.refused("only convolutions of one and two dimensions are in the language of tensor programs")
        if same_in_both(call, first + 2, "dilation", 1) != 1 or call.argument(first + 3):
            raise call.refused(
                "convolutions with dilation or transposed ones are not in the language of tensor programs"
            )
        self._around = (0, *paddings) if self.flat else paddings
        self._given = 0 if len(set(self._around)) > 1 else self._around[0]
        self.attributes = (same_in_both(call, first, "stride", 1), self._given)

    def image(self, view: View) -> View:
        """An input or gradient as images."""
        return with_one(view, 2) if self.flat else view

    def surrounded(self, view: View) -> View:
        """An input with zeros around it, unless the convolution adds them."""
        view = self.image(view)
        for dim, width in enumerate(self._around, start=2):
            view = padded(self._emission, view, dim, width, width) if not self._given else view
        return view

    def inner(self, view: View) -> View:
        """The gradient of an input without the zeros around it."""
        for dim, width in enumerate(self._around, start=2):
            if width and not self._given:
                view = sliced(self._emission, view, dim, width, view.shape[dim] - width)
        return self.back(view)

    def back(self, view: View) -> View:
        """Images as what they came from."""
        return self._emission.reshaped(view, (*view.shape[:2], *view.shape[3:])) if self.flat else view


def _parts(emission: Emission, view: View, dim: int, groups: int) -> list[View]:
    """Channels in groups of one length."""
    length = view.shape[dim] // groups
    return [sliced(emission, view, dim, at * length, (at + 1) * length) for at in range(groups)]


_MOST_GROUPS = 64


def _grouped(call: AtenCall, groups: int) -> int:
    if groups > _MOST_GROUPS:
        raise call.refused(f"{groups} groups would be {groups} convolutions; at most {_MOST_GROUPS} are written out")
    return groups


def _convolution(emission: Emission, call: AtenCall) -> View:
    sliding = _Sliding(emission, call, 3)
    view, weight, bias = sliding.surrounded(call.view(0)), sliding.image(call.view(1)), call.maybe(2)
    groups = _grouped(call, call.whole(8))
    pairs = zip(_parts(emission, view, 1, groups), _parts(emission, weight, 0, groups), strict=True)
    made = joined_along(emission, [emission.call("conv2d", pair, sliding.attributes) for pair in pairs], 1)
    made = sliding.back(made)
    if bias is None:
        return made
    shape = (bias.shape[0], *(1,) * (len(call.shape) - 2))
    return formula(emission, call).of("add", made, emission.reshaped(bias, shape))


def _convolution_backward(emission: Emission, call: AtenCall) -> list[View | None]:
    sliding = _Sliding(emission, call, 4)
    gradient, weight = sliding.image(call.view(0)), sliding.image(call.view(2))
    view = sliding.surrounded(call.view(1))
    groups = _grouped(call, call.whole(9))
    gradients = _parts(emission, gradient, 1, groups)
    results: list[View | None] = [None, None, None]
    if call.wanted(0):
        pairs = zip(gradients, _parts(emission, weight, 0, groups), strict=True)
        space = (*view.shape[2:], *sliding.attributes)
        parts = [emission.call("conv2d_input_backward", each, space) for each in pairs]
        results[0] = sliding.inner(joined_along(emission, parts, 1))
    if call.wanted(1):
        pairs = zip(gradients, _parts(emission, view, 1, groups), strict=True)
        kernel = (*weight.shape[2:], *sliding.attributes)
        parts = [emission.call("conv2d_weight_backward", each, kernel) for each in pairs]
        results[1] = sliding.back(joined_along(emission, parts, 0))
    if call.wanted(2):
        results[2] = total(emission, gradient, (0, 2, 3))
    return results


CONVOLUTIONS: Mapping[str, Handler] = {"convolution": _convolution, "convolution_backward": _convolution_backward}
