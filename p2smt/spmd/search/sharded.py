"""The result of a search for a distributed program: its scope, the programs found, and the bound proved."""

from dataclasses import dataclass
from math import inf

from p2smt.display import MOST_ROWS, html_table, one_line
from p2smt.problem.quantity import format_seconds
from p2smt.spmd.account.candidate import Candidate
from p2smt.spmd.account.instruction import Account
from p2smt.spmd.account.recognition import short_names
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.device_mesh import MeshOutcome
from p2smt.spmd.devices.network import PICO, NetworkModel
from p2smt.spmd.devices.shares import Shares
from p2smt.spmd.emission.whole_outputs import with_whole_outputs
from p2smt.spmd.engines.engine import ShardingEngine
from p2smt.spmd.model.layouts import without_sizes
from p2smt.tensor.inference import judge
from p2smt.tensor.judgement import Layouts, Refused
from p2smt.tensor.layout import layout_text
from p2smt.tensor.program import Program


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment of a step: its parameters, its flops, and the sharding ratios within it."""

    parameters: tuple[str, ...]
    flops: int
    shares: Shares


@dataclass(frozen=True, slots=True)
class OneAxisScope:
    """A search on one axis over all devices.

    `recomputed` are the operations of the forward pass whose results the answer's backward pass computes again.
    """

    recomputed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SegmentScope:
    """A search in segments with ratios of their own; the candidates are the rounds of HAP's loop."""

    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class MeshScope:
    """A search of all meshes in `tried`; `placement` maps the answer's axes to the hardware.

    `networks` price the collectives along each axis. `exact` is False if axes were optimised one by one.
    """

    placement: str
    networks: tuple[NetworkModel, ...]
    tried: tuple[MeshOutcome, ...]
    exact: bool


Scope = OneAxisScope | SegmentScope | MeshScope


@dataclass(frozen=True, slots=True)
class SingleCalls:
    """An emission in which each collective is one call, as the search prices it."""


@dataclass(frozen=True, slots=True)
class BucketedCalls:
    """An emission with collectives in buckets of at most `buckets` bytes (0: none) and replicated outputs.

    `searched` is the search's answer, with one call per collective and outputs left sharded or partial.
    """

    searched: Candidate
    buckets: int


Emission = SingleCalls | BucketedCalls


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardingResult:
    """The fastest of the candidates, one for each of the ratios that were tried.

    Without conditions, baselines with these ratios are candidates too: the search minimises a sum over operations, so
    a program that it passes over can be faster by stages. With conditions, `keeping` has the data-parallel and ZeRO
    programs that satisfy them, and `as_emitted` considers these as well. `lower_bound` is the least bound of all
    ratios on the time by stages, in picoseconds; HiGHS proves its bound in floating point, possibly below the
    optimum. `proved` is True if an independent checker accepted the certificates of all optima, and so of the bound.
    `spare` has the requested next best programs with the answer's ratios. `scope` says what was searched; in
    segments, `shares` is the mean over segments, weighted by work. The search and the bound price each collective as
    one call. If `emission` is bucketed (`as_emitted`), everything except the bound and `searched` is as emitted;
    outputs that a condition names keep their layout. `notes` report deviations from the request, and baselines that
    were left out.
    """

    program: Program
    cluster: Cluster
    shares: Shares
    account: Account
    lower_bound: int
    candidates: tuple[Candidate, ...]
    baselines: tuple[tuple[str, Candidate], ...]
    spare: tuple[tuple[str, Candidate], ...]
    engine: ShardingEngine
    proved: bool
    scope: Scope
    notes: tuple[str, ...]
    emission: Emission = SingleCalls()
    keeping: tuple[Candidate, ...] = ()

    @property
    def answer(self) -> Candidate:
        """Return the fastest program."""
        return Candidate(self.shares, self.program, self.account, self.recomputed)

    @property
    def recomputed(self) -> tuple[str, ...]:
        """Return the operations of the forward pass that the answer's backward pass recomputes."""
        match self.scope:
            case OneAxisScope(recomputed):
                return recomputed
            case SegmentScope() | MeshScope():
                return ()

    @property
    def networks(self) -> tuple[NetworkModel, ...]:
        """Return the networks that price the collectives along each axis."""
        match self.scope:
            case MeshScope(networks=networks):
                return networks
            case OneAxisScope() | SegmentScope():
                return (self.cluster.network,)

    @property
    def searched(self) -> Candidate:
        """Return the search's answer, to which the bound belongs: one call per collective, no outputs replicated."""
        match self.emission:
            case SingleCalls():
                return self.answer
            case BucketedCalls(searched):
                return searched

    @property
    def buckets(self) -> int:
        """Return the most bytes of a fused collective call; 0 if collectives are not fused."""
        match self.emission:
            case SingleCalls():
                return 0
            case BucketedCalls(buckets=buckets):
                return buckets

    @property
    def meaning(self) -> tuple[str, ...]:
        """Return the usual names of the answer's parallelism."""
        return short_names(self.program)

    @property
    def joined(self) -> int:
        """Return the number of calls in the answer that fuse several collectives."""
        return sum(bool(each.bucket) for each in self.account.instructions)

    @property
    def gathers(self) -> bool:
        """True if the answer replicates outputs that the search leaves sharded or partial (`as_emitted`)."""
        if with_whole_outputs(self.program) != self.program:
            return False
        return with_whole_outputs(self.searched.program) != self.searched.program

    @property
    def is_searched(self) -> bool:
        """True if the answer is the search's answer, apart from replicated outputs."""
        searched = self.searched.program
        return self.program in (searched, with_whole_outputs(searched))

    @property
    def stored(self) -> tuple[tuple[str, Layouts], ...]:
        """Return the stored layouts of all sources with dimensions, with slices without sizes."""
        known = dict(self.layouts)
        return tuple(
            (each.name, tuple(map(without_sizes, known[each.name]))) for each in self.program.sources if each.shape
        )

    @property
    def lacks(self) -> tuple[str, ...]:
        """Return a text for each kind of device whose memory the program's peak exceeds, with the missing bytes."""
        worst: dict[str, tuple[int, int]] = {}
        for number, (device, peak) in enumerate(zip(self.cluster.devices, self.account.memory, strict=True)):
            if device.memory is not None and peak > device.memory:
                worst[device.kind] = max(worst.get(device.kind, (0, 0)), (peak - device.memory, -number))
        return tuple(f"{kind} {-number} lacks {missing} bytes" for kind, (missing, number) in worst.items())

    @property
    def layouts(self) -> tuple[tuple[str, Layouts], ...]:
        """Return the layouts of all names in the distributed program."""
        judged = judge(self.program)
        assert not isinstance(judged, Refused)
        return tuple(judged.layouts.items())

    @property
    def gap(self) -> float:
        """Return the relative gap of the search's answer, `time / bound - 1`, with each collective as one call.

        Infinite if the time is positive and the bound is 0.
        """
        time = self.searched.account.time
        if not self.lower_bound:
            return inf if time else 0.0
        return (time - self.lower_bound) / self.lower_bound

    def __repr__(self) -> str:
        time = format_seconds(self.account.time / PICO)
        bound = format_seconds(self.lower_bound / PICO)
        return one_line(self, f"{', '.join(self.meaning)}: {time} a step, lower bound {bound}")

    def _repr_html_(self) -> str:
        """Return an HTML table of the stored layouts."""
        axes = [axis.name for axis in self.program.mesh]
        rows = [(name, ", ".join(map(layout_text, layouts))) for name, layouts in self.stored]
        more = max(0, len(rows) - MOST_ROWS)
        title = f"{repr(self)[1:-1]}; mesh {' x '.join(axes)}"
        return html_table(title, ("tensor", "layout"), rows[:MOST_ROWS], more)
