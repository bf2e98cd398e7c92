"""Checks on buffers of calls that are still running, and on calls that are never awaited.

From its post to its wait a call may read and write its buffers at any time. On gloo, calls run concurrently, and
only the wait for a call completes it. NCCL runs the calls of a communicator (messages: of a pair of ranks in it)
one after the other on a stream: a wait for one call also completes all earlier ones, and `torch.cuda.synchronize`
completes all started calls. gloo is the stricter of the two, so it decides; if NCCL would order the two accesses,
the message says so.

Method: one pass over a rank's records with the set F of running calls. Posting a call adds it to F, waiting removes it.
An access a is a race if, for a call f in F,
    writes(a) meets reads(f) or writes(f),   or   reads(a) meets writes(f)
(Bernstein, "Analysis of programs for parallel processing", 1966). The results are read at the end, and F must be empty
then. Complexity: records x running calls that touch the same buffer.

Example: work = all_reduce(x, async_op=True); y = x + 1; work.wait(): the sum reads x while F = {all_reduce} writes it.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from p2smt.frontend.torch_function.events import (
    Group,
    HostWaits,
    Local,
    MarkEvent,
    OnStream,
    PostEvent,
    Record,
    Span,
    SpanAccess,
    StreamWaits,
    SynchronizeEvent,
    Trace,
    WaitEvent,
    touched,
)
from p2smt.verify.plan_verdict import Place, PlanMistake, PlanRule

_Touching = dict[int, dict[int, tuple[Span, ...]]]
"""Spans of the running calls that touch a buffer, by buffer and call number."""


@dataclass(slots=True)
class _Flight:
    """A call that is not awaited yet; `on_nccl` describes what orders later work after it on NCCL, if anything."""

    post: PostEvent
    line: int
    on_nccl: str = ""


@dataclass(frozen=True, slots=True)
class _Access:
    """An access to buffers: by a call, by the rank's own work, or (None) by the user of the result."""

    by: PostEvent | Local | SpanAccess | None
    line: int
    reads: tuple[Span, ...]
    writes: tuple[Span, ...]


def unordered(trace: Trace) -> PlanMistake | None:
    """The first access to a buffer that a running call uses, or a call that is never awaited."""
    for rank, records in enumerate(trace.ranks):
        if mistake := unordered_on(rank, records, trace.lines[rank], trace.results[rank]):
            return mistake
    return None


def unordered_on(
    rank: int,
    records: Sequence[Record | SpanAccess],
    lines: Sequence[int],
    results: tuple[Span, ...],
    may_be_left: frozenset[int] = frozenset(),
) -> PlanMistake | None:
    """Return the first such mistake of one rank; calls in `may_be_left` need not be awaited."""
    return _Rank(rank, records, lines, may_be_left).mistake(results)


class _Rank:
    def __init__(
        self, rank: int, records: Sequence[Record | SpanAccess], lines: Sequence[int], may_be_left: frozenset[int]
    ) -> None:
        self._rank, self._records, self._lines, self._may_be_left = rank, records, lines, may_be_left
        self._flights: dict[int, _Flight] = {}
        self._reads: _Touching = defaultdict(dict)
        self._writes: _Touching = defaultdict(dict)

    def mistake(self, results: tuple[Span, ...]) -> PlanMistake | None:
        for record, line in zip(self._records, self._lines, strict=True):
            match record:
                case Group() | OnStream() | MarkEvent() | StreamWaits() | HostWaits():
                    continue
                case WaitEvent(number):
                    self._wait(number, line)
                    continue
                case SynchronizeEvent():
                    for flight in self._flights.values():
                        flight.on_nccl = flight.on_nccl or f"torch.cuda.synchronize in line {line}"
                    continue
                case _:
                    access = _Access(record, line, *touched(record))
            if race := self._conflict(access):
                return race
            if isinstance(record, PostEvent):
                self._post(record, line)
        # The caller reads the results as soon as the function returns.
        if race := self._conflict(_Access(None, 0, results, ())):
            return race
        left = [flight for number, flight in self._flights.items() if number not in self._may_be_left]
        return self._unwaited(left[0]) if left else None

    def _post(self, post: PostEvent, line: int) -> None:
        self._flights[post.number] = _Flight(post, line)
        for spans, touching in zip(touched(post), (self._reads, self._writes), strict=True):
            for buffer in {span[0] for span in spans}:
                touching[buffer][post.number] = tuple(span for span in spans if span[0] == buffer)

    def _wait(self, number: int, line: int) -> None:
        flight = self._flights.pop(number, None)
        if flight is None:
            return
        for touching in (self._reads, self._writes):
            for buffer in {span[0] for spans in touched(flight.post) for span in spans}:
                touching[buffer].pop(number, None)
        for earlier in self._flights.values():
            # On NCCL alone: a stream is in order, so the wait for a later call covers all before it.
            if earlier.post.number < number and stream_of(earlier.post) == stream_of(flight.post):
                earlier.on_nccl = earlier.on_nccl or f"the wait in line {line} for a later call on the same stream"

    def _conflict(self, access: _Access) -> PlanMistake | None:
        """Return a running call that writes a span accessed here, or reads a span written here."""
        if not self._flights:
            return None
        for spans, touching, does, touches in (
            (access.reads, self._writes, "reads", "writes"),
            (access.writes, self._writes, "writes", "writes"),
            (access.writes, self._reads, "writes", "reads"),
        ):
            if number := _overlap(spans, touching):
                return self._race(self._flights[number], access, does, touches)
        return None

    def _race(self, flight: _Flight, access: _Access, does: str, touches: str) -> PlanMistake:
        post, by = flight.post, access.by
        who = f"line {access.line} {does}" if by is not None else "the result is"
        if isinstance(by, PostEvent):
            who = f"line {access.line} (step {by.number}: {by.name}) {does}"
        on_nccl = flight.on_nccl
        if isinstance(by, PostEvent) and stream_of(by) == stream_of(post):
            on_nccl = "the stream of the communicator"
        what = f"{self._said(flight)}: {who} what it {touches}, and {self._wait_line(post.number)}"
        return PlanMistake(PlanRule.RACE, Place(post.number, post.members, self._rank), f"{what}; {_backends(on_nccl)}")

    def _unwaited(self, flight: _Flight) -> PlanMistake:
        what = f"{self._said(flight)}: nothing waits for it; keep what the call returns, and wait for it"
        place = Place(flight.post.number, flight.post.members, self._rank)
        return PlanMistake(
            PlanRule.UNWAITED, place, f"{what}{f'; {_backends(flight.on_nccl)}' if flight.on_nccl else ''}"
        )

    def _said(self, flight: _Flight) -> str:
        post = flight.post
        return f"step {post.number} (line {flight.line}: {post.name}), rank {self._rank}"

    def _wait_line(self, number: int) -> str:
        """Return a description of the line that waits for a pending call, or that nothing does."""
        waits = (line for r, line in zip(self._records, self._lines, strict=True) if r == WaitEvent(number))
        line = next(waits, None)
        return "nothing waits for it" if line is None else f"it is waited for only in line {line}"


def _overlap(spans: tuple[Span, ...], touching: _Touching) -> int:
    """Return the number of a call whose spans overlap these; 0 if there is none."""
    for buffer, first, length in spans:
        for number, others in touching.get(buffer, {}).items():
            if any(first < start + size and start < first + length for _, start, size in others):
                return number
    return 0


def stream_of(post: PostEvent) -> object:
    """Return the queue in which NCCL serializes a call: its communicator's or, for messages, its pair's."""
    if post.is_message and not post.batched:
        return post.communicator, frozenset(post.members)
    return post.communicator


def _backends(on_nccl: str) -> str:
    return f"on NCCL {on_nccl} would order the two, on gloo nothing does" if on_nccl else "on gloo as on NCCL"
