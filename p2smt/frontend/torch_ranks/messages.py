"""Requests to the tracing process, and its answers."""

from dataclasses import dataclass, field

from p2smt.frontend.torch_graph.graph import Reference, TorchNode

UNMODELLED = "unmodelled"
"""The keyword of a node with unknown results, and the reason; nothing that depends on it is proved."""


@dataclass(frozen=True, slots=True)
class DeviceSource:
    """A source of the program for one device: its shape there, and its element type as torch names it."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    trained: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A request: the function, the mesh that runs it, and the sources of the single-device program.

    `code` is the serialized function, if it is sent by value; it is loaded with `paths` as `sys.path`.
    """

    path: str
    function: str
    mesh: list[tuple[str, int]]
    sources: list[DeviceSource]
    code: bytes = b""
    paths: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """A call in a stream of calls, which all members of its group must agree on; or a wait for a call, by its number.

    A stream is a communicator, or the messages from one rank to another in it.
    """

    number: int
    stream: str = ""
    group: tuple[int, ...] = ()
    agreed: str = ""
    is_message: bool = False
    line: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RankTrace:
    """The trace of one rank.

    `sources` pairs a node's name with the source that it stands for; `outputs` pairs the key under which a result
    is returned (empty if none) with the result; `updates` pairs the name of a source written in place with its
    new value. `actions` are the rank's calls and waits, in order. `modules` are torch modules imported during
    tracing.
    """

    sources: list[tuple[str, str]]
    nodes: list[TorchNode]
    outputs: list[tuple[str, Reference]]
    updates: list[tuple[str, Reference]]
    actions: list[Action] = field(default_factory=list)
    modules: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class RanksAnswer:
    """Every rank's trace, and the layouts that the function declares for its parameters; or why there is none.

    `mistake`: the function cannot be run this way; `raised`: a line of it raised the error. `race`: it accesses
    memory that a running call uses, on every backend. `unfollowed`: it uses something that tracing does not
    support. `defect`: an internal error.
    """

    ranks: list[RankTrace] = field(default_factory=list)
    layouts: dict[str, str] = field(default_factory=dict)
    mistake: str = ""
    raised: bool = False
    race: str = ""
    unfollowed: str = ""
    defect: str = ""
