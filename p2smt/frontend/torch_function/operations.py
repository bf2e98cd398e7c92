"""Effects of tensor operations on the payload."""

from collections.abc import Callable, Sequence
from typing import Any  # Any: torch's values

import torch

from p2smt.frontend.torch_function.arithmetic import add, copy, negate, scale, scaled, tensors_in, zero
from p2smt.frontend.torch_function.events import CopyEvent, DivideEvent
from p2smt.frontend.torch_function.recorder import Recorder, TraceError

EACH = "_foreach_"
"""The prefix of the names of operations on lists."""

MOVES = ("flip", "roll", "index_select", "index", "repeat")
"""Operations that move elements without reading their values."""

SOURCELESS = ("zeros", "zeros_like", "new_zeros", "empty", "empty_like", "new_empty", "empty_strided")
"""Operations that create tensors, filled with zeros or uninitialised."""

Operation = Callable[[Recorder, Any, Any, Any], None]
"""A handler: a function of recorder, arguments, keyword arguments and result."""


def _clone(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    copy(recorder, args[0], result)


def _copy_(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    copy(recorder, args[1], args[0])


def _empty(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    recorder.spans(result)


def _zeros(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    zero(recorder, result)


def _fill_(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    if len(args) < 2 or args[1] == 0:
        zero(recorder, args[0])
    elif recorder.known(args[0]):
        raise TraceError(f"the payload is filled with {args[1]}; only zeros are supported")


def _plus(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    """Record `add` or `add_`; the result is new or the first argument."""
    one, other = args[0], args[1]
    if not any(map(recorder.known, tensors_in((one, other)))):
        return
    if not isinstance(other, torch.Tensor) and other != 0:
        raise TraceError("a number is added to the payload; only sums and differences of its parts are supported")
    if result is not one:
        copy(recorder, one, result)
    if isinstance(other, torch.Tensor):
        add(recorder, scaled(recorder, other, float(kwargs.get("alpha", 1))), result)


def _minus(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    """Record `sub` or `sub_`."""
    _plus(recorder, args, {**kwargs, "alpha": -kwargs.get("alpha", 1)}, result)


def _from(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    """Record `rsub`: the second argument minus a multiple of the first."""
    one, other = args[0], args[1]
    times = -float(args[2] if len(args) > 2 else kwargs.get("alpha", 1))
    if not any(map(recorder.known, tensors_in((one, other)))):
        return
    if isinstance(other, torch.Tensor):
        copy(recorder, other, result)
        add(recorder, scaled(recorder, one, times), result)
    elif other == 0:
        copy(recorder, one, result)
        scale(recorder, result, times)
    else:
        raise TraceError(
            "the payload is subtracted from a number; only sums and differences of its parts are supported"
        )


def _negative(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    """Record `neg` or `neg_`."""
    if recorder.known(args[0]):
        if result is not args[0]:
            copy(recorder, args[0], result)
        negate(recorder, result)


def _lerp(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    """Record `lerp` or `lerp_` with a number as weight."""
    one, other, weight = args
    if not any(map(recorder.known, (one, other))):
        return
    if isinstance(weight, torch.Tensor):
        raise TraceError("lerp with a tensor as the weight; only a number is supported")
    way = scaled(recorder, other, float(weight))
    if result is not one:
        copy(recorder, one, result)
    scale(recorder, result, 1 - float(weight))
    add(recorder, way, result)


def _over(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    """Record `div` or `div_` by a number."""
    number = _number(recorder, args)
    if number is None:
        return
    if kwargs.get("rounding_mode") is not None:
        _floored(recorder, args, kwargs, result)
        return
    if result is not args[0]:
        copy(recorder, args[0], result)
    if not number:
        raise TraceError("the payload is divided by 0; divide it by a number other than 0")
    scale(recorder, result, 1 / number)


def _floored(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    """Record `floor_divide` or `floor_divide_` of integers."""
    number = _number(recorder, args)
    if number is None:
        return
    if result.is_floating_point() or number != round(number) or number < 1:
        raise TraceError(
            f"the payload is divided by {number} and rounded; only integers divided by whole numbers are supported"
        )
    if result is not args[0]:
        copy(recorder, args[0], result)
    for span in recorder.spans(result):
        recorder.add(DivideEvent(span, round(number)))


def _times(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    """Record `mul` or `mul_` by a number."""
    number = _number(recorder, args)
    if number is None:
        return
    if result is not args[0]:
        copy(recorder, args[0], result)
    scale(recorder, result, number)


def _number(recorder: Recorder, args: Any) -> float | None:
    """The factor or divisor of the payload; None if the operand is not the payload."""
    if not any(map(recorder.known, tensors_in(args))):
        return None
    if not isinstance(args[0], torch.Tensor) or not recorder.known(args[0]):
        raise TraceError("a number is multiplied by the payload or divided by it; write the payload first")
    if isinstance(args[1], torch.Tensor) and (recorder.known(args[1]) or args[1].numel() != 1):
        raise TraceError("the payload is multiplied by a tensor; only multiplication by numbers is supported")
    return float(args[1])


def each(one: Operation, recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    """Record an operation on lists (`_foreach_...`) as one on each of their members."""
    if kwargs.get("out") is not None:
        raise TraceError("an operation on lists writes into other lists, which is not supported; drop out=")
    for place, tensor in enumerate(args[0]):
        row = [arg[place] if isinstance(arg, list | tuple) else arg for arg in args]
        one(recorder, row, kwargs, tensor if result is None else result[place])


def move(func: Any, recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    """Record an operation that moves elements without reading them; it is traced on their positions."""
    source = args[0]
    if any(map(recorder.known, tensors_in((args[1:], kwargs)))):
        raise TraceError("values of the payload are used as indices; compute indices from ranks and sizes")
    numbers = torch.arange(source.numel()).view(source.shape)
    moved = iter(func(numbers, *args[1:], **kwargs).reshape(-1).tolist())
    at = [(buffer, start + i) for buffer, start, length in recorder.spans(source) for i in range(length)]
    for buffer, first, length in recorder.spans(result):
        for i in range(length):
            recorder.add(CopyEvent((*at[next(moved)], 1), (buffer, first + i, 1)))


def _pad(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    """Record `constant_pad_nd`: widths before and after, last dimension first; negative widths crop."""
    source, widths, value = args[0], args[1], (args[2] if len(args) > 2 else kwargs.get("value", 0))
    if not recorder.known(source):
        return
    if value != 0:
        raise TraceError(f"the payload is padded with {value}; only zeros are supported")
    # Both are narrowed to the elements that they have in common; the rest of the result stays zero.
    zero(recorder, result)
    target = result
    for place in range(len(widths) // 2):
        dimension, front, behind = source.dim() - 1 - place, widths[2 * place], widths[2 * place + 1]
        target = target.narrow(dimension, max(front, 0), target.shape[dimension] - max(front, 0) - max(behind, 0))
        source = source.narrow(dimension, max(-front, 0), source.shape[dimension] + min(front, 0) + min(behind, 0))
    copy(recorder, source, target)


def _cat(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    dimension = args[1] if len(args) > 1 else kwargs.get("dim", 0)
    parts: Sequence[torch.Tensor] = args[0]
    if any(map(recorder.known, parts)):
        places = result.split([part.shape[dimension] for part in parts], dimension)
        for part, place in zip(parts, places, strict=True):
            copy(recorder, part, place)


def _stack(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    dimension = args[1] if len(args) > 1 else kwargs.get("dim", 0)
    if any(map(recorder.known, args[0])):
        for part, place in zip(args[0], result.unbind(dimension), strict=True):
            copy(recorder, part, place)


def _sum(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    dimensions = args[1] if len(args) > 1 else None
    if not recorder.known(args[0]):
        return
    if not dimensions or len(dimensions) != 1:
        raise TraceError("a sum over all elements of the payload; only sums along one dimension are supported")
    first, *rest = args[0].unbind(dimensions[0])
    copy(recorder, first, result.view(first.shape))
    for part in rest:
        add(recorder, part, result.view(first.shape))


def _mean(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    if recorder.known(args[0]):
        _sum(recorder, args, kwargs, result)
        scale(recorder, result, 1 / args[0].shape[args[1][0]])


OPERATIONS: dict[str, Operation] = {
    "clone": _clone,
    "_to_copy": _clone,
    "copy_": _copy_,
    "empty": _empty,
    "empty_like": _empty,
    "empty_strided": _empty,
    "new_empty": _empty,
    "new_empty_strided": _empty,
    "zeros": _zeros,
    "zeros_like": _zeros,
    "new_zeros": _zeros,
    "zero_": _fill_,
    "fill_": _fill_,
    "add": _plus,
    "add_": _plus,
    "sub": _minus,
    "sub_": _minus,
    "rsub": _from,
    "neg": _negative,
    "neg_": _negative,
    "div": _over,
    "div_": _over,
    "floor_divide": _floored,
    "floor_divide_": _floored,
    "mul": _times,
    "mul_": _times,
    "cat": _cat,
    "stack": _stack,
    "sum": _sum,
    "mean": _mean,
    "lerp": _lerp,
    "lerp_": _lerp,
    "constant_pad_nd": _pad,
}
