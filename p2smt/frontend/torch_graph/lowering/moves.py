"""Operations that move elements: deferred in views if they join or permute dimensions, statements otherwise."""

from collections.abc import Mapping, Sequence
from math import prod

from p2smt.frontend.torch_graph.aten_call import AtenCall, Handler
from p2smt.frontend.torch_graph.emission import Emission
from p2smt.frontend.torch_graph.view import View, permuted, with_one
from p2smt.tensor.expression import Call, Number


def _same(emission: Emission, call: AtenCall) -> View:
    return call.view(0)


def _view(emission: Emission, call: AtenCall) -> View:
    return emission.reshaped(call.view(0), call.shape)


def _swapped(emission: Emission, call: AtenCall) -> View:
    view = call.view(0)
    rank = len(view.shape)
    order = list(range(rank))
    if call.node.operation.startswith("aten.t."):
        first, second = (0, 1) if rank == 2 else (0, 0)
    else:
        first, second = call.dim(1, rank), call.dim(2, rank)
    if order:
        order[first], order[second] = order[second], order[first]
    return permuted(view, tuple(order))


def _permute(emission: Emission, call: AtenCall) -> View:
    view = call.view(0)
    return permuted(view, call.dims(1, len(view.shape)))


def _expand(emission: Emission, call: AtenCall) -> View:
    return call.view(0).repeated(call.shape)


def _unsqueeze(emission: Emission, call: AtenCall) -> View:
    view = call.view(0)
    return with_one(view, call.dim(1, len(view.shape) + 1))


def sliced(emission: Emission, view: View, dim: int, start: int, stop: int) -> View:
    """Return the slice start <= i < stop of a dimension; one without elements is a placeholder."""
    if (start, stop) == (0, view.shape[dim]):
        return view
    if start == stop:
        return View(Number(0), (), (), view.dtype).repeated((*view.shape[:dim], 0, *view.shape[dim + 1 :]))
    position = dim - (len(view.shape) - len(view.groups))
    if position < 0 or (view.packed[position] == 1 and view.shape[dim] > 1):
        shape = (*view.shape[:dim], stop - start, *view.shape[dim + 1 :])
        return view.repeated(shape)
    if len(view.groups[position]) != 1:
        view = emission.whole(view)
        position = dim
    (at,) = view.groups[position]
    sizes = (*view.sizes[:at], stop - start, *view.sizes[at + 1 :])
    made = emission.statement(Call("slice", (view.expression,), (at, start, stop)), view.dtype, sizes, view.groups)
    return made.repeated((*view.shape[:dim], stop - start, *view.shape[dim + 1 :]))


def selected(emission: Emission, view: View, dim: int, index: int) -> View:
    """Return the view at one index of a dimension, which is removed."""
    if len(view.groups) < len(view.shape) or len(view.groups[dim]) != 1 or len(view.sizes) < 2:
        made = sliced(emission, view, dim, index, index + 1)
        return emission.reshaped(made, (*view.shape[:dim], *view.shape[dim + 1 :]))
    (at,) = view.groups[dim]
    sizes = (*view.sizes[:at], *view.sizes[at + 1 :])
    left = (*view.groups[:dim], *view.groups[dim + 1 :])
    groups = tuple(tuple(number - (number > at) for number in group) for group in left)
    part = Call("slice", (view.expression,), (at, index, index + 1)) if view.sizes[at] > 1 else view.expression
    made = emission.statement(Call("reshape", (part,), (sizes,)), view.dtype, sizes, groups)
    return made.repeated((*view.shape[:dim], *view.shape[dim + 1 :]))


def _unbind(emission: Emission, call: AtenCall) -> list[View]:
    view = call.view(0)
    dim = call.dim(1, len(view.shape), default=0)
    return [selected(emission, view, dim, index) for index in range(view.shape[dim])]


def _split(emission: Emission, call: AtenCall) -> list[View]:
    view = call.view(0)
    dim = call.dim(2, len(view.shape), default=0)
    lengths = [call.shape_of(result)[dim] for result in range(len(call.node.results))]
    starts = [sum(lengths[:position]) for position in range(len(lengths))]
    return [sliced(emission, view, dim, at, at + length) for at, length in zip(starts, lengths, strict=True)]


def padded(emission: Emission, view: View, dim: int, before: int, after: int) -> View:
    """The view with zeros before and after along a dimension."""
    if not before and not after:
        return view
    return emission.call("pad", [view], (dim, before, after))


def joined_along(emission: Emission, views: list[View], dim: int) -> View:
    """Tensors concatenated along a dimension."""
    return views[0] if len(views) == 1 else emission.call("cat", views, (dim,))


def _cat(emission: Emission, call: AtenCall) -> View:
    views = [view for view in call.views(0) if 0 not in view.shape]
    return joined_along(emission, views, call.dim(1, len(call.shape), default=0))


def _stack(emission: Emission, call: AtenCall) -> View:
    dim = call.dim(1, len(call.shape), default=0)
    return joined_along(emission, [with_one(view, dim) for view in call.views(0)], dim)


def _repeat(emission: Emission, call: AtenCall) -> View:
    view, times = call.view(0), call.wholes(1)
    shape = (1,) * (len(times) - len(view.shape)) + view.shape
    between = tuple(length for each in shape for length in (1, each))
    wide = emission.reshaped(emission.whole(view), between)
    full = tuple(length for pair in zip(times, shape, strict=True) for length in pair)
    return emission.reshaped(wide.repeated(full), tuple(map(prod, zip(times, shape, strict=True))))


def _roll(emission: Emission, call: AtenCall) -> View:
    view = call.view(0)
    if not call.wholes(2):  # as one row
        row = emission.reshaped(view, (prod(view.shape),))
        return emission.reshaped(_rolled(emission, row, call.wholes(1), (0,)), view.shape)
    return _rolled(emission, view, call.wholes(1), call.dims(2, len(view.shape)))


def _rolled(emission: Emission, view: View, shifts: Sequence[int], dims: Sequence[int]) -> View:
    for shift, dim in zip(shifts, dims, strict=True):
        cut = (-shift) % view.shape[dim]
        if cut:
            parts = [sliced(emission, view, dim, cut, view.shape[dim]), sliced(emission, view, dim, 0, cut)]
            view = joined_along(emission, parts, dim)
    return view


def _flip(emission: Emission, call: AtenCall) -> View:
    view = call.view(0)
    for dim in call.dims(1, len(view.shape)):
        view = emission.call("flip", [view], (dim,))
    return view


def _pixel_shuffle(emission: Emission, call: AtenCall) -> View:
    view, factor = call.view(0), call.whole(1)
    *lead, channels, height, width = view.shape
    split = emission.reshaped(view, (prod(lead), channels // factor**2, factor, factor, height, width))
    return emission.reshaped(permuted(split, (0, 1, 4, 2, 5, 3)), call.shape)


def _pixel_unshuffle(emission: Emission, call: AtenCall) -> View:
    view, factor = call.view(0), call.whole(1)
    *lead, channels, height, width = view.shape
    split = emission.reshaped(view, (prod(lead), channels, height // factor, factor, width // factor, factor))
    return emission.reshaped(permuted(split, (0, 1, 3, 5, 2, 4)), call.shape)


def _channel_shuffle(emission: Emission, call: AtenCall) -> View:
    view, groups = call.view(0), call.whole(1)
    first, channels, *space = view.shape
    split = emission.reshaped(view, (first, groups, channels // groups, prod(space)))
    return emission.reshaped(permuted(split, (0, 2, 1, 3)), call.shape)


MOVES: Mapping[str, Handler] = {
    **dict.fromkeys(("detach", "alias", "clone", "lift_fresh_copy", "contiguous", "lift_fresh", "view_as"), _same),
    **dict.fromkeys(("view", "_unsafe_view", "reshape", "squeeze", "flatten", "unflatten", "_reshape_alias"), _view),
    "t": _swapped,
    "transpose": _swapped,
    "permute": _permute,
    "expand": _expand,
    "unsqueeze": _unsqueeze,
    "unbind": _unbind,
    "split": _split,
    "split_with_sizes": _split,
    "unsafe_split": _split,
    "pixel_shuffle": _pixel_shuffle,
    "pixel_unshuffle": _pixel_unshuffle,
    "channel_shuffle": _channel_shuffle,
    "cat": _cat,
    "stack": _stack,
    "repeat": _repeat,
    "roll": _roll,
    "flip": _flip,
}
