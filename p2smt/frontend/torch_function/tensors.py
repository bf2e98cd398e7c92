"""What happens to tensors on a rank, seen below autograd, as copies, additions and divisions of parts of buffers."""

import sys
from collections.abc import Callable, Sequence
from itertools import pairwise
from traceback import extract_tb
from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from p2smt.frontend.torch_function.events import Added, Copied, Divided, Record, Span, Zeroed

MOST_SPANS = 4096

Spans = tuple[Span, ...]


class TraceError(Exception):
    """The function does what cannot be followed."""


class Recorder:
    """What one rank does; tensors are told apart by their storage, which is kept."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._buffers: dict[int, int] = {}
        self._storages: list[Any] = []
        self._calls = 0
        self.lengths: list[int] = []
        self.records: list[Record] = []

    def add(self, record: Record) -> None:
        """Write down one more thing."""
        self.records.append(record)

    def next_call(self) -> int:
        """The number of the next call, counted from 1."""
        self._calls += 1
        return self._calls

    def payload(self, tensor: torch.Tensor) -> None:
        """Make a tensor buffer 0."""
        assert not self.lengths
        self._buffer(tensor)

    def known(self, tensor: torch.Tensor) -> bool:
        """Whether a tensor's storage is one of the buffers."""
        return tensor.untyped_storage()._cdata in self._buffers

    def spans(self, tensor: torch.Tensor) -> Spans:
        """The tensor's elements in order, as few parts of its buffer as possible."""
        buffer = self._buffer(tensor)
        if tensor.is_contiguous():
            return ((buffer, int(tensor.storage_offset()), tensor.numel()),) if tensor.numel() else ()
        storage = torch.arange(self.lengths[buffer])
        places = storage.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset()).reshape(-1).tolist()
        starts = [0, *(i for i, (a, b) in enumerate(pairwise(places), start=1) if b != a + 1), len(places)]
        if len(starts) > MOST_SPANS:
            raise TraceError(f"a tensor in more than {MOST_SPANS} pieces; trace fewer elements (--elements)")
        return tuple((buffer, places[first], end - first) for first, end in pairwise(starts))

    def whole(self, tensor: torch.Tensor) -> Span:
        """The one part of its buffer that a tensor is."""
        found = self.spans(tensor)
        if len(found) != 1:
            raise TraceError(f"a tensor of {tensor.numel()} elements in {len(found)} pieces; a call needs one piece")
        return found[0]

    def line(self) -> int:
        """The line of the user's file that is being run; 0: none."""
        frame = sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_filename == self._path:
                return frame.f_lineno
            frame = frame.f_back  # type: ignore[assignment]
        return 0

    def last_line(self, cause: BaseException) -> int:
        """The line of the user's file in which something went wrong; 0: none."""
        lines = [entry.lineno or 0 for entry in extract_tb(cause.__traceback__) if entry.filename == self._path]
        return lines[-1] if lines else 0

    def _buffer(self, tensor: torch.Tensor) -> int:
        storage = tensor.untyped_storage()
        if storage._cdata not in self._buffers:
            self._buffers[storage._cdata] = len(self.lengths)
            self.lengths.append(storage.nbytes() // tensor.element_size())
            self._storages.append(storage)
        return self._buffers[storage._cdata]


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
