"""Resampling of images: along every dimension a product with a matrix of weights.

Row i of the matrix holds the weights of the input elements that contribute to output element i: one (nearest),
two (linear), four (cubic), or all within a support that grows with the scale (antialiased). Nearest upsampling by
an integer factor repeats elements instead. Formulas and constants: PyTorch, `aten/src/ATen/native/UpSample.h`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from math import floor

import numpy as np
import numpy.typing as npt

from p2smt.frontend.torch_graph.aten_call import AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.lowering.constants import constant
from p2smt.frontend.torch_graph.view import View, with_one
from p2smt.tensor.dtype import DType

_Matrix = npt.NDArray[np.float64]
_NAMES = "abcdefgh"


@dataclass(frozen=True, slots=True)
class _Scale:
    """The lengths before and after, the align_corners flag, and the requested scale factor."""

    before: int
    after: int
    corners: bool
    factor: float | None

    @property
    def ratio(self) -> float:
        """Return the distance between neighbouring results, in input pixels."""
        if self.corners:
            return (self.before - 1) / (self.after - 1) if self.after > 1 else 0.0
        return 1 / self.factor if self.factor else self.before / self.after

    def source(self, index: int) -> float:
        """Return the input position of a result's element, in pixels."""
        return index * self.ratio if self.corners else ((index + 0.5) * self.ratio) - 0.5


def _nearest(exact: bool, scale: _Scale) -> _Matrix:
    matrix = np.zeros((scale.after, scale.before))
    ratio = np.float32(scale.ratio)
    for index in range(scale.after):
        place = np.float32(index + (0.5 if exact else 0.0)) * ratio
        matrix[index, min(int(place), scale.before - 1)] = 1
    return matrix


def _linear(scale: _Scale) -> _Matrix:
    matrix = np.zeros((scale.after, scale.before))
    for index in range(scale.after):
        place = max(0.0, scale.source(index))
        # Outside of the first and last pixel's centre, both neighbours are that pixel.
        low = min(int(place), scale.before - 1)
        high = min(low + 1, scale.before - 1)
        share = min(max(place - low, 0.0), 1.0)
        matrix[index, low] += 1 - share
        matrix[index, high] += share
    return matrix


def _cubic_weight(distance: float, sharpness: float) -> float:
    x, a = abs(distance), sharpness
    if x < 1:
        return (((a + 2) * x - (a + 3)) * x * x) + 1
    return ((((x - 5) * x) + 8) * x - 4) * a if x < 2 else 0.0


def _cubic(scale: _Scale) -> _Matrix:
    matrix = np.zeros((scale.after, scale.before))
    for index in range(scale.after):
        place = scale.source(index)
        low = floor(place)
        for at in range(low - 1, low + 3):
            matrix[index, min(max(at, 0), scale.before - 1)] += _cubic_weight(place - at, -0.75)
    return matrix


def _smooth(width: int, filtered: Callable[[float], float], scale: _Scale) -> _Matrix:
    matrix = np.zeros((scale.after, scale.before))
    ratio = scale.ratio
    # Downsampling widens the filter by the ratio, so that every input pixel counts (antialiasing).
    support = (width / 2) * max(1.0, ratio)
    narrower = 1 / max(1.0, ratio)
    for index in range(scale.after):
        centre = ratio * (index + 0.5)
        first = max(int(centre - support + 0.5), 0)
        last = min(int(centre + support + 0.5), scale.before)
        weights = np.array([filtered((at - centre + 0.5) * narrower) for at in range(first, last)])
        matrix[index, first:last] = weights / weights.sum()
    return matrix


def _triangle(x: float) -> float:
    return max(0.0, 1 - abs(x))


def _antialiased_cubic(x: float) -> float:
    return _cubic_weight(x, -0.5)


def _repeated(emission: Emission, view: View, dim: int, times: int) -> View:
    shape = view.shape
    wide = with_one(emission.whole(view), dim + 1).repeated((*shape[: dim + 1], times, *shape[dim + 1 :]))
    return emission.reshaped(wide, (*shape[:dim], shape[dim] * times, *shape[dim + 1 :]))


def _added(emission: Emission, view: View, dim: int, times: int) -> View:
    shape = view.shape
    split = emission.reshaped(view, (*shape[:dim], shape[dim] // times, times, *shape[dim + 1 :]))
    return emission.reduced("sum", split, (dim + 1,), False)


def _resampled(matrix_of: Callable[[_Scale], _Matrix], space: int, corners: bool, backward: bool) -> Handler:
    def lowered(emission: Emission, call: AtenCall) -> View:
        view = call.view(0)
        before, after = (call.wholes(2)[2:], call.wholes(1)) if backward else (view.shape[2:], call.shape[2:])
        first = (3 if backward else 2) + corners
        kept = corners and bool(call.argument(first - 1))
        vector = call.overload == "vec"
        for dim in range(space):
            factor = None if vector else call.argument(first + dim)
            scale = _Scale(before[dim], after[dim], kept, factor if isinstance(factor, float) else None)
            view = _along(emission, call, view, dim + 2, scale, matrix_of, backward)
        return view

    return lowered


def _along(
    emission: Emission,
    call: AtenCall,
    view: View,
    dim: int,
    scale: _Scale,
    matrix_of: Callable[[_Scale], _Matrix],
    backward: bool,
) -> View:
    matrix = matrix_of(scale)
    if scale.before == scale.after and np.array_equal(matrix, np.eye(scale.before)):
        return view
    # Nearest neighbour with an integer factor repeats elements: a view, without a product.
    times = scale.after // scale.before
    if scale.after % scale.before == 0 and np.array_equal(matrix, np.repeat(np.eye(scale.before), times, 0)):
        return (_added if backward else _repeated)(emission, view, dim, times)
    weights = constant(emission, call, matrix.T if backward else matrix, view.dtype or DType.F32)
    labels = list(_NAMES[: len(view.shape)])
    result = [*labels[:dim], "z", *labels[dim + 1 :]]
    return emission.contracted([view, weights], [labels, ["z", labels[dim]]], result)


_KINDS: Mapping[str, tuple[Callable[[_Scale], _Matrix], int, bool]] = {
    **{f"upsample_nearest{space}d": (partial(_nearest, False), space, False) for space in (1, 2, 3)},
    **{f"_upsample_nearest_exact{space}d": (partial(_nearest, True), space, False) for space in (1, 2, 3)},
    "upsample_linear1d": (_linear, 1, True),
    "upsample_bilinear2d": (_linear, 2, True),
    "upsample_trilinear3d": (_linear, 3, True),
    "upsample_bicubic2d": (_cubic, 2, True),
    "_upsample_bilinear2d_aa": (partial(_smooth, 2, _triangle), 2, True),
    "_upsample_bicubic2d_aa": (partial(_smooth, 4, _antialiased_cubic), 2, True),
}
RESAMPLING: Mapping[str, Handler] = {
    f"{name}{suffix}": _resampled(*kind, backward=bool(suffix))
    for name, kind in _KINDS.items()
    for suffix in ("", "_backward")
}
