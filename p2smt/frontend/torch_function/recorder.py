"""Recorder of one rank of a traced program, while it runs."""

from itertools import pairwise
from traceback import extract_tb

import torch

from p2smt.frontend.torch_function.events import MarkEvent, OnStream, Record, Span
from p2smt.frontend.torch_function.journal import Journal

MOST_SPANS = 4096

Spans = tuple[Span, ...]


class TraceError(Exception):
    """Raised if the function cannot be traced, so that no verdict about it is possible."""


class RefusedError(Exception):
    """Raised if the function, or torch on real ranks, would reject its arguments."""


class Recorder(Journal[Record]):
    """A recorder of one rank's work; tensors are identified by their storage, which is kept alive."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self._buffers: dict[int, int] = {}
        self._storages: list[torch.UntypedStorage] = []
        self._marks = 0
        self._streams = 0
        self.stream = 0
        self.lengths: list[int] = []

    def next_stream(self) -> int:
        """The number of a new stream."""
        self._streams += 1
        return self._streams

    def marked(self, stream: int) -> int:
        """Return the number of a new event, recorded after all work of the stream so far."""
        self._marks += 1
        self.add(MarkEvent(self._marks, stream))
        return self._marks

    def on_stream(self, stream: int) -> None:
        """Direct all further work to this stream."""
        if stream != self.stream:
            self.stream = stream
            self.add(OnStream(stream))

    def payload(self, tensor: torch.Tensor) -> None:
        """Register a tensor as the payload, buffer 0."""
        assert not self.lengths
        self._buffer(tensor)

    def known(self, tensor: torch.Tensor) -> bool:
        """True if a tensor's storage is one of the buffers."""
        return tensor.untyped_storage()._cdata in self._buffers

    def spans(self, tensor: torch.Tensor) -> Spans:
        """Return the tensor's elements in order, as the smallest number of spans of its buffer."""
        buffer = self._buffer(tensor)
        if tensor.is_contiguous():
            return ((buffer, int(tensor.storage_offset()), tensor.numel()),) if tensor.numel() else ()
        # The places of the elements are read off a tensor of its own places with the same strides.
        storage = torch.arange(self.lengths[buffer])
        places = storage.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset()).reshape(-1).tolist()
        starts = [0, *(i for i, (a, b) in enumerate(pairwise(places), start=1) if b != a + 1), len(places)]
        if len(starts) > MOST_SPANS:
            raise TraceError(
                f"a tensor made of more than {MOST_SPANS} pieces of the payload; trace fewer elements (--elements)"
            )
        return tuple((buffer, places[first], end - first) for first, end in pairwise(starts))

    def whole(self, tensor: torch.Tensor) -> Span:
        """The single span of its buffer that a tensor occupies."""
        if not tensor.numel():
            return self._buffer(tensor), 0, 0
        found = self.spans(tensor)
        if len(found) != 1:
            raise TraceError(
                f"a tensor of {tensor.numel()} elements is made of {len(found)} pieces of the "
                "payload; a call needs one contiguous piece"
            )
        return found[0]

    def last_line(self, cause: BaseException) -> int:
        """Return the line of the user's file in which an error was raised; 0 if there is none."""
        lines = [entry.lineno or 0 for entry in extract_tb(cause.__traceback__) if entry.filename == self._path]
        return lines[-1] if lines else 0

    def _buffer(self, tensor: torch.Tensor) -> int:
        if type(tensor) not in (torch.Tensor, torch.nn.Parameter):
            raise TraceError(f"{type(tensor).__name__} is used, but only plain tensors are supported")
        storage = tensor.untyped_storage()
        if storage._cdata not in self._buffers:
            self._buffers[storage._cdata] = len(self.lengths)
            self.lengths.append(storage.nbytes() // tensor.element_size())
            self._storages.append(storage)
        return self._buffers[storage._cdata]
