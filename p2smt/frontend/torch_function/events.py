"""Events of a rank of a torch.distributed program, as tracing records them; positions and lengths in elements."""

from enum import StrEnum

import msgspec

from p2smt.collective import Collective, Exchange

Span = tuple[int, int, int]
"""A span: buffer (numbered per rank in order of first use; 0 is the payload), first element, length."""


class RoutingCall(StrEnum):
    """Calls of torch.distributed without a counterpart in plans: gather, scatter, receive and barrier."""

    GATHER = "gather"
    SCATTER = "scatter"
    RECEIVE = "recv"
    BARRIER = "barrier"


TorchCall = Collective | Exchange | RoutingCall


def torch_name(call: TorchCall) -> str:
    """The call's name in torch.distributed."""
    match call:
        case Collective() | Exchange():
            return call.underscored
        case RoutingCall():
            return call.value


_CALLS: dict[str, TorchCall] = {torch_name(call): call for call in (*Collective, *Exchange, *RoutingCall)}


class Group(msgspec.Struct, frozen=True, tag="group"):
    """Creation of a communicator (`new_group`)."""

    ranks: tuple[int, ...]
    line: int


class PostEvent(msgspec.Struct, frozen=True, kw_only=True, tag="call"):
    """A collective or message of a communicator; `group` lists its ranks in group order.

    `member` is the rank itself. `ins` and `outs` are one span, or one per member if the call takes a block for
    each. `root` is an index in the group; for a message it is the sender's index, and `other` the receiver's.
    `batched`: the message is part of a `batch_isend_irecv`. `coalesced`: the backend is told to merge the call
    with others.
    """

    number: int
    name: str
    communicator: str
    group: tuple[int, ...]
    member: int
    ins: tuple[Span, ...]
    outs: tuple[Span, ...]
    dtype: str
    line: int
    root: int = 0
    other: int = 0
    tag: int = 0
    average: bool = False
    batched: bool = False
    coalesced: bool = False

    @property
    def call(self) -> TorchCall:
        """The call of torch.distributed."""
        return _CALLS[self.name]

    @property
    def is_message(self) -> bool:
        """True if it is one end of a message between two ranks."""
        return self.call in (Exchange.SEND, RoutingCall.RECEIVE)  # only: the two ends of a message

    @property
    def members(self) -> tuple[int, ...]:
        """Return the ranks that take part; for a message, its sender and receiver."""
        return (self.group[self.root], self.group[self.other]) if self.is_message else self.group


class WaitEvent(msgspec.Struct, frozen=True, tag="wait"):
    """A wait for the rank's own call of this number."""

    number: int


class CopyEvent(msgspec.Struct, frozen=True, tag="copy"):
    """One span copied to another of the same length."""

    source: Span
    target: Span


class AddEvent(msgspec.Struct, frozen=True, tag="add"):
    """One span added to another of the same length."""

    source: Span
    target: Span


class ZeroEvent(msgspec.Struct, frozen=True, tag="zero"):
    """A span filled with zeros."""

    target: Span


class DivideEvent(msgspec.Struct, frozen=True, tag="divide"):
    """A span divided by a whole number."""

    target: Span
    divisor: int


class NegateEvent(msgspec.Struct, frozen=True, tag="negate"):
    """A span that is negated."""

    target: Span


class SynchronizeEvent(msgspec.Struct, frozen=True, tag="synchronize"):
    """A synchronization with the GPU: waits for NCCL's calls on it, but not for gloo's."""


class OnStream(msgspec.Struct, frozen=True, tag="on_stream"):
    """A switch of the rank's further work to this stream of its GPU; 0 is the first one."""

    stream: int


class MarkEvent(msgspec.Struct, frozen=True, tag="mark"):
    """An event recorded in a stream, after all work so far. Marks are numbered per rank."""

    mark: int
    stream: int


class StreamWaits(msgspec.Struct, frozen=True, tag="stream_waits"):
    """A stream's wait for an event, before its further work."""

    stream: int
    mark: int


class HostWaits(msgspec.Struct, frozen=True, tag="host_waits"):
    """The host's wait for an event."""

    mark: int


class SpanAccess(msgspec.Struct, frozen=True, tag="span_access"):
    """Spans that an untraced operation reads and writes, recorded where only conflicts matter and not values."""

    reads: tuple[Span, ...]
    writes: tuple[Span, ...]


Local = CopyEvent | AddEvent | ZeroEvent | DivideEvent | NegateEvent
OfStreams = OnStream | MarkEvent | StreamWaits | HostWaits
"""The events of GPU streams; on gloo a rank's work is sequential, whatever the stream."""

Record = Group | PostEvent | WaitEvent | SynchronizeEvent | OfStreams | Local


def touched(record: PostEvent | Local | SpanAccess) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Return the spans that a rank's own part in a call reads, and the spans that it writes.

    Non-root ranks of a Reduce count as writing, because gloo leaves partial sums there.
    """
    match record:
        case PostEvent(call=Collective.BROADCAST, group=group, root=root, member=member):
            return (record.ins, ()) if group[root] == member else ((), record.outs)
        case PostEvent(ins=reads, outs=writes) | SpanAccess(reads, writes):
            return reads, writes
        case CopyEvent(source, target):
            return (source,), (target,)
        case AddEvent(source, target):
            return (source, target), (target,)
        case ZeroEvent(target):
            return (), (target,)
        case DivideEvent(target) | NegateEvent(target):
            return (target,), (target,)


class FunctionRequest(msgspec.Struct, frozen=True):
    """A request to trace a function of a file, which is run, or of a module, which is imported from `paths`.

    `code` is the serialized function, if it is sent by value.
    """

    path: str
    function: str | None
    devices: int
    elements: int
    dtype: str
    module: str = ""
    paths: tuple[str, ...] = ()
    code: bytes = b""


class Trace(msgspec.Struct, frozen=True):
    """Records of every rank; `mistake` instead if the file cannot be run, `unfollowed` if it cannot be traced.

    `raised`: the mistake is an error that a line of the function raised.

    `lines[rank]` are the source lines of the records, 0 if unknown. `unsure` describes a dependence on timing,
    with which other runs may give other traces. `buffers[rank]` are the lengths of the rank's buffers,
    `results[rank]` the spans that hold the result.
    """

    ranks: tuple[tuple[Record, ...], ...] = ()
    lines: tuple[tuple[int, ...], ...] = ()
    unsure: str = ""
    buffers: tuple[tuple[int, ...], ...] = ()
    results: tuple[tuple[Span, ...], ...] = ()
    integers: bool = False
    mistake: str = ""
    raised: bool = False
    unfollowed: str = ""
