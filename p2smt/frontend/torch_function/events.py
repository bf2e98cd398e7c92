"""What a rank of a torch.distributed program does, as tracing writes it down; positions and lengths are elements."""

from enum import StrEnum

import msgspec

from p2smt.collective import Collective, Exchange

Span = tuple[int, int, int]
"""Buffer, numbered per rank in the order in which they came up (0 is the payload); first element; length."""


class Routed(StrEnum):
    """Calls of torch.distributed that are no operation of plans: one member's blocks to or from all, and a barrier."""

    GATHER = "gather"
    SCATTER = "scatter"
    RECEIVE = "recv"
    BARRIER = "barrier"


TorchCall = Collective | Exchange | Routed


def torch_name(call: TorchCall) -> str:
    """The call's name in torch.distributed."""
    match call:
        case Collective() | Exchange():
            return call.underscored
        case Routed():
            return call.value


_CALLS: dict[str, TorchCall] = {torch_name(call): call for call in (*Collective, *Exchange, *Routed)}


class Group(msgspec.Struct, frozen=True, tag="group"):
    """new_group."""

    ranks: tuple[int, ...]
    line: int


class Posted(msgspec.Struct, frozen=True, kw_only=True, tag="call"):
    """A collective or message of a communicator; `group` are its ranks in its order.

    `ins` and `outs` are one span, or one per member where the call takes a block for each. `root` is a place in the
    group; of a message it is the sender's, and `other` the receiver's.
    """

    number: int
    name: str
    communicator: str
    group: tuple[int, ...]
    ins: tuple[Span, ...]
    outs: tuple[Span, ...]
    dtype: str
    line: int
    root: int = 0
    other: int = 0
    tag: int = 0
    average: bool = False

    @property
    def call(self) -> TorchCall:
        """What is called."""
        return _CALLS[self.name]

    @property
    def is_message(self) -> bool:
        """Whether it is one end of a message between two ranks."""
        return self.call in (Exchange.SEND, Routed.RECEIVE)


class Waited(msgspec.Struct, frozen=True, tag="wait"):
    """The rank waits for its call of this number."""

    number: int


class Copied(msgspec.Struct, frozen=True, tag="copy"):
    """One span copied to another of the same length."""

    source: Span
    target: Span


class Added(msgspec.Struct, frozen=True, tag="add"):
    """One span added to another of the same length."""

    source: Span
    target: Span


class Zeroed(msgspec.Struct, frozen=True, tag="zero"):
    """A span filled with zeros."""

    target: Span


class Divided(msgspec.Struct, frozen=True, tag="divide"):
    """A span divided by a whole number."""

    target: Span
    divisor: int


Record = Group | Posted | Waited | Copied | Added | Zeroed | Divided


class Request(msgspec.Struct, frozen=True):
    """What to trace."""

    path: str
    function: str | None
    devices: int
    elements: int
    dtype: str


class Trace(msgspec.Struct, frozen=True):
    """What every rank did; `mistake` instead when the file could not be traced.

    `buffers[rank]` are the lengths of the rank's buffers, `results[rank]` the span that holds the result.
    """

    ranks: tuple[tuple[Record, ...], ...] = ()
    buffers: tuple[tuple[int, ...], ...] = ()
    results: tuple[tuple[Span, ...], ...] = ()
    integers: bool = False
    mistake: str = ""
