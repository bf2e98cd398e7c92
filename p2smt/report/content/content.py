"""Values that a report shows: computed in `collect.py` and `collect_job.py`, drawn and written elsewhere."""

from dataclasses import dataclass

from p2smt.cost.chunk_time_line import ChunkTimeLine
from p2smt.cost.crossovers import Crossover
from p2smt.cost.network.backend import Backend
from p2smt.job.comparison import Column
from p2smt.job.job_pricer import PlacementTime
from p2smt.job.optimize import Optimum
from p2smt.placement.digits import DeviceMap
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.reduction_tree import device_coordinates
from p2smt.problem.model import Axis, Problem, Search
from p2smt.problem.system.network import System
from p2smt.report.content.selection import AnySelection
from p2smt.report.content.tree_selection import TreeSelection


@dataclass(frozen=True, slots=True)
class StepContent:
    """One step of a program.

    Devices form `groups` groups, whose different numbers of members are `sizes`, ascending, and which differ on
    `along`; in a local step every device is a group.
    `before` and `after` are the different numbers of bytes that the devices taking part hold, ascending, 0 for a
    buffer given away. `link` is the one that the step waits for, with the bytes on its busiest place; empty when it
    uses none. For the devices drawn: `roots`, the first member of each one's group, -1 where it is in none; `members`,
    how many that group has, 0 for none; `held`, the bytes that it holds after the step. `rate` is the bus bandwidth in
    bytes/s, None of a local step and where it is not known.
    """

    what: str
    sizes: tuple[int, ...]
    groups: int
    along: tuple[str, ...]
    before: tuple[float, ...]
    after: tuple[float, ...]
    link: str
    link_bytes: float
    seconds: float
    share: float
    roots: tuple[int, ...]
    members: tuple[int, ...]
    held: tuple[float, ...]
    rate: float | None = None

    @property
    def among(self) -> int:
        """Number of members of the largest group."""
        return self.sizes[-1]


@dataclass(frozen=True, slots=True)
class ProgramContent:
    """A program on one placement, for a payload of so many bytes; `label` is its line in a list of programs."""

    label: str
    text: str
    seconds: float
    payload: int
    steps: tuple[StepContent, ...]


@dataclass(frozen=True, slots=True)
class PlacementContent:
    """A placement and the devices drawn of it."""

    selection: AnySelection

    @property
    def matrix(self) -> ParallelismMatrix:
        """The parallelism matrix."""
        return self.selection.matrix

    @property
    def coordinates(self) -> tuple[tuple[int, ...], ...]:
        """The axis coordinates of every device drawn."""
        match self.selection:
            case TreeSelection(_, tree):
                every = device_coordinates(tree, self.matrix)
                return tuple(every[device] for device in self.selection.devices)
            case _:
                return tuple(map(DeviceMap(self.matrix).coordinates, self.selection.devices))


@dataclass(frozen=True, slots=True)
class ReportContent:
    """A cluster and placements of axes on it, fastest first: what every report has.

    `found` placements there are in all; number `opened` of those in the report is the one to look at first, with the
    devices in the colours of their coordinates on axis `coloured`.
    """

    system: System
    axes: tuple[Axis, ...]
    search: Search
    backend: Backend
    found: int
    placements: tuple[PlacementContent, ...]
    opened: int
    coloured: int
    versions: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PlacementResult:
    """Results for a reduction on one placement; `wire_seconds`: what the network takes at least.

    `programs` are the first few, with their `ranks` from 1, `seconds` the times of all `count`, ascending and each
    once. `crossovers` say which program wins from which payload on, None where there was no time. `longer`: the first
    program, the cheapest of any length, is longer than the search's limit.
    """

    matrix: ParallelismMatrix
    levels: tuple[int, ...]
    count: int
    allreduce_seconds: float
    wire_seconds: float
    ranks: tuple[int, ...]
    programs: tuple[ProgramContent, ...]
    seconds: tuple[float, ...]
    crossovers: tuple[Crossover, ...] | None
    longer: bool


@dataclass(frozen=True, slots=True)
class ChunksContent:
    """A program on one placement whose payload passes in chunks, `seconds` in all, as in `line`.

    `alone` is the time of the best program in one piece there; None if there is none.
    """

    matrix: ParallelismMatrix
    text: str
    chunks: int
    seconds: float
    alone: float | None
    line: ChunkTimeLine


@dataclass(frozen=True, slots=True)
class Report(ReportContent):
    """Results for one reduction on all placements.

    `total` programs were found on all placements, `why` says why the search stopped before it had all, empty when
    it has them. On `late` placements there was no time to look for longer ones. `results[n]` is of placement `n`.
    `others` are the fastest and the slowest of the best times on placements that the report leaves out. `crossovers`
    are those of all placements together, None where there was no time. `code` does the best
    program of the fastest placement; empty where there is none, or nothing to do. `chunked` is, on the placement
    opened, the plan that is reported on, or where that is worth it the best one in chunks.
    """

    problem: Problem
    total: int
    why: str
    late: int
    results: tuple[PlacementResult, ...]
    others: tuple[float, float] | None
    crossovers: tuple[Crossover, ...] | None
    code: str
    chunked: ChunksContent | None

    @property
    def complete(self) -> bool:
        """True if nothing was left out for lack of time."""
        return not self.why and not self.late and self.crossovers is not None


@dataclass(frozen=True, slots=True)
class JobReport(ReportContent):
    """Results for all reductions of a training step on all placements.

    `times[n]` is of placement `n`, and `programs[n][i]` the program of `times[n].reductions[i]`, which is the same
    reduction for every `n`. `compared` are placements to set the best one against.
    """

    optimum: Optimum
    times: tuple[PlacementTime, ...]
    programs: tuple[tuple[ProgramContent, ...], ...]
    compared: tuple[Column, ...]
