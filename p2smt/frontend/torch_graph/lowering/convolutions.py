"""Convolutions in one to three dimensions.

A transposed convolution is lowered as the input gradient of a convolution. So its own gradients are a convolution
(for the input) and a kernel gradient (for the weight).
"""

from collections.abc import Mapping, Sequence

from p2smt.frontend.torch_graph.aten_call import AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.lowering.formula import Formula, formula
from p2smt.frontend.torch_graph.lowering.moves import joined_along, padded, selected, sliced
from p2smt.frontend.torch_graph.lowering.rows import total
from p2smt.frontend.torch_graph.lowering.slices import spread, stepped
from p2smt.frontend.torch_graph.view import View, permuted, with_one
from p2smt.tensor.signature import Shape


def _in_both(call: AtenCall, numbers: Shape, what: str) -> int:
    """A parameter that must be the same in all spatial dimensions."""
    if len(set(numbers)) > 1:
        raise call.refused(
            f"a {what} of {' and '.join(map(str, numbers))} is not supported; use the same in all dimensions"
        )
    return numbers[0]


class _PlaneConvolution:
    """A two-dimensional convolution on the language's conv2d, whose parameters are equal in both directions.

    Unequal padding is added as explicit zeros. With unequal strides the convolution has stride 1, and only every
    stride-th result is kept. Grouped channels are a separate dimension.
    """

    def __init__(self, emission: Emission, call: AtenCall, numbers: Sequence[Shape], groups: int) -> None:
        self._emission = emission
        strides, self._around, _ = numbers
        same = len(set(strides)) == 1
        self._steps = (1, 1) if same else strides
        self._given = 0 if len(set(self._around)) > 1 else self._around[0]
        dilation = _in_both(call, numbers[2], "dilation")
        self._attributes = (strides[0] if same else 1, self._given, dilation)
        self.groups = groups

    def forward(self, view: View, weight: View) -> View:
        """The convolution of images."""
        made = self._call("conv2d", self._surrounded(view), weight, (), (1, 0))
        # Strides that differ: the convolution ran with stride 1, and every step-th result is kept.
        for dim, step in enumerate(self._steps, start=2):
            made = stepped(self._emission, made, dim, 0, -(-made.shape[dim] // step), step)
        return made

    def of_input(self, gradient: View, weight: View, space: Shape) -> View:
        """Return the gradient of the input; `space` is the input's height and width."""
        widths = [0 if self._given else width for width in self._around]
        padded_space = tuple(length + (2 * width) for length, width in zip(space, widths, strict=True))
        gradient = self._apart(gradient, padded_space, weight.shape[2:])
        made = self._call("conv2d_input_backward", gradient, weight, padded_space, (1, 0))
        for dim, width in enumerate(widths, start=2):
            made = sliced(self._emission, made, dim, width, made.shape[dim] - width) if width else made
        return made

    def of_weight(self, gradient: View, view: View, kernel: Shape) -> View:
        """Return the gradient of the weight; `kernel` is the weight's height and width."""
        wide = self._surrounded(view)
        gradient = self._apart(gradient, wide.shape[2:], kernel)
        return self._call("conv2d_weight_backward", gradient, wide, kernel, (1, 1))

    def _apart(self, gradient: View, space: Shape, kernel: Shape) -> View:
        """Return the gradient with zeros inserted where the forward pass dropped results of stride 1."""
        _, padding, dilation = self._attributes
        for dim, step in enumerate(self._steps, start=2):
            length = space[dim - 2] + (2 * padding) - (dilation * (kernel[dim - 2] - 1))
            gradient = spread(self._emission, gradient, dim, 0, length, step) if step > 1 else gradient
        return gradient

    def _call(self, operation: str, first: View, second: View, lengths: Shape, channels: tuple[int, int]) -> View:
        attributes = (*lengths, *self._attributes)
        if self.groups == 1:
            return self._emission.call(operation, [first, second], attributes)
        operands = [self._split(view, dim) for view, dim in zip((first, second), channels, strict=True)]
        made = self._emission.call(f"grouped_{operation}", operands, attributes)
        at = 0 if operation == "conv2d_weight_backward" else 1
        shape = made.shape
        return self._emission.reshaped(made, (*shape[:at], shape[at] * shape[at + 1], *shape[at + 2 :]))

    def _split(self, view: View, dim: int) -> View:
        """The channel dimension split into groups and channels per group."""
        shape = view.shape
        return self._emission.reshaped(view, (*shape[:dim], self.groups, shape[dim] // self.groups, *shape[dim + 1 :]))

    def _surrounded(self, view: View) -> View:
        """The input with explicit zero padding, unless the operation pads itself."""
        for dim, width in enumerate(self._around, start=2):
            view = padded(self._emission, view, dim, width, width) if not self._given else view
        return view


class _Convolution:
    """A convolution in one, two or three spatial dimensions.

    In one dimension it is a convolution of images of height 1. In three it is a sum, over the kernel's first
    dimension, of convolutions of every stride-th frame; samples and frames are merged into one batch dimension.
    """

    def __init__(self, emission: Emission, call: AtenCall, first: int) -> None:
        self._emission, self._call = emission, call
        numbers = [call.wholes(first + at) for at in range(3)]
        rank = len(numbers[0])
        if rank > 3:
            raise call.refused("only convolutions of one to three dimensions are supported")
        self._rank = rank
        self._deep = tuple(each[0] for each in numbers) if rank == 3 else (1, 0, 1)
        own = [each[-2:] for each in numbers]
        if rank == 1:
            (stride,), (padding,), (dilation,) = numbers
            own = [(stride, stride), (0, padding), (dilation, dilation)]
        self._flat = _PlaneConvolution(emission, call, own, call.whole(first + 5))
        self.transposed = bool(call.argument(first + 3))
        self.groups = self._flat.groups

    def forward(self, view: View, weight: View) -> View:
        """The convolution."""
        if self._rank < 3:
            return self._back(self._flat.forward(self._image(view), self._image(weight)))
        stride, padding, dilation = self._deep
        view = padded(self._emission, view, 2, padding, padding)
        count = (view.shape[2] - (dilation * (weight.shape[2] - 1)) - 1) // stride + 1
        parts = []
        for at in range(weight.shape[2]):
            taken = stepped(self._emission, view, 2, at * dilation, count, stride)
            parts.append(self._flat.forward(self._merged(taken), selected(self._emission, weight, 2, at)))
        return self._apart(self._sum(parts), view.shape[0], count)

    def of_input(self, gradient: View, weight: View, space: Shape) -> View:
        """Return the gradient of the input; `space` is the input's spatial shape."""
        if self._rank < 3:
            flat = (1, *space) if len(space) == 1 else space
            return self._back(self._flat.of_input(self._image(gradient), self._image(weight), flat))
        stride, padding, dilation = self._deep
        length, merged = space[0] + (2 * padding), self._merged(gradient)
        parts = []
        for at in range(weight.shape[2]):
            part = self._flat.of_input(merged, selected(self._emission, weight, 2, at), space[1:])
            part = self._apart(part, gradient.shape[0], gradient.shape[2])
            parts.append(spread(self._emission, part, 2, at * dilation, length, stride))
        return sliced(self._emission, self._sum(parts), 2, padding, padding + space[0])

    def of_weight(self, gradient: View, view: View, kernel: Shape) -> View:
        """Return the gradient of the kernel; `kernel` is its spatial shape."""
        if self._rank < 3:
            flat = (1, *kernel) if len(kernel) == 1 else kernel
            return self._back(self._flat.of_weight(self._image(gradient), self._image(view), flat))
        stride, padding, dilation = self._deep
        view, merged = padded(self._emission, view, 2, padding, padding), self._merged(gradient)
        parts = []
        for at in range(kernel[0]):
            taken = stepped(self._emission, view, 2, at * dilation, gradient.shape[2], stride)
            parts.append(with_one(self._flat.of_weight(merged, self._merged(taken), kernel[1:]), 2))
        return joined_along(self._emission, parts, 2)

    def _image(self, view: View) -> View:
        return with_one(view, 2) if self._rank == 1 else view

    def _back(self, view: View) -> View:
        return self._emission.reshaped(view, (*view.shape[:2], *view.shape[3:])) if self._rank == 1 else view

    def _merged(self, view: View) -> View:
        """The samples and frames of a video merged into one batch dimension."""
        moved = permuted(view, (0, 2, 1, 3, 4))
        return self._emission.reshaped(moved, (moved.shape[0] * moved.shape[1], *moved.shape[2:]))

    def _apart(self, view: View, samples: int, images: int) -> View:
        return permuted(self._emission.reshaped(view, (samples, images, *view.shape[1:])), (0, 2, 1, 3, 4))

    def _sum(self, parts: Sequence[View]) -> View:
        result, *rest = parts
        for part in rest:
            result = Formula(self._emission, self._call.dtype, part.shape).of("add", result, part)
        return result


def _convolution(emission: Emission, call: AtenCall) -> View:
    convolving = _Convolution(emission, call, 3)
    view, weight, bias = call.view(0), call.view(1), call.maybe(2)
    if len(view.shape) == len(call.wholes(3)) + 1:
        raise call.refused("images without a batch dimension are not supported; add one with unsqueeze(0)")
    if convolving.transposed:
        made = convolving.of_input(view, weight, call.shape[2:])
    else:
        made = convolving.forward(view, weight)
    if bias is None:
        return made
    shape = (bias.shape[0], *(1,) * (len(call.shape) - 2))
    return formula(emission, call).of("add", made, emission.reshaped(bias, shape))


def _convolution_backward(emission: Emission, call: AtenCall) -> list[View | None]:
    convolving = _Convolution(emission, call, 4)
    gradient, view, weight = (call.view(position) for position in range(3))
    results: list[View | None] = [None, None, None]
    if call.wanted(0) and convolving.transposed:
        results[0] = convolving.forward(gradient, weight)
    elif call.wanted(0):
        results[0] = convolving.of_input(gradient, weight, view.shape[2:])
    if call.wanted(1):
        outer, inner = (view, gradient) if convolving.transposed else (gradient, view)
        results[1] = convolving.of_weight(outer, inner, weight.shape[2:])
    if call.wanted(2):
        results[2] = total(emission, gradient, (0, *range(2, len(gradient.shape))))
    return results


CONVOLUTIONS: Mapping[str, Handler] = {"convolution": _convolution, "convolution_backward": _convolution_backward}
