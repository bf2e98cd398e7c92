"""The answer of a search for a distributed program: what was searched, what was found, what is proved."""

from dataclasses import dataclass
from math import inf

from p2smt.display import MOST_ROWS, html_table, one_line
from p2smt.problem.quantity import format_seconds
from p2smt.spmd.account.candidate import Candidate
from p2smt.spmd.account.instruction import Account
from p2smt.spmd.account.recognition import short_names
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.device_mesh import MeshOutcome
from p2smt.spmd.devices.network import PICO, Network
from p2smt.spmd.devices.shares import Shares
from p2smt.spmd.emission.whole_outputs import with_whole_outputs
from p2smt.spmd.engines.engine import Engine
from p2smt.spmd.model.layouts import without_sizes
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred, Layouts
from p2smt.tensor.layout import layout_text
from p2smt.tensor.program import Program


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment of a step: its parameters, operations on numbers, and the shares of what is cut in it."""

    parameters: tuple[str, ...]
    flops: int
    shares: Shares


@dataclass(frozen=True, slots=True)
class OneAxisScope:
    """The search of one axis of all devices; `recomputed` are the operations that the answer computes twice.

    They belong to the forward pass, and the backward pass computes their results again.
    """

    recomputed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SegmentScope:
    """The search of a step in segments, each with shares of its own; candidates are the rounds of HAP's loop."""

    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class MeshScope:
    """The search of all meshes in `tried`; the answer's axes lie on the hardware as `placement` says.

    `networks` price the collectives along each of its axes. Not `exact`: one axis was searched given the others.
    """

    placement: str
    networks: tuple[Network, ...]
    tried: tuple[MeshOutcome, ...]
    exact: bool


Scope = OneAxisScope | SegmentScope | MeshScope


@dataclass(frozen=True, slots=True)
class SingleCalls:
    """An emission in which each collective is a call of its own, as a search counts them."""


@dataclass(frozen=True, slots=True)
class BucketedCalls:
    """An emission with collectives in buckets of at most so many bytes, 0 for none, and outputs made whole.

    `searched` is the search's answer, with a call for each collective and outputs in parts.
    """

    searched: Candidate
    buckets: int


Emission = SingleCalls | BucketedCalls


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharded:
    """The fastest of the candidates, one for each of the shares that were tried.

    Baselines with these shares are among what a candidate is chosen from, unless there are conditions: the search adds
    up operation by operation, so that a program which it passes over can be faster by stages. Where there are
    conditions, `keeping` are programs of data parallelism and ZeRO that keep them; `as_emitted` chooses from them, too.
    `lower_bound` is the least of all shares' bounds, in picoseconds, on the time by stages; HiGHS proves its
    own in floating-point numbers, and it may lie below the optimum. `proved` says that a
    checker of its own has accepted the certificates of all optima, and so of the bound. `spare` are the next best
    programs with its shares that were asked for.
    `scope` says what was searched. In segments `shares` are the mean of theirs, weighted by work.
    A search counts each collective as a call of its own, and so does the bound. Where `emission` is in buckets
    (`as_emitted`), all but the bound and `searched` is as emitted; outputs that a condition speaks of stay in parts.
    `notes` say what was searched otherwise than asked, and which baselines are left out.
    """

    program: Program
    cluster: Cluster
    shares: Shares
    account: Account
    lower_bound: int
    candidates: tuple[Candidate, ...]
    baselines: tuple[tuple[str, Candidate], ...]
    spare: tuple[tuple[str, Candidate], ...]
    engine: Engine
    proved: bool
    scope: Scope
    notes: tuple[str, ...]
    emission: Emission = SingleCalls()
    keeping: tuple[Candidate, ...] = ()

    @property
    def answer(self) -> Candidate:
        """The fastest program."""
        return Candidate(self.shares, self.program, self.account, self.recomputed)

    @property
    def recomputed(self) -> tuple[str, ...]:
        """The operations of the forward pass whose results the backward pass of the answer computes again."""
        match self.scope:
            case OneAxisScope(recomputed):
                return recomputed
            case SegmentScope() | MeshScope():
                return ()

    @property
    def networks(self) -> tuple[Network, ...]:
        """The networks that price the collectives along each axis."""
        match self.scope:
            case MeshScope(networks=networks):
                return networks
            case OneAxisScope() | SegmentScope():
                return (self.cluster.network,)

    @property
    def searched(self) -> Candidate:
        """The search's answer, to which the bound belongs: a call for each collective, outputs in parts."""
        match self.emission:
            case SingleCalls():
                return self.answer
            case BucketedCalls(searched):
                return searched

    @property
    def buckets(self) -> int:
        """The most bytes of a call of several collectives; 0: there are none."""
        match self.emission:
            case SingleCalls():
                return 0
            case BucketedCalls(buckets=buckets):
                return buckets

    @property
    def meaning(self) -> tuple[str, ...]:
        """The field's names of the fastest program's parallelism."""
        return short_names(self.program)

    @property
    def joined(self) -> int:
        """The number of calls of the fastest program with several collectives."""
        return sum(bool(each.bucket) for each in self.account.instructions)

    @property
    def gathers(self) -> bool:
        """True if the fastest program makes outputs whole that the search leaves in parts (`as_emitted`)."""
        if with_whole_outputs(self.program) != self.program:
            return False
        return with_whole_outputs(self.searched.program) != self.searched.program

    @property
    def is_searched(self) -> bool:
        """True if the fastest program is the search's answer, apart from outputs that it makes whole."""
        searched = self.searched.program
        return self.program in (searched, with_whole_outputs(searched))

    @property
    def stored(self) -> tuple[tuple[str, Layouts], ...]:
        """The layouts in which sources are kept, of which cuts have no sizes; numbers are not among them."""
        known = dict(self.layouts)
        return tuple(
            (each.name, tuple(map(without_sizes, known[each.name]))) for each in self.program.sources if each.shape
        )

    @property
    def lacks(self) -> tuple[str, ...]:
        """The kinds of devices that hold less than the program needs at its peak, and the missing bytes."""
        worst: dict[str, tuple[int, int]] = {}
        for number, (device, peak) in enumerate(zip(self.cluster.devices, self.account.memory, strict=True)):
            if device.memory is not None and peak > device.memory:
                worst[device.kind] = max(worst.get(device.kind, (0, 0)), (peak - device.memory, -number))
        return tuple(f"{kind} {-number} lacks {missing} bytes" for kind, (missing, number) in worst.items())

    @property
    def layouts(self) -> tuple[tuple[str, Layouts], ...]:
        """The layouts of all that has a name in the distributed program."""
        inferred = infer(self.program)
        assert isinstance(inferred, Inferred)
        return tuple(inferred.layouts.items())

    @property
    def gap(self) -> float:
        """By which part of the bound the time of the search's answer, each collective a call, is above it.

        Infinite where there is a time and no bound.
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
        """A table of what every device keeps."""
        axes = [axis.name for axis in self.program.mesh]
        rows = [(name, ", ".join(map(layout_text, layouts))) for name, layouts in self.stored]
        more = max(0, len(rows) - MOST_ROWS)
        title = f"{repr(self)[1:-1]}; mesh {' x '.join(axes)}"
        return html_table(title, ("tensor", "layout"), rows[:MOST_ROWS], more)
