"""What a cluster and its processes tell each other."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Start:
    """What a process needs to join: its rank among how many, a folder for its stderr, how to run."""

    rank: int
    ranks: int
    stderr: str
    timeout_s: float
    debug: bool


@dataclass(frozen=True, slots=True)
class Task:
    """Import the module at `source` and compare it with an all-reduce over each group of `reduction`.

    `elements` is the length that is timed; `odd` a length that the padding does not divide.
    """

    source: str
    reduction: tuple[tuple[int, ...], ...]
    elements: int
    odd: int
    dtype: str
    repeats: int
    poison: bool
    timeout_s: float


@dataclass(frozen=True, slots=True)
class Joined:
    """Rank 0 listens on this port; every rank joined with this version of torch."""

    port: int
    torch_version: str


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a process could not do what it was told."""

    reason: str
