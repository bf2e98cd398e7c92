"""torch.cuda's streams and events, written down instead of used: no GPU is needed, and none is touched.

The classes and functions have the names and parameters of torch's.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn, Self

from p2smt.frontend.torch_function.events import HostWaits, StreamWaits, SynchronizeEvent
from p2smt.frontend.torch_function.recorder import Recorder, TraceError


class Streams:
    """One rank's: what stands in the places of torch.cuda's names, whose values go by `names`."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._default = NumberedStream(recorder, 0)
        self._current = self._default

    @property
    def names(self) -> dict[str, object]:
        """Replacements of names in torch.cuda."""
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
        """A context whose work is given to a stream."""
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
    """A stream by its number."""

    def __init__(self, recorder: Recorder, number: int, among: Streams | None = None) -> None:
        self._recorder, self.number, self._among = recorder, number, among
        self._inside: list[object] = []
        self.cuda_stream = number

    def wait_stream(self, stream: "NumberedStream") -> None:
        """Let the further work of this stream begin after the work that the other was given so far."""
        self._recorder.add(StreamWaits(self.number, self._recorder.marked(stream.number)))

    def wait_event(self, event: "StreamEvent") -> None:
        """The same after what the event was recorded after; one that was not recorded is nothing to wait for."""
        event.wait(self)

    def record_event(self, event: "StreamEvent | None" = None) -> "StreamEvent":
        """A mark after all so far."""
        event = StreamEvent(self._recorder) if event is None else event
        event.record(self)
        return event

    def synchronize(self) -> None:
        """The program itself waits."""
        self._recorder.add(HostWaits(self._recorder.marked(self.number)))

    def query(self) -> NoReturn:
        """Refuse the question whether all has ended, which depends on timing."""
        raise TraceError("what a stream or an event is asked depends on timing; wait for it")

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
    """An event, by the last mark that it was recorded at."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        self._mark = 0

    def record(self, stream: NumberedStream | None = None) -> None:
        """A mark after all that a stream, or the current one, was given."""
        self._mark = self._recorder.marked(self._recorder.stream if stream is None else stream.number)

    def wait(self, stream: NumberedStream | None = None) -> None:
        """A stream, or the current one, waits."""
        if self._mark:
            self._recorder.add(StreamWaits(self._recorder.stream if stream is None else stream.number, self._mark))

    def synchronize(self) -> None:
        """The program itself waits."""
        if self._mark:
            self._recorder.add(HostWaits(self._mark))

    def query(self) -> NoReturn:
        """Refuse the question whether it has been reached, which depends on timing."""
        raise TraceError("what a stream or an event is asked depends on timing; wait for it")

    def elapsed_time(self, end: "StreamEvent") -> NoReturn:
        """So does how long it took."""
        raise TraceError("how long something took depends on timing")
