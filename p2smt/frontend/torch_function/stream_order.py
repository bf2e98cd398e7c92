"""The order that CUDA streams impose on a rank's work: vector clocks.

A stream runs its work in order. An NCCL call runs on a stream of its communicator: after all earlier work of the
current stream, and after the communicator's earlier calls; waiting for the call makes the current stream wait.
Events and `wait_stream` make one stream wait for another, `synchronize` makes the host wait.

Let clock(s)[t] be the number of operations on stream t that certainly complete before the next operation of
stream s:
    s waits for a mark of t:  clock(s) = max(clock(s), clock(t) at the mark), entry by entry;
    s runs an operation:      clock(s)[s] += 1.
Access b comes after access a of stream t if clock(b)[t] >= a's number on t (Mattern, "Virtual time and global
states of distributed systems", 1989). Two accesses to the same elements, one of which writes, have to be ordered.
Complexity: accesses of a buffer x streams.

Example: stream 1 writes x, stream 2 reads x. With an event of stream 1 that stream 2 waits for, clock(2)[1] = 1
at the read, and the write is number 1 on stream 1: ordered. Without it clock(2)[1] = 0: a race.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from p2smt.frontend.torch_function.events import (
    AddEvent,
    CopyEvent,
    DivideEvent,
    Group,
    HostWaits,
    MarkEvent,
    NegateEvent,
    OfStreams,
    OnStream,
    PostEvent,
    Span,
    StreamWaits,
    SynchronizeEvent,
    Trace,
    WaitEvent,
    ZeroEvent,
    touched,
)
from p2smt.frontend.torch_function.waits import stream_of
from p2smt.verify.plan_verdict import Place, PlanMistake, PlanRule

_Clock = dict[object, int]
"""A vector clock: the number of completed operations of every stream, communicators' streams included."""


@dataclass(frozen=True, slots=True)
class _Access:
    """An access to a span by the `place`-th operation of a stream; `by` is the call, None for the rank's own work."""

    stream: object
    place: int
    span: Span
    writes: bool
    line: int
    by: PostEvent | None


def out_of_stream_order(trace: Trace) -> PlanMistake | None:
    """Return the first two conflicting accesses that streams do not order; None if only the default stream is used."""
    for rank, records in enumerate(trace.ranks):
        if any(isinstance(record, OfStreams) for record in records):
            found = _Rank(rank, trace).mistake()
            if found is not None:
                return found
    return None


class _Rank:
    def __init__(self, rank: int, trace: Trace) -> None:
        self._rank, self._trace = rank, trace
        self._clocks: defaultdict[object, _Clock] = defaultdict(dict)
        self._host: _Clock = {}
        self._calls: dict[int, _Clock] = {}
        self._marks: dict[int, _Clock] = {}
        self._current = 0
        self._accesses: defaultdict[int, list[_Access]] = defaultdict(list)

    def mistake(self) -> PlanMistake | None:
        whole = (0, 0, self._trace.buffers[self._rank][0])
        self._does(0, (), (whole,), 0, None)  # whoever calls the function wrote the payload, on the first stream
        for record, line in zip(self._trace.ranks[self._rank], self._trace.lines[self._rank], strict=True):
            match record:
                case PostEvent():
                    found = self._call(record, line)
                case CopyEvent() | AddEvent() | ZeroEvent() | DivideEvent() | NegateEvent():
                    found = self._does(self._current, *touched(record), line, None)
                case _:
                    found = None
                    self._ordered(record)
            if found is not None:
                return found
        return self._does(0, self._trace.results[self._rank], (), 0, None)

    def _call(self, post: PostEvent, line: int) -> PlanMistake | None:
        stream = stream_of(post)
        _join(self._clocks[stream], self._clocks[self._current])
        found = self._does(stream, *touched(post), line, post)
        self._calls[post.number] = dict(self._clocks[stream])
        return found

    def _ordered(self, record: OfStreams | SynchronizeEvent | WaitEvent | Group) -> None:
        """Update the clocks for an event that orders streams."""
        match record:
            case OnStream(stream):
                self._current = stream
            case MarkEvent(mark, stream):
                # A copy: the stream goes on, and the mark speaks of what came before it.
                self._marks[mark] = dict(self._clocks[stream])
            case StreamWaits(stream, mark):
                _join(self._clocks[stream], self._marks[mark])
            case HostWaits(mark):
                _join(self._host, self._marks[mark])
            case SynchronizeEvent():
                for clock in self._clocks.values():
                    _join(self._host, clock)
            case WaitEvent(number):
                _join(self._clocks[self._current], self._calls[number])
            case Group():
                pass

    def _does(
        self, stream: object, reads: tuple[Span, ...], writes: tuple[Span, ...], line: int, by: PostEvent | None
    ) -> PlanMistake | None:
        """Run one operation of a stream; return a mistake if it conflicts with an earlier, unordered access."""
        clock = self._clocks[stream]
        # Work is given to a stream by the program, so all that the program has waited for is done before it.
        _join(clock, self._host)
        clock[stream] = place = clock.get(stream, 0) + 1
        for spans, written in ((reads, False), (writes, True)):
            for span in spans:
                access = _Access(stream, place, span, written, line, by)
                for other in self._accesses[span[0]]:
                    if (written or other.writes) and _overlap(span, other.span) and not _before(other, clock):
                        return self._race(other, access)
                self._accesses[span[0]].append(access)
        return None

    def _race(self, one: _Access, other: _Access) -> PlanMistake:
        post = other.by or one.by
        where = Place(post.number, post.members, self._rank) if post else Place(0, device=self._rank)
        what = f"{_said(one)} what {_said(other)}, and nothing orders the two on a GPU"
        return PlanMistake(
            PlanRule.RACE,
            where,
            f"rank {self._rank}: {what}; let one stream wait for the other (wait_stream, events, wait for the call "
            "on the stream that goes on); on gloo, which knows no streams, the program's order does",
        )


def _said(access: _Access) -> str:
    does = "writes" if access.writes else "reads"
    if not access.line:
        return f"whoever calls the function {does}"
    if access.by is not None:
        return f"line {access.line} (step {access.by.number}: {access.by.name}) {does}"
    return f"line {access.line} (stream {access.stream}) {does}"


def _join(clock: _Clock, other: Mapping[object, int]) -> None:
    for stream, place in other.items():
        clock[stream] = max(place, clock.get(stream, 0))


def _before(access: _Access, clock: _Clock) -> bool:
    return access.place <= clock.get(access.stream, 0)


def _overlap(one: Span, other: Span) -> bool:
    return one[1] < other[1] + other[2] and other[1] < one[1] + one[2]
