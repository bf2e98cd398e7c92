"""Journal of a rank: its actions in order, each with its source line, for the handles of asynchronous calls."""

import sys
from typing import Generic, TypeVar

from p2smt.frontend.torch_function.events import WaitEvent

Entry = TypeVar("Entry")


class Journal(Generic[Entry]):
    """The records of one rank, each with its line in the user's file; calls are numbered from 1."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._calls = 0
        self._done = 0
        self._asked: dict[tuple[int, ...], tuple[int, int]] = {}
        self._unsure = ""
        self.records: list[Entry | WaitEvent] = []
        self.lines: list[int] = []

    def add(self, record: Entry | WaitEvent) -> None:
        """Append a record, with the line of the user's file that causes it."""
        self.records.append(record)
        self.lines.append(self.line())
        self._done += not isinstance(record, WaitEvent)

    def next_call(self) -> int:
        """The number of the next call, counted from 1."""
        self._calls += 1
        return self._calls

    def depends_on_timing(self, what: str, line: int) -> None:
        """Note that the rest of the function depends on timing, so that another run may behave differently."""
        self._unsure = self._unsure or f"line {line}: {what}, which depends on timing"

    def asked_again(self, calls: tuple[int, ...]) -> bool:
        """Return True if a line polls the same calls again, with nothing but waits recorded since its last poll."""
        now = self.line(), self._done
        before = self._asked.pop(calls, None)
        if before is not None and before != now:
            self.depends_on_timing("what is done depends on whether a call has ended", before[0])
        if before is None:
            self._asked[calls] = now
        return before is not None

    @property
    def unsure(self) -> str:
        """Return a description of what depends on timing; empty if nothing does."""
        for line, _ in self._asked.values():
            self.depends_on_timing("what is done depends on whether a call has ended", line)
        return self._unsure

    def line(self) -> int:
        """Return the line of the user's file that is running; 0 if none is."""
        frame = sys._getframe(1)
        while frame is not None:
            if frame.f_code.co_filename == self._path:
                return frame.f_lineno
            frame = frame.f_back  # type: ignore[assignment]
        return 0
