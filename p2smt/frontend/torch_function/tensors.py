"""What happens to tensors on a rank, seen below autograd, as copies, additions and divisions of parts of buffers."""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from p2smt.frontend.torch_function.events import Added, Copied, Divided, Span, Zeroed
from p2smt.frontend.torch_function.recorder import Recorder, Spans, TraceError


class TracingMode(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Runs every operation on the worthless data, and tells the recorder what it means for the payload."""

    def __init__(self, recorder: Recorder) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._recorder = recorder

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        result = func(*args, **(kwargs or {}))
        name = func.overloadpacket.__name__
        if name in OPERATIONS:
            OPERATIONS[name](self._recorder, args, kwargs or {}, result)
        elif any(self._recorder.known(tensor) for tensor in _tensors((args, kwargs))) and not _views(args, result):
            raise TraceError(f"{name} on the payload cannot be followed; sums, copies and divisions by a number can")
        return result


def _tensors(value: Any) -> list[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, list | tuple):
        return []
    return [tensor for inner in value for tensor in _tensors(inner)]


def _views(args: Any, result: Any) -> bool:
    """Whether the results are nothing but other looks at the first argument, and none was written."""
    outputs = _tensors(result)
    first = args[0].untyped_storage()._cdata if args and isinstance(args[0], torch.Tensor) else None
    return bool(outputs) and all(out is not args[0] and out.untyped_storage()._cdata == first for out in outputs)


def _pieces(one: Spans, other: Spans) -> list[tuple[Span, Span]]:
    """Two lists of spans of one length in all, cut so that they pair up."""
    found, (left, right) = [], (list(one)[::-1], list(other)[::-1])
    while left and right:
        (a, i, n), (b, j, m) = left.pop(), right.pop()
        length = min(n, m)
        found.append(((a, i, length), (b, j, length)))
        if n > length:
            left.append((a, i + length, n - length))
        if m > length:
            right.append((b, j + length, m - length))
    return found


def _copy(recorder: Recorder, source: torch.Tensor, target: torch.Tensor) -> None:
    if not recorder.known(source):
        if recorder.known(target):
            raise TraceError("values that do not come from the payload are written to it")
        return
    source = source.expand(target.shape) if source.shape != target.shape else source
    for one, other in _pieces(recorder.spans(source), recorder.spans(target)):
        recorder.add(Copied(one, other))


def _add(recorder: Recorder, source: torch.Tensor, target: torch.Tensor) -> None:
    if source.numel() != target.numel() or not recorder.known(source):
        raise TraceError("what is added to the payload is no part of it, or not as long")
    for one, other in _pieces(recorder.spans(source), recorder.spans(target)):
        recorder.add(Added(one, other))


def _zero(recorder: Recorder, target: torch.Tensor) -> None:
    for span in recorder.spans(target):
        recorder.add(Zeroed(span))


def _divide(recorder: Recorder, target: torch.Tensor, divisor: float) -> None:
    whole = round(divisor) if divisor else 0
    if whole < 1 or abs(divisor - whole) > 1e-6 * whole:
        raise TraceError(f"the payload is divided by {divisor}; only whole numbers are followed")
    for span in recorder.spans(target):
        recorder.add(Divided(span, whole))


def _clone(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    if result.dtype != args[0].dtype and recorder.known(args[0]):
        raise TraceError(f"the payload becomes {result.dtype}; its type has to stay")
    _copy(recorder, args[0], result)


def _copy_(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    _copy(recorder, args[1], args[0])


def _empty(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    recorder.spans(result)


def _zeros(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    _zero(recorder, result)


def _fill_(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    if len(args) < 2 or args[1] == 0:
        _zero(recorder, args[0])
    elif recorder.known(args[0]):
        raise TraceError(f"the payload is filled with {args[1]}; only zeros are followed")


def _plus(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    """`add` and `add_`: the result is new or the first argument."""
    one, other = args[0], args[1]
    if not any(map(recorder.known, _tensors((one, other)))):
        return
    if kwargs.get("alpha", 1) != 1 or (not isinstance(other, torch.Tensor) and other != 0):
        raise TraceError("a number is added to the payload, or a multiple; only sums of its parts are followed")
    if result is not one:
        _copy(recorder, one, result)
    if isinstance(other, torch.Tensor):
        _add(recorder, other, result)


def _over(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    """`div`, `div_`, `floor_divide`, `mul`, `mul_` with a number."""
    if not any(map(recorder.known, _tensors(args))):
        return
    if isinstance(args[1], torch.Tensor) and recorder.known(args[1]):
        raise TraceError("the payload is multiplied with itself; only sums are followed")
    if result is not args[0]:
        _copy(recorder, args[0], result)
    number = float(args[1])
    _divide(recorder, result, number)


def _times(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    number = args[1].item() if isinstance(args[1], torch.Tensor) and not recorder.known(args[1]) else args[1]
    inverse = number if isinstance(number, torch.Tensor) or not number else 1 / number
    _over(recorder, (args[0], inverse), kwargs, result)


def _cat(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    dimension = args[1] if len(args) > 1 else kwargs.get("dim", 0)
    parts: Sequence[torch.Tensor] = args[0]
    if any(map(recorder.known, parts)):
        places = result.split([part.shape[dimension] for part in parts], dimension)
        for part, place in zip(parts, places, strict=True):
            _copy(recorder, part, place)


def _stack(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    dimension = args[1] if len(args) > 1 else kwargs.get("dim", 0)
    if any(map(recorder.known, args[0])):
        for part, place in zip(args[0], result.unbind(dimension), strict=True):
            _copy(recorder, part, place)


def _sum(recorder: Recorder, args: Any, kwargs: Any, result: Any) -> None:
    dimensions = args[1] if len(args) > 1 else None
    if not recorder.known(args[0]):
        return
    if not dimensions or len(dimensions) != 1:
        raise TraceError("a sum over all elements of the payload; only sums along one dimension are followed")
    first, *rest = args[0].unbind(dimensions[0])
    _copy(recorder, first, result.view(first.shape))
    for part in rest:
        _add(recorder, part, result.view(first.shape))


OPERATIONS: dict[str, Callable[[Recorder, Any, Any, Any], None]] = {
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
    "div": _over,
    "div_": _over,
    "floor_divide": _over,
    "floor_divide_": _over,
    "mul": _times,
    "mul_": _times,
    "cat": _cat,
    "stack": _stack,
    "sum": _sum,
}
