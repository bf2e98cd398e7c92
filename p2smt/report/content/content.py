"""Data that a report shows, computed in `collect.py` and `collect_job.py` and rendered elsewhere."""

from dataclasses import dataclass

from p2smt.cost.chunk_time_line import ChunkTimeLine
from p2smt.cost.crossovers import Crossover
from p2smt.cost.network.backend import Backend
from p2smt.job.comparison import Column
from p2smt.job.job_pricer import PlacementTime
from p2smt.job.optimize import Optimum
from p2smt.job.step.search import StepSearch
from p2smt.placement.digits import DeviceMap
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.reduction_tree import device_coordinates
from p2smt.problem.model import Axis, Problem, Search
from p2smt.problem.system.network import System
from p2smt.problem.transformer.split import Split
from p2smt.report.content.selection import AnySelection
from p2smt.report.content.tree_selection import TreeSelection


@dataclass(frozen=True, slots=True)
class StepContent:
    """One step of a program.

    The devices form `groups` groups; `sizes` lists the distinct group sizes in ascending order, and `along`
    names the digits (`level.axis`) on which members of a group differ. In a local step every device is its own
    group. `before` and `after` list the distinct byte counts that participating devices hold, ascending; 0
    stands for a buffer that was given away. `link` is the link that determines the step's time, and
    `link_bytes` the bytes on its busiest instance; `link` is empty if the step uses no link.

    Three fields have one entry per drawn device: `roots`, the first member of its group (-1 if it is in none);
    `members`, the size of that group (0 if it is in none); and `held`, the bytes held after the step. `rate` is
    the bus bandwidth in bytes/s; None for a local step or if unknown.
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
        """The size of the largest group."""
        return self.sizes[-1]


@dataclass(frozen=True, slots=True)
class ProgramContent:
    """A program on one placement for a payload of `payload` bytes; `label` is its entry in lists of programs."""

    label: str
    text: str
    seconds: float
    payload: int
    steps: tuple[StepContent, ...]


@dataclass(frozen=True, slots=True)
class PlacementContent:
    """A placement and the selection of its devices that is drawn."""

    selection: AnySelection

    @property
    def matrix(self) -> ParallelismMatrix:
        """The parallelism matrix."""
        return self.selection.matrix

    @property
    def coordinates(self) -> tuple[tuple[int, ...], ...]:
        """The axis coordinates of every drawn device."""
        match self.selection:
            case TreeSelection(_, tree):
                every = device_coordinates(tree, self.matrix)
                return tuple(every[device] for device in self.selection.devices)
            case _:
                return tuple(map(DeviceMap(self.matrix).coordinates, self.selection.devices))


@dataclass(frozen=True, slots=True)
class ReportContent:
    """The part common to all reports: a cluster, and placements of axes on it, fastest first.

    `found` is the number of placements that exist, including those not shown. `opened` is the index of the
    placement selected when the page opens; its devices are coloured by their coordinates on axis number
    `coloured`.
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
class StepsContent:
    """The steps of a job's own split and of the fastest ones beside it."""

    own: Split
    found: StepSearch


@dataclass(frozen=True, slots=True)
class PlacementResult:
    """Results for a reduction on one placement.

    `wire_seconds` is the lower bound from link capacities. `programs` holds the first few programs and `ranks`
    their ranks, counted from 1. `seconds` holds the distinct times of all `count` programs, ascending.
    `crossovers` tells which program is fastest from which payload on; None if the deadline passed first.
    `longer` is true if the cheapest program of any length exceeds the search's length limit.
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
    """A chunked program on one placement: its total time in seconds and its time line.

    `alone` is the time in seconds of the placement's best unchunked program; None if there is none.
    """

    matrix: ParallelismMatrix
    text: str
    chunks: int
    seconds: float
    alone: float | None
    line: ChunkTimeLine


@dataclass(frozen=True, slots=True)
class Report(ReportContent):
    """Results for one reduction on all placements; `results[n]` belongs to `placements[n]`.

    `total` is the number of programs found on all placements. `why` gives the reason why the search stopped
    early; empty if it completed. `late` counts the placements whose longer programs were not searched because
    of the deadline. `others` holds the least and the greatest best-program time in seconds among placements
    that are not shown; None if there are none. `crossovers` compares the programs of all placements; None if
    the deadline passed first. `code` implements the fastest program; empty if there is none, or nothing to do.
    `chunked` describes chunked execution on the selected placement: of the reported plan, or of the best
    chunked plan if chunking pays.
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
        """True if no part of the search was cut short by a time limit."""
        return not self.why and not self.late and self.crossovers is not None


@dataclass(frozen=True, slots=True)
class JobReport(ReportContent):
    """Results for all reductions of a training step on all placements.

    `times[n]` belongs to `placements[n]`, and `programs[n][i]` is the program of `times[n].reductions[i]`;
    index `i` denotes the same reduction for every `n`. `compared` holds the placements that the best one is
    compared with. `steps` is the whole step of the job's split among the fastest splits of its model; None if the
    job describes no model, or if steps on its system are not predicted.
    """

    optimum: Optimum
    times: tuple[PlacementTime, ...]
    programs: tuple[tuple[ProgramContent, ...], ...]
    compared: tuple[Column, ...]
    steps: StepsContent | None = None
