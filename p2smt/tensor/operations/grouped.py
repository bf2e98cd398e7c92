"""Grouped convolutions: group g of the result depends on group g of the input only.

Images have dimensions n g c h w, kernels g o c kh kw. Groups are thus a parallel label and can be sliced, like the
channels of a depthwise convolution. Each operation is one convolution of `contract.py` per group.
"""

from collections.abc import Sequence

import numpy as np

from p2smt.problem.system.device_model import OperationKind
from p2smt.tensor.checks import positive, rank_is, same
from p2smt.tensor.frame import Attributes, Frame
from p2smt.tensor.operation import Array
from p2smt.tensor.operations.contract import (
    ADDED,
    SLIDING,
    SPACE,
    convolution,
    convolving,
    elements_of_kernel,
    padding_around,
    sliding,
    windows,
)
from p2smt.tensor.signature import LabelKind, ParallelLabel, Shape, Signature

_CHANNELS = 3
"""The number of dimensions before the spatial ones."""


def _checked(first: Shape, second: Shape) -> None:
    rank_is(first, _CHANNELS + 2, "the first operand of a convolution in groups")
    rank_is(second, _CHANNELS + 2, "its second operand")


def _forward(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    x, weight = shapes
    _checked(x, weight)
    space = windows(x[_CHANNELS:], weight[_CHANNELS:], attributes)
    kinds: dict[str, LabelKind] = {"n": ParallelLabel(), "g": ParallelLabel(), "o": ParallelLabel(), "c": ADDED}
    result = (*x[:2], weight[1], *space)
    return convolution(("n g c h w", "g o c kh kw"), "n g o oh ow", kinds, [x, weight, result])


def _input_backward(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    gradient, weight = shapes
    _checked(gradient, weight)
    space = positive(attributes[:2])
    same(windows(space, weight[_CHANNELS:], attributes), gradient[_CHANNELS:], "positions of the kernel and gradient")
    kinds: dict[str, LabelKind] = {"n": ParallelLabel(), "g": ParallelLabel(), "c": ParallelLabel(), "o": ADDED}
    result = (*gradient[:2], weight[2], *space)
    return convolution(("n g o oh ow", "g o c kh kw"), "n g c h w", kinds, [gradient, weight, result])


def _weight_backward(shapes: Sequence[Shape], attributes: Attributes) -> Signature:
    gradient, x = shapes
    _checked(gradient, x)
    kernel = positive(attributes[:2])
    same(windows(x[_CHANNELS:], kernel, attributes), gradient[_CHANNELS:], "positions of the kernel and gradient")
    kinds: dict[str, LabelKind] = {"g": ParallelLabel(), "o": ParallelLabel(), "c": ParallelLabel(), "n": ADDED}
    result = (gradient[1], gradient[2], x[2], *kernel)
    return convolution(("n g o oh ow", "n g c h w"), "g o c kh kw", kinds, [gradient, x, result])


def _conv2d(arrays: Sequence[Array], frame: Frame) -> Array:
    x, weight = arrays
    _, padding, _ = sliding(frame.attributes)
    result: Array = np.zeros(frame.shape, dtype=x.dtype)
    space = frame.shape[_CHANNELS:]
    for (i, j), patch in elements_of_kernel(padding_around(x, padding), weight.shape[_CHANNELS:], space, frame):
        result = result + np.einsum("ngchw,goc->ngohw", patch, weight[..., i, j])
    return result


def _conv2d_input(arrays: Sequence[Array], frame: Frame) -> Array:
    gradient, weight = arrays
    _, padding, _ = sliding(frame.attributes)
    height, width = frame.shape[_CHANNELS:]
    shape = (*gradient.shape[:2], weight.shape[2], height + (2 * padding), width + (2 * padding))
    result: Array = np.zeros(shape, dtype=gradient.dtype)
    space = gradient.shape[_CHANNELS:]
    for (i, j), patch in elements_of_kernel(result, weight.shape[_CHANNELS:], space, frame):
        patch[...] += np.einsum("ngohw,goc->ngchw", gradient, weight[..., i, j])
    return result[..., padding : padding + height, padding : padding + width]


def _conv2d_weight(arrays: Sequence[Array], frame: Frame) -> Array:
    gradient, x = arrays
    _, padding, _ = sliding(frame.attributes)
    result: Array = np.zeros((*gradient.shape[1:3], x.shape[2], *frame.shape[_CHANNELS:]), dtype=x.dtype)
    space = gradient.shape[_CHANNELS:]
    for (i, j), patch in elements_of_kernel(padding_around(x, padding), frame.shape[_CHANNELS:], space, frame):
        result[..., i, j] = np.einsum("ngohw,ngchw->goc", gradient, patch)
    return result


_CALL = "torch.nn.functional.conv2d"
GROUPED = (
    convolving(
        "grouped_conv2d",
        _forward,
        _conv2d,
        _CALL,
        SLIDING,
        "grouped_conv2d({0}, {1}, {stride}, {padding}, {dilation}, {shape})",
        OperationKind.CONVOLUTION,
    ),
    convolving(
        "grouped_conv2d_input_backward",
        _input_backward,
        _conv2d_input,
        _CALL,
        (*SPACE, *SLIDING),
        "grouped_conv2d_input({shape}, {1}, {0}, {stride}, {padding}, {dilation})",
        OperationKind.CONVOLUTION_INPUT,
    ),
    convolving(
        "grouped_conv2d_weight_backward",
        _weight_backward,
        _conv2d_weight,
        _CALL,
        (*SPACE, *SLIDING),
        "grouped_conv2d_weight({1}, {shape}, {0}, {stride}, {padding}, {dilation})",
        OperationKind.CONVOLUTION_WEIGHT,
    ),
)
