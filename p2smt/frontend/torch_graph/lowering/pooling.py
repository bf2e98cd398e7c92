"""Pooling of images, with padding and windows that reach past the border.

For a maximum the padding is the lowest finite number, which is selected only in windows without any element of
the image. An average is a depthwise convolution with a kernel of ones, divided by the number of elements in each
window.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from p2smt.frontend.torch_graph.aten_call import AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.lowering.constants import constant
from p2smt.frontend.torch_graph.lowering.formula import Formula
from p2smt.frontend.torch_graph.lowering.moves import padded, sliced
from p2smt.frontend.torch_graph.lowering.slices import spread, stepped, surrounded
from p2smt.frontend.torch_graph.lowering.sources import filled
from p2smt.frontend.torch_graph.view import View
from p2smt.tensor.dtype import DType
from p2smt.tensor.signature import Shape

LEAST: Mapping[DType, float] = {  # lacks BOOL, I32, I64: images are not of whole numbers
    DType.F64: -1.7976931348623157e308,
    DType.F32: -3.4028234663852886e38,
    DType.BF16: -3.3895313892515355e38,
    DType.F16: -65504.0,
}
"""The lowest finite number of each type."""


@dataclass(frozen=True, slots=True)
class _Window:
    """Pooling along one dimension: lengths of input, result and window, stride, and padding."""

    length: int
    count: int
    kernel: int
    stride: int
    padding: int

    @property
    def after(self) -> int:
        """Return the padding after the image that windows need; negative if they leave elements out."""
        return ((self.count - 1) * self.stride) + self.kernel - self.length - self.padding

    def counts(self, with_padding: bool) -> npt.NDArray[np.float64]:
        """Return the number of elements in each window; elements past the padding do not count."""
        starts = (np.arange(self.count) * self.stride) - self.padding
        # Windows may reach past the padding (ceil_mode); such elements do not count in the divisor.
        ends = np.minimum(starts + self.kernel, self.length + self.padding)
        if not with_padding:
            starts, ends = np.maximum(starts, 0), np.minimum(ends, self.length)
        return (ends - starts).astype(np.float64)


class _Pool:
    """Windows over the last two dimensions, of a tensor viewed with four."""

    def __init__(self, emission: Emission, call: AtenCall, image: Shape, result: Shape, first: int) -> None:
        self.emission, self.call = emission, call
        kernel = _pair(call, first, (1, 1))
        stride, padding = _pair(call, first + 1, kernel), _pair(call, first + 2, (0, 0))
        if len(image) != 4:
            raise call.refused("images without a batch dimension are not supported; add one with unsqueeze(0)")
        self.image = image
        self.windows = [_Window(*each) for each in zip(image[2:], result[2:], kernel, stride, padding, strict=True)]

    @property
    def is_square(self) -> bool:
        """True if kernel and stride are the same in both directions."""
        first, second = self.windows
        return (first.kernel, first.stride) == (second.kernel, second.stride)

    def wide(self, view: View, value: float) -> View:
        """Return the image, padded with `value` to the full extent of all windows."""
        for dim, each in enumerate(self.windows, start=2):
            view = surrounded(self.emission, view, dim, each.padding, max(0, each.after), value)
            view = sliced(self.emission, view, dim, 0, each.length + each.padding + each.after)
        return view

    def narrow(self, gradient: View) -> View:
        """Return the gradient of the image, cut out of the gradient of the padded image."""
        for dim, each in enumerate(self.windows, start=2):
            inside = sliced(
                self.emission, gradient, dim, each.padding, min(gradient.shape[dim], each.padding + each.length)
            )
            gradient = padded(self.emission, inside, dim, 0, each.length - inside.shape[dim])
        return gradient

    def attributes(self) -> tuple[int, int]:
        """Kernel and stride of a square window."""
        return self.windows[0].kernel, self.windows[0].stride

    def taps(self) -> list[tuple[int, int]]:
        """Return the offsets in a window, in torch's order."""
        first, second = self.windows
        return [(i, j) for i in range(first.kernel) for j in range(second.kernel)]

    def tap(self, view: View, at: tuple[int, int]) -> View:
        """Return the element at offset `at` of every window."""
        for dim, (start, each) in enumerate(zip(at, self.windows, strict=True), start=2):
            view = stepped(self.emission, view, dim, start, each.count, each.stride)
        return view

    def untap(self, view: View, at: tuple[int, int], space: Shape) -> View:
        """Return an image with the given elements at offset `at` of the windows, and zeros elsewhere."""
        for dim, (start, each) in enumerate(zip(at, self.windows, strict=True), start=2):
            view = spread(self.emission, view, dim, start, space[dim - 2], each.stride)
        return view


def _pair(call: AtenCall, position: int, default: Shape) -> Shape:
    found = call.wholes(position) or default
    return found * 2 if len(found) == 1 else found


def _least(view: View) -> float:
    return LEAST[view.dtype or DType.F32]


def _max_pool(emission: Emission, call: AtenCall) -> list[View | None]:
    if set(_pair(call, 4, (1, 1))) != {1}:
        raise call.refused("pooling with dilation is not supported; set dilation=1")
    view = call.view(0)
    pool = _Pool(emission, call, view.shape, call.shape, 1)
    wide = pool.wide(view, _least(view))
    if pool.is_square:
        return [emission.call("max_pool2d", [wide], pool.attributes()), None]
    result: View | None = None
    for at in pool.taps():
        part = pool.tap(wide, at)
        result = part if result is None else Formula(emission, call.dtype, call.shape).of("maximum", result, part)
    return [result, None]


def _max_pool_backward(emission: Emission, call: AtenCall) -> View:
    gradient, view = call.view(0), call.view(1)
    pool = _Pool(emission, call, view.shape, gradient.shape, 2)
    wide = pool.wide(view, _least(view))
    if pool.is_square:
        return pool.narrow(emission.call("max_pool2d_backward", [gradient, wide], pool.attributes()))
    made, truth = Formula(emission, call.dtype, gradient.shape), Formula(emission, DType.BOOL, gradient.shape)
    highest: View | None = None
    for at in pool.taps():
        part = pool.tap(wide, at)
        highest = part if highest is None else made.of("maximum", highest, part)
    assert highest is not None
    left, result = filled(1, gradient.shape, call.dtype), filled(0, wide.shape, call.dtype)
    for at in pool.taps():  # of equal elements the first gets the gradient
        hit = made.of("mul", left, truth.of("eq", pool.tap(wide, at), highest))
        left = made.of("sub", left, hit)
        placed = pool.untap(made.of("mul", gradient, hit), at, wide.shape[2:])
        result = Formula(emission, call.dtype, wide.shape).of("add", result, placed)
    return pool.narrow(result)


class _Average:
    """Average pooling as a depthwise convolution with ones."""

    def __init__(self, emission: Emission, call: AtenCall, image: Shape, result: Shape, first: int) -> None:
        self._pool = _Pool(emission, call, image, result, first)
        self._emission, self._call = emission, call
        with_padding = call.argument(first + 4) is not False
        divisor = call.argument(first + 5)
        first_counts, second_counts = (each.counts(with_padding) for each in self._pool.windows)
        counts = np.outer(first_counts, second_counts)
        self._counts = np.full_like(counts, divisor) if isinstance(divisor, int) else counts

    def _ones(self, dtype: DType) -> View:
        kernel = tuple(each.kernel for each in self._pool.windows)
        return filled(1, (self._pool.image[1], 1, 1, *kernel), dtype)

    def _divided(self, view: View) -> View:
        dtype = view.dtype or DType.F32
        counts = constant(self._emission, self._call, self._counts, dtype)
        return Formula(self._emission, dtype, view.shape).of("div", view, counts)

    def _strides(self) -> tuple[int, tuple[int, int]]:
        """Return the common stride; or stride 1, and the steps per direction at which results are kept."""
        first, second = (each.stride for each in self._pool.windows)
        return (first, (1, 1)) if first == second else (1, (first, second))

    def forward(self, view: View) -> View:
        """The averages."""
        stride, steps = self._strides()
        wide = self._pool.wide(view, 0)
        operands = [_grouped(self._emission, wide), self._ones(view.dtype or DType.F32)]
        made = self._emission.call("grouped_conv2d", operands, (stride, 0, 1))
        made = self._emission.reshaped(made, (*wide.shape[:2], *made.shape[3:]))
        for dim, step in enumerate(steps, start=2):
            made = stepped(self._emission, made, dim, 0, -(-made.shape[dim] // step), step)
        return self._divided(made)

    def backward(self, gradient: View) -> View:
        """The gradient of the image."""
        stride, steps = self._strides()
        lengths = tuple(each.length + each.padding + each.after for each in self._pool.windows)
        shared = self._divided(gradient)
        for dim, (step, each) in enumerate(zip(steps, self._pool.windows, strict=True), start=2):
            shared = (
                spread(self._emission, shared, dim, 0, lengths[dim - 2] - each.kernel + 1, step) if step > 1 else shared
            )
        ones = self._ones(gradient.dtype or DType.F32)
        made = self._emission.call(
            "grouped_conv2d_input_backward", [_grouped(self._emission, shared), ones], (*lengths, stride, 0, 1)
        )
        return self._pool.narrow(self._emission.reshaped(made, (*gradient.shape[:2], *lengths)))


def _grouped(emission: Emission, view: View) -> View:
    """The view with every channel as a group of its own."""
    return emission.reshaped(view, (*view.shape[:2], 1, *view.shape[2:]))


def _avg_pool(emission: Emission, call: AtenCall) -> View:
    view = call.view(0)
    space = _side_by_side(call, view.shape, 1)
    if space is not None:
        return emission.call("adaptive_avg_pool2d", [view], space)
    return _Average(emission, call, view.shape, call.shape, 1).forward(view)


def _avg_pool_backward(emission: Emission, call: AtenCall) -> View:
    gradient, view = call.view(0), call.view(1)
    if _side_by_side(call, view.shape, 2) is not None:
        return emission.call("adaptive_avg_pool2d_backward", [gradient], view.shape[2:])
    return _Average(emission, call, view.shape, gradient.shape, 2).backward(gradient)


def _side_by_side(call: AtenCall, shape: Shape, first: int) -> Shape | None:
    """Return height and width of an adaptive average whose windows tile the image, else None."""
    kernel = _pair(call, first, (1, 1))
    stride, padding = _pair(call, first + 1, kernel), _pair(call, first + 2, (0, 0))
    whole = len(shape) == 4 and all(length % part == 0 for length, part in zip(shape[2:], kernel, strict=True))
    if kernel != stride or any(padding) or call.argument(first + 5) is not None or not whole:
        return None
    return shape[2] // kernel[0], shape[3] // kernel[1]


def _adaptive(emission: Emission, call: AtenCall) -> View:
    view = call.view(0)
    if len(view.shape) != 4:
        raise call.refused("images without a batch dimension are not supported; add one with unsqueeze(0)")
    return emission.call("adaptive_avg_pool2d", [view], call.shape[2:])


def _adaptive_backward(emission: Emission, call: AtenCall) -> View:
    return emission.call("adaptive_avg_pool2d_backward", [call.view(0)], call.view(1).shape[2:])


POOLING: Mapping[str, Handler] = {
    "max_pool2d_with_indices": _max_pool,
    "max_pool2d_with_indices_backward": _max_pool_backward,
    "avg_pool2d": _avg_pool,
    "avg_pool2d_backward": _avg_pool_backward,
    "_adaptive_avg_pool2d": _adaptive,
    "_adaptive_avg_pool2d_backward": _adaptive_backward,
}
