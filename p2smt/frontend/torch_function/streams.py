"""Stand-ins for torch.cuda's streams and events that record instead of running: no GPU is needed or touched.

The classes and functions have the names and parameters of torch's.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn, Self

from p2smt.frontend.torch_function.events import HostWaits, StreamWaits, SynchronizeEvent
from p2smt.frontend.torch_function.recorder import Recorder, TraceError


class Streams:
    """The stand-ins of one rank for torch.cuda's names; `names` maps each name to its value."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._default = NumberedStream(recorder, 0)
        self._current = self._default

    @property
    def names(self) -> dict[str, object]:
        """The replacements by their names in torch.cuda."""
        return {
            "Stream": self._stream,
            "Event": self._event,
            "ExternalStream": self._stream,
            "stream": self.given_to,
            "StreamContext": self.given_to,
            "current_stream": self._current_stream,
            "default_stream": lambda device=None: self._default,
            "set_stream": self._set,
            "synchronize": lambda device=None: self._recorder.add(SynchronizeEvent()),
        }

    @contextmanager
    def given_to(self, stream: "NumberedStream | None") -> Iterator["NumberedStream | None"]:
        """A context in which work goes to a stream."""
        before = self._current
        if stream is not None:
            self._set(stream)
        yield stream
        self._set(before)

    def _stream(self, *_: object, **__: object) -> "NumberedStream":
        return NumberedStream(self._recorder, self._recorder.next_stream(), self)

    def _event(self, *_: object, **__: object) -> "StreamEvent":
        return StreamEvent(self._recorder)

    def _current_stream(self, device: object = None) -> "NumberedStream":
        return self._current

    def _set(self, stream: "NumberedStream") -> None:
        self._current = stream
        self._recorder.on_stream(stream.number)


class NumberedStream:
    """A stream, identified by its number."""

    def __init__(self, recorder: Recorder, number: int, among: Streams | None = None) -> None:
        self._recorder, self.number, self._among = recorder, number, among
        self._inside: list[object] = []
        self.cuda_stream = number

    def wait_stream(self, stream: "NumberedStream") -> None:
        """Let the further work of this stream wait for the work of the other so far."""
        self._recorder.add(StreamWaits(self.number, self._recorder.marked(stream.number)))

    def wait_event(self, event: "StreamEvent") -> None:
        """Let the further work of this stream wait for an event; an unrecorded event is complete."""
        event.wait(self)

    def record_event(self, event: "StreamEvent | None" = None) -> "StreamEvent":
        """Record an event after all work so far."""
        event = StreamEvent(self._recorder) if event is None else event
        event.record(self)
        return event

    def synchronize(self) -> None:
        """Make the host wait for the stream."""
        self._recorder.add(HostWaits(self._recorder.marked(self.number)))

    def query(self) -> NoReturn:
        """Refuse the query for completion, whose answer depends on timing."""
        raise TraceError("the state of a stream or an event depends on timing; wait for it instead")

    def __enter__(self) -> Self:
        assert self._among is not None
        context = self._among.given_to(self)
        self._inside.append(context)
        context.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        context = self._inside.pop()
        context.__exit__(None, None, None)  # type: ignore[attr-defined]


class StreamEvent:
    """An event, represented by the mark at which it was last recorded."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._mark = 0

    def record(self, stream: NumberedStream | None = None) -> None:
        """Record the event after all work of a stream, by default the current one."""
        self._mark = self._recorder.marked(self._recorder.stream if stream is None else stream.number)

    def wait(self, stream: NumberedStream | None = None) -> None:
        """Make a stream, by default the current one, wait for the event."""
        if self._mark:
            self._recorder.add(StreamWaits(self._recorder.stream if stream is None else stream.number, self._mark))

    def synchronize(self) -> None:
        """Make the host wait for the event."""
        if self._mark:
            self._recorder.add(HostWaits(self._mark))

    def query(self) -> NoReturn:
        """Refuse the query for completion, whose answer depends on timing."""
        raise TraceError("the state of a stream or an event depends on timing; wait for it instead")

    def elapsed_time(self, end: "StreamEvent") -> NoReturn:
        """Refuse the elapsed time, which depends on timing."""
        raise TraceError("the duration of an operation depends on timing; do not measure it in the function")
