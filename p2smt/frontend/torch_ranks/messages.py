"""What the tracing process is asked, and what it answers."""

from dataclasses import dataclass, field

from p2smt.frontend.torch_graph.graph import Node, Reference

UNMODELLED = "unmodelled"
"""The keyword of a node whose results are not known, with the reason: whatever depends on it is not proved."""


@dataclass(frozen=True, slots=True)
class Given:
    """A source of the program for one device: its shape there, and its type as torch names it."""

    name: str
    shape: tuple[int, ...]
    dtype: str
    trained: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """The function, the mesh that runs it, and what the program that it is compared with is given."""

    path: str
    function: str
    mesh: list[tuple[str, int]]
    sources: list[Given]


@dataclass(frozen=True, slots=True, kw_only=True)
class RankTrace:
    """What one rank does.

    `sources` are pairs of a node's name and that of the source that it stands for; `outputs` have the key under which
    they are returned, or none; `updates` the name of the source that is written in place. `modules` are those of torch
    that were imported meanwhile.
    """

    sources: list[tuple[str, str]]
    nodes: list[Node]
    outputs: list[tuple[str, Reference]]
    updates: list[tuple[str, Reference]]
    modules: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Every rank's trace, and the layouts that the function says of its parameters; or why there is none.

    `mistake`: the function cannot be run so. `unfollowed`: it does what cannot be followed. `defect`: ours.
    """

    ranks: list[RankTrace] = field(default_factory=list)
    layouts: dict[str, str] = field(default_factory=dict)
    mistake: str = ""
    unfollowed: str = ""
    defect: str = ""
