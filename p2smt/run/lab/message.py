"""What a laboratory's cluster and its ranks tell each other beside the messages of `p2smt.run`."""

from dataclasses import dataclass

from p2smt.run.local.message import Start, Task


@dataclass(frozen=True, slots=True)
class LabStart:
    """What a rank needs to join: its host's namespace and card, where rank 0 listens, whose folders it may clear.

    `folders` are temporary ones of the launching process; a rank that outlives it removes them.
    """

    start: Start
    namespace: str
    interface: str
    first_address: str
    folders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Job:
    """Time what a task says without the all-reduce beside it; with `plain`, that all-reduce instead.

    `warmups` runs come before the repeats that are timed. With `check` the numbers are first compared as
    `p2smt run` does. Modules and groups are kept: asking again costs the runs alone.
    """

    task: Task
    plain: bool
    warmups: int
    check: bool


@dataclass(frozen=True, slots=True)
class JobTimes:
    """One rank: elements that differ (None: not compared), seconds for new groups, seconds of every repeat."""

    rank: int
    mismatches: int | None
    group_seconds: float
    seconds: tuple[float, ...]
