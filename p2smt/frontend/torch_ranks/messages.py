"""Requests to the tracing process, and its answers."""

from dataclasses import dataclass, field

from p2smt.frontend.torch_graph.graph import Reference, TorchNode

UNMODELLED = "unmodelled"
"""The keyword of a node whose results are not known, with the reason: whatever depends on it is not proved."""


@dataclass(frozen=True, slots=True)
class DeviceSource:
    """A source of the program for one device: its shape there, and its type as torch names it."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    trained: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The function, the mesh that runs it, and what the program that it is compared with is given.

    `code` is the function itself, by value, where it is given so, to be read with these `paths`.
    """

    path: str
    function: str
    mesh: list[tuple[str, int]]
    sources: list[DeviceSource]
    code: bytes = b""
    paths: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """A call of a stream of calls, on which all of its group have to agree, by number; or a wait for such a number.

    A stream is a communicator, or its messages of one rank to another.
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

    `sources` are pairs of a node's name and that of the source that it stands for; `outputs` have the key under which
    they are returned, or none; `updates` the name of the source that is written in place. `actions` are what other
    ranks take part in, in order. `modules` are those of torch that were imported meanwhile.
    """

    sources: list[tuple[str, str]]
    nodes: list[TorchNode]
    outputs: list[tuple[str, Reference]]
    updates: list[tuple[str, Reference]]
    actions: list[Action] = field(default_factory=list)
    modules: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class RanksAnswer:
    """Every rank's trace, and the layouts that the function says of its parameters; or why there is none.

    `mistake`: the function cannot be run so; `raised`: a line of it raised the error.
    `race`: it touches what a call is at work on, on every backend.
    `unfollowed`: it does what cannot be followed. `defect`: ours.
    """

    ranks: list[RankTrace] = field(default_factory=list)
    layouts: dict[str, str] = field(default_factory=dict)
    mistake: str = ""
    raised: bool = False
    race: str = ""
    unfollowed: str = ""
    defect: str = ""
