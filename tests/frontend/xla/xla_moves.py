"""Instructions that move or scale data, some of them by the number of the device: in both spellings, and in numpy."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np


@dataclass
class Move:
    """Value `name` of shape `dims` from the values `of`; what stands behind the name in both texts, and what it is."""

    name: str
    kind: str
    of: tuple[str, ...]
    dims: tuple[int, ...]
    hlo: str
    mlir: str
    value: Callable[..., np.ndarray]
    element: str = "s64"

    @property
    def mlir_type(self) -> str:
        """The type of the value."""
        return mlir_type(self.dims, self.element)


def mlir_type(dims, element="s64"):
    """A type as StableHLO writes it."""
    kind = {"s64": "i64", "u32": "ui32", "pred": "i1"}[element]
    return "tensor<" + "".join(f"{size}x" for size in dims) + kind + ">"


def moves(rng, one, dims, fresh):
    """Instructions from value `one` of these dimensions to the last of the list, which has them too."""
    kind = rng.choice([_reversed, _rotated, _shifted, _turned, _own, _masked, _scaled])
    return kind(rng, one, dims, fresh)


def _reversed(rng, one, dims, fresh):
    axis = rng.randrange(len(dims))
    return [
        Move(
            fresh(),
            "reverse",
            (one,),
            dims,
            f"reverse(%{one}), dimensions={{{axis}}}",
            f"stablehlo.reverse %{one}, dims = [{axis}] : {mlir_type(dims)}",
            lambda x: np.flip(x, axis + 1),
        )
    ]


def _cut(name, one, dims, axis, start, limit):
    ranges = [f"[{start}:{limit}]" if place == axis else f"[0:{size}]" for place, size in enumerate(dims)]
    plain = [text.strip("[]") for text in ranges]
    new = (*dims[:axis], limit - start, *dims[axis + 1 :])
    return Move(
        name,
        "slice",
        (one,),
        new,
        f"slice(%{one}), slice={{{', '.join(ranges)}}}",
        f"stablehlo.slice %{one} [{', '.join(plain)}] : ({mlir_type(dims)}) -> {mlir_type(new)}",
        lambda x: np.take(x, range(start, limit), axis + 1),
    )


def _rotated(rng, one, dims, fresh):
    axis = max(range(len(dims)), key=lambda place: dims[place])
    if dims[axis] < 2:
        return _scaled(rng, one, dims, fresh)
    at = rng.randint(1, dims[axis] - 1)
    first, second = _cut(fresh(), one, dims, axis, 0, at), _cut(fresh(), one, dims, axis, at, dims[axis])
    types = f"({mlir_type(second.dims)}, {mlir_type(first.dims)}) -> {mlir_type(dims)}"
    return [
        first,
        second,
        Move(
            fresh(),
            "concatenate",
            (second.name, first.name),
            dims,
            f"concatenate(%{second.name}, %{first.name}), dimensions={{{axis}}}",
            f"stablehlo.concatenate %{second.name}, %{first.name}, dim = {axis} : {types}",
            lambda x, y: np.concatenate([x, y], axis + 1),
        ),
    ]


def _number(fresh, value, element="s64"):
    return Move(
        fresh(),
        "constant",
        (),
        (),
        f"constant({value})",
        f"stablehlo.constant dense<{value}> : {mlir_type((), element)}",
        lambda: np.int64(value),
        element,
    )


def _shifted(rng, one, dims, fresh):
    """Zeros come in along several dimensions, and what is behind is cut off."""
    by = [rng.choice([0, 1, 2]) for _ in dims]
    zero = _number(fresh, 0)
    wide = tuple(size + n for size, n in zip(dims, by, strict=True))
    pad = Move(
        fresh(),
        "pad",
        (one, zero.name),
        wide,
        f"pad(%{one}, %{zero.name}), padding={'x'.join(f'{n}_0' for n in by)}",
        f"stablehlo.pad %{one}, %{zero.name}, low = {by}, high = {[0] * len(by)}, interior = {[0] * len(by)} : "
        f"({mlir_type(dims)}, tensor<i64>) -> {mlir_type(wide)}",
        lambda x, _: np.pad(x, [(0, 0), *((n, 0) for n in by)]),
    )
    ranges = ", ".join(f"[0:{size}]" for size in dims)
    plain = ", ".join(f"0:{size}" for size in dims)
    cut = Move(
        fresh(),
        "slice",
        (pad.name,),
        dims,
        f"slice(%{pad.name}), slice={{{ranges}}}",
        f"stablehlo.slice %{pad.name} [{plain}] : ({mlir_type(wide)}) -> {mlir_type(dims)}",
        lambda x: x[(slice(None), *(slice(size) for size in dims))],
    )
    return [zero, pad, cut]


def _turned(rng, one, dims, fresh):
    """Dimensions in another order, read as if they were in their own."""
    order = rng.sample(range(len(dims)), len(dims))
    new = tuple(dims[axis] for axis in order)
    turn = Move(
        fresh(),
        "transpose",
        (one,),
        new,
        f"transpose(%{one}), dimensions={{{','.join(map(str, order))}}}",
        f"stablehlo.transpose %{one}, dims = {order} : ({mlir_type(dims)}) -> {mlir_type(new)}",
        lambda x: x.transpose([0, *(axis + 1 for axis in order)]),
    )
    back = Move(
        fresh(),
        "reshape",
        (turn.name,),
        dims,
        f"reshape(%{turn.name})",
        f"stablehlo.reshape %{turn.name} : ({mlir_type(new)}) -> {mlir_type(dims)}",
        lambda x: x.reshape(len(x), *dims),
    )
    return [turn, back]


def _me(fresh):
    """The number of the device."""
    own = Move(
        fresh(), "replica-id", (), (), "replica-id()", "stablehlo.replica_id : tensor<ui32>", lambda: None, "u32"
    )
    return [
        own,
        Move(
            fresh(),
            "convert",
            (own.name,),
            (),
            f"convert(%{own.name})",
            f"stablehlo.convert %{own.name} : (tensor<ui32>) -> tensor<i64>",
            lambda x: x,
        ),
    ]


def _own(rng, one, dims, fresh):
    """A part whose place is the device's number, put elsewhere into the whole."""
    axis = rng.randrange(len(dims))
    part = tuple(1 if place == axis else size for place, size in enumerate(dims))
    me, zero, at = _me(fresh), _number(fresh, 0), _number(fresh, rng.randrange(dims[axis]))
    first = ", ".join(f"%{me[-1].name if place == axis else zero.name}" for place in range(len(dims)))
    then = ", ".join(f"%{at.name if place == axis else zero.name}" for place in range(len(dims)))
    there = int(at.value())
    indices = ", ".join(["tensor<i64>"] * len(dims))

    def own_part(x, me):
        return np.stack([np.take(own, [min(int(n), dims[axis] - 1)], axis) for own, n in zip(x, me, strict=True)])

    def put(x, y):
        found = x.copy()
        found[(slice(None),) * (axis + 1) + (slice(there, there + 1),)] = y
        return found

    cut = Move(
        fresh(),
        "dynamic-slice",
        (one, me[-1].name),
        part,
        f"dynamic-slice(%{one}, {first}), dynamic_slice_sizes={{{','.join(map(str, part))}}}",
        f"stablehlo.dynamic_slice %{one}, {first}, sizes = {list(part)} : ({mlir_type(dims)}, {indices}) -> "
        f"{mlir_type(part)}",
        own_part,
    )
    return [
        *me,
        zero,
        at,
        cut,
        Move(
            fresh(),
            "dynamic-update-slice",
            (one, cut.name),
            dims,
            f"dynamic-update-slice(%{one}, %{cut.name}, {then})",
            f"stablehlo.dynamic_update_slice %{one}, %{cut.name}, {then} : ({mlir_type(dims)}, {mlir_type(part)}, "
            f"{indices}) -> {mlir_type(dims)}",
            put,
        ),
    ]


def _masked(rng, one, dims, fresh):
    """Some devices have zeros instead."""
    me, least, zero = _me(fresh), _number(fresh, rng.randrange(6)), _number(fresh, 0)
    less = Move(
        fresh(),
        "compare",
        (me[-1].name, least.name),
        (),
        f"compare(%{me[-1].name}, %{least.name}), direction=LT",
        f"stablehlo.compare LT, %{me[-1].name}, %{least.name}, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>",
        lambda x, y: x < y,
        "pred",
    )
    zeros = Move(
        fresh(),
        "broadcast",
        (zero.name,),
        dims,
        f"broadcast(%{zero.name}), dimensions={{}}",
        f"stablehlo.broadcast_in_dim %{zero.name}, dims = [] : (tensor<i64>) -> {mlir_type(dims)}",
        lambda _: np.zeros((1, *dims), np.int64),
    )
    wide = Move(
        fresh(),
        "broadcast",
        (less.name,),
        dims,
        f"broadcast(%{less.name}), dimensions={{}}",
        f"stablehlo.broadcast_in_dim %{less.name}, dims = [] : (tensor<i1>) -> {mlir_type(dims, 'pred')}",
        lambda x: np.broadcast_to(x.reshape(-1, *[1] * len(dims)), (len(x), *dims)),
        "pred",
    )
    return [
        *me,
        least,
        zero,
        less,
        zeros,
        wide,
        Move(
            fresh(),
            "select",
            (wide.name, one, zeros.name),
            dims,
            f"select(%{wide.name}, %{one}, %{zeros.name})",
            f"stablehlo.select %{wide.name}, %{one}, %{zeros.name} : {wide.mlir_type}, {mlir_type(dims)}",
            np.where,
        ),
    ]


def _scaled(rng, one, dims, fresh):
    factor = _number(fresh, rng.choice([0, 1, 2, 3, 7]))
    by = int(factor.value())
    wide = Move(
        fresh(),
        "broadcast",
        (factor.name,),
        dims,
        f"broadcast(%{factor.name}), dimensions={{}}",
        f"stablehlo.broadcast_in_dim %{factor.name}, dims = [] : (tensor<i64>) -> {mlir_type(dims)}",
        lambda _: np.full((1, *dims), by),
    )
    return [
        factor,
        wide,
        Move(
            fresh(),
            "multiply",
            (one, wide.name),
            dims,
            f"multiply(%{one}, %{wide.name})",
            f"stablehlo.multiply %{one}, %{wide.name} : {mlir_type(dims)}",
            lambda x, y: x * y,
        ),
    ]
