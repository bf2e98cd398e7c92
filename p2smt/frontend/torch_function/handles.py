"""Return values of torch.distributed's calls: handles to wait for, and futures."""

from collections.abc import Callable, Sequence
from typing import Any  # Any: torch's values

import torch
import torch.distributed as dist

from p2smt.frontend.torch_function.events import Local, PostEvent, Record, Span, SpanAccess, WaitEvent, touched
from p2smt.frontend.torch_function.journal import Journal
from p2smt.frontend.torch_function.recorder import TraceError

# The classes that handles derive from; their stubs describe the callers' side.
_Work: Any = dist._Work  # type: ignore[attr-defined]
_Future: Any = torch.futures.Future


class Handle(_Work):  # type: ignore[misc]
    """The handle of one or more calls.

    The first `is_completed` returns False. A second one on the same line, with nothing done in between, is taken
    as a polling loop: it waits and returns True. Any other use of a False result is reported as depending on
    timing.
    """

    def __init__(self, recorder: Journal[Any], numbers: Sequence[int], tensors: Sequence[torch.Tensor] = ()) -> None:
        super().__init__()
        self._recorder, self.numbers, self._tensors = recorder, tuple(numbers), list(tensors)
        self._waited = False

    def wait(self, timeout: object = None) -> bool:
        """Wait for all calls."""
        if not self._waited:
            self._waited = True
            for number in self.numbers:
                self._recorder.add(WaitEvent(number))
        return True

    def synchronize(self) -> None:
        """Do nothing: on NCCL the current stream would wait, but gloo has no streams."""

    def block_current_stream(self) -> None:
        """Do nothing, as `synchronize`."""

    def is_completed(self) -> bool:
        """True after a wait, or when polled in a loop that does nothing else."""
        if self._waited or self._recorder.asked_again(self.numbers):
            self.wait()
            return True
        return False

    def is_success(self) -> bool:
        """Return `is_completed()`, because no traced call fails."""
        return self.is_completed()

    def exception(self) -> None:
        """Return None, because no traced call fails."""

    def result(self) -> list[torch.Tensor]:
        """The tensors that the calls write, without waiting."""
        return self._tensors

    def get_future(self) -> "HandleFuture":
        """The handle as a future of the tensors that the calls write."""
        return HandleFuture(self, lambda: self._tensors)


class HandleFuture(_Future):  # type: ignore[misc]
    """A future that completes with a handle's calls; callbacks of `then` run at its wait."""

    def __init__(self, handle: Handle, value: Callable[[], Any]) -> None:
        super().__init__()
        self._handle, self._make = handle, value
        self._made: list[Any] = []

    def wait(self) -> Any:
        """Wait for the calls, then run the callbacks."""
        self._handle.wait()
        return self.value()

    def value(self) -> Any:
        """Return the value without waiting; a premature use of its tensors is found as a conflict."""
        if not self._made:
            self._made.append(self._make())
        return self._made[0]

    def done(self) -> bool:
        """True after a wait for the calls."""
        return self._handle.is_completed()

    def then(self, callback: Callable[["HandleFuture"], Any]) -> "HandleFuture":
        """Return a future of the callback's result.

        On real ranks the callback runs at any time between this call and the wait, concurrently with other work;
        here it runs in the wait, and conflicts are reported.
        """
        recorder = self._handle._recorder
        since, line = len(recorder.records), recorder.line()

        def made() -> Any:
            until = len(recorder.records)
            value = callback(self)
            if _meet(recorder.records[since:until], recorder.records[until:]):
                recorder.depends_on_timing("a callback touches what is touched while it may run", line)
            return value

        return HandleFuture(self._handle, made)

    def add_done_callback(self, callback: Callable[["HandleFuture"], None]) -> None:
        """Refuse the callback, because the time at which it has run is not defined."""
        raise TraceError("add_done_callback does not say when the callback has run; use then, and wait for its result")


def _meet(one: Sequence[Record | SpanAccess], other: Sequence[Record | SpanAccess]) -> bool:
    """Return True if both access a span that at least one of them writes."""
    reads, writes = _touches(one)
    other_reads, other_writes = _touches(other)
    return _overlap(writes, other_reads + other_writes) or _overlap(reads, other_writes)


def _touches(records: Sequence[Record | SpanAccess]) -> tuple[list[Span], list[Span]]:
    pairs = [touched(r) for r in records if isinstance(r, PostEvent | Local | SpanAccess)]
    return [span for reads, _ in pairs for span in reads], [span for _, writes in pairs for span in writes]


def _overlap(one: Sequence[Span], other: Sequence[Span]) -> bool:
    return any(a == b and i < j + m and j < i + n for a, i, n in one for b, j, m in other)
