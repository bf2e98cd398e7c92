"""Messages between the ranks of a cluster and the process that leads them; all of them are pickled."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any  # Any: any value that can be pickled

from p2smt.collective import Collective

Groups = tuple[tuple[int, ...], ...]
"""Ranks that do something together; every rank of the cluster is in one of the groups."""


@dataclass(frozen=True, slots=True)
class Seat:
    """The place of a rank: its network card, the address of rank 0, and what its process does before all else.

    `enter` is a function of a module, or `functools.partial` of one.
    """

    interface: str = "lo"
    first_address: str = "127.0.0.1"
    enter: Callable[[], object] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Start:
    """The parameters with which a process joins: its rank among how many, a file for its stderr, how to run.

    `folders` are temporary ones of the process that leads; a rank that outlives it removes them.
    """

    rank: int
    ranks: int
    stderr: str
    folders: tuple[str, ...]
    timeout_s: float
    debug: bool


@dataclass(frozen=True, slots=True)
class JoinMessage:
    """Rank 0 listens on this port; every rank joined with this version of torch."""

    port: int
    torch_version: str


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a process could not do what it was told."""

    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """Time the emitted module at `source`, or without one the plain collective that `goal` names, in each group.

    `elements` is the length of the payload: of what goes in, for an all-gather of what comes out. `warmups` runs
    come before the repeats that are timed. With `check` the module's results are first compared with those of the plain
    collective. Modules and process groups are kept: the same task again costs the runs alone.
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
    """One rank: elements that differ (None: not compared), seconds for new groups, seconds of every repeat."""

    rank: int
    mismatches: int | None
    group_seconds: float
    seconds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class CallTask:
    """Call a function of the file at `path` with these arguments."""

    path: str
    function: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class ReturnMessage:
    """The result of a function."""

    value: Any


@dataclass(frozen=True, slots=True)
class Ends:
    """A step that was repeated: by turn when each repeat ended, and the sums of its outputs after the first."""

    ends: list[list[float]]
    outputs: tuple[tuple[str, float], ...]
