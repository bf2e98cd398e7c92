"""Messages between ranks and the process that leads them; all are pickled."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any  # Any: any value that can be pickled

from p2smt.collective import Collective

Groups = tuple[tuple[int, ...], ...]
"""Disjoint groups of ranks that act together; they contain every rank of the cluster."""


@dataclass(frozen=True, slots=True)
class Seat:
    """The process settings of a rank: its network interface, the address of rank 0, and a function to call first.

    `enter` must be a module-level function, or a `functools.partial` of one, so that it can be pickled.
    """

    interface: str = "lo"
    first_address: str = "127.0.0.1"
    enter: Callable[[], object] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """The parameters with which a process joins: its rank, the number of ranks, a file for stderr, and settings.

    `folders` are the leader's temporary folders; a rank that outlives the leader removes them.
    """

    rank: int
    ranks: int
    stderr: str
    folders: tuple[str, ...]
    timeout_s: float
    debug: bool


@dataclass(frozen=True, slots=True)
class JoinMessage:
    """The port on which rank 0 listens, and the version of torch."""

    port: int
    torch_version: str


@dataclass(frozen=True, slots=True)
class Failure:
    """The reason why a process could not execute a message."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """A request to time the module in file `source`, or the collective `goal` in `groups` if `source` is None.

    `elements` is the payload length: of the input, or for an all-gather of the output. `warmups` runs precede
    the `repeats` timed ones. With `check`, the module's results are first compared with the collective's.
    Modules and process groups are cached, so repeating a task costs only its runs.
    """

    source: str | None
    goal: Collective
    groups: Groups
    elements: int
    dtype: str
    warmups: int
    repeats: int
    check: bool
    timeout_s: float


@dataclass(frozen=True, slots=True)
class RankTimes:
    """Results of one rank: wrong elements (None if not compared), seconds to create groups, seconds per repeat."""

    rank: int
    mismatches: int | None
    group_seconds: float
    seconds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class CallTask:
    """A request to call a function of the file at `path` with the given arguments."""

    path: str
    function: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class ReturnMessage:
    """The result of a function."""

    value: Any


@dataclass(frozen=True, slots=True)
class Ends:
    """Results of a repeated step: the end times of the repeats in each round, and the sums of its first outputs."""

    ends: list[list[float]]
    outputs: tuple[tuple[str, float], ...]
