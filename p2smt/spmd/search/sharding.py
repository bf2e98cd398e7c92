"""The fastest distributed program for a program and a cluster, over several shares, with a lower bound."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from p2smt.errors import EngineError, ProblemError
from p2smt.spmd.account.candidate import Candidate
from p2smt.spmd.account.instruction import Account
from p2smt.spmd.account.recognition import short_names
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.device_mesh import MeshOutcome
from p2smt.spmd.devices.network import Network
from p2smt.spmd.devices.shares import Shares, even, proportional
from p2smt.spmd.emission.whole_outputs import with_whole_outputs
from p2smt.spmd.engines.engine import ALL, MEMORY, Engine, Heuristic, Published, Search
from p2smt.spmd.engines.problem import Impossible
from p2smt.spmd.engines.solving import Solver
from p2smt.spmd.model.build import Sharding, build
from p2smt.spmd.model.chosen import Chosen
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.conditions import parse_conditions
from p2smt.spmd.model.forms import Forms
from p2smt.spmd.model.gradient_sums import ANYWHERE, GradientSums, marked
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.layouts import without_sizes
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import on_one_axis
from p2smt.spmd.model.restriction import PerAxis, Restriction
from p2smt.spmd.search.baselines import BASELINES, applies
from p2smt.spmd.search.next_best import differences, next_best
from p2smt.spmd.search.recomputation import with_recomputation
from p2smt.spmd.search.searching import Made, made_of, rank_of
from p2smt.spmd.search.twice import least_computing, with_copies
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred, Layouts
from p2smt.tensor.program import Program


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment of a step: its parameters, operations on numbers, and the shares of what is cut in it."""

    parameters: tuple[str, ...]
    flops: int
    shares: Shares


@dataclass(frozen=True, slots=True, kw_only=True)
class Sharded:
    """The fastest of the candidates, one for each of the shares that were tried.

    Baselines with these shares are among what a candidate is chosen from, unless there are conditions: the search adds
    up operation by operation, so that a program which it passes over can be faster by stages.
    `lower_bound` is the least of all shares' bounds, in picoseconds, on the time by stages; HiGHS proves its
    own in floating-point numbers, and it may lie below the optimum. `proved` says that a
    checker of its own has accepted the certificates of all optima, and so of the bound. `spare` are the next best
    programs with its shares that were asked for.
    On a mesh of several axes `placement` is how they lie on the hardware, `networks` price collectives along each axis,
    `tried` are all meshes that were looked at, and not `exact` says that one axis was searched given the others.
    A search counts each collective as a call of its own, and so does the bound. `searched` is its answer where all
    else is as emitted, with collectives in buckets of at most `buckets` bytes (`as_emitted`), 0 for none; and it has
    outputs in parts where all else has them whole, but for those that a condition speaks of.
    In `segments`, where there are some, shares differ; `shares` are their mean then, weighted by work, and the
    candidates are one for each round of HAP's loop. `recomputed` are operations of the forward pass whose results the
    backward pass computes again. `notes` say what was searched otherwise than asked, and which baselines are left out.
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
    placement: str = ""
    networks: tuple[Network, ...] = ()
    tried: tuple[MeshOutcome, ...] = ()
    exact: bool = True
    segments: tuple[Segment, ...] = ()
    recomputed: tuple[str, ...] = ()
    searched: Candidate | None = None
    buckets: int = 0
    notes: tuple[str, ...] = ()

    @property
    def answer(self) -> Candidate:
        """The fastest program."""
        return Candidate(self.shares, self.program, self.account, self.recomputed)

    @property
    def meaning(self) -> tuple[str, ...]:
        """What the field calls the fastest program, in a word for each parallelism."""
        return short_names(self.program)

    @property
    def joined(self) -> int:
        """How many calls of the fastest program are of several collectives."""
        return sum(bool(each.bucket) for each in self.account.instructions)

    @property
    def gathers(self) -> bool:
        """Whether the fastest program makes outputs whole that the search's answer leaves in parts (`as_emitted`)."""
        if self.searched is None or with_whole_outputs(self.program) != self.program:
            return False
        return with_whole_outputs(self.searched.program) != self.searched.program

    @property
    def is_searched(self) -> bool:
        """Whether the fastest program is the search's answer, but for outputs that it makes whole."""
        return self.searched is None or self.program in (
            self.searched.program,
            with_whole_outputs(self.searched.program),
        )

    @property
    def stored(self) -> tuple[tuple[str, Layouts], ...]:
        """The layouts in which sources are kept, of which cuts have no sizes; numbers are not among them."""
        known = dict(self.layouts)
        return tuple(
            (each.name, tuple(map(without_sizes, known[each.name]))) for each in self.program.sources if each.shape
        )

    @property
    def lacks(self) -> tuple[str, ...]:
        """Which kinds of devices hold less than the program needs at its peak, and by how much."""
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
        """By which part of the bound the time of the search's answer, each collective a call, is above it."""
        time = (self.searched or self.answer).account.time
        return (time - self.lower_bound) / self.lower_bound if self.lower_bound else 0.0


def shard(
    program: Program,
    cluster: Cluster,
    shares: Sequence[Shares],
    engine: Engine = Engine.ELIMINATION,
    conditions: Sequence[str] = (),
    *,
    certify: bool = False,
    beside: bool = True,
    heuristics: frozenset[Heuristic] = ALL,
    published: frozenset[Published] = frozenset(),
    more: int = 0,
    twice: int = 0,
    recompute: int = 0,
    memory: int = MEMORY,
    sums: GradientSums = ANYWHERE,
) -> Sharded:
    """The fastest program of all shares, with the baselines `beside` it or without, and some `more` of its shares.

    `twice` is how many copies of values may be computed beside them, `recompute` of how many kinds of operations the
    results may be computed again where memory is short. Baselines do not keep `published`. `memory` are the bytes that
    elimination may take, `sums` say where gradients are summed. ProblemError for conditions that leave nothing.
    """
    graph = marked(graph_of(program), sums)
    read = parse_conditions(conditions, graph)
    prepared = _Prepared(Forms(graph, classes_of(graph), (len(cluster.devices),)), cluster)
    once = [prepared.build(each, read, published) for each in shares]
    search = Search(engine, heuristics, published, certify, memory)
    problems = [with_copies(each, read, search, twice) for each in once] if twice else once
    results = [with_recomputation(sharding, read, search, recompute) for sharding in problems]
    found, copies = [each.found for each in results], twice or any(each.operations for each in results)
    others, left_out = _baselines(prepared, search) if beside else ((), ())
    able = [] if conditions or published else [program for _, program in others]
    chosen_of = [min((each.fastest, *_alike(each.fastest, able)), key=rank_of) for each in found]
    best = min(chosen_of, key=rank_of)
    free = next(sharding for sharding in problems if sharding.pricing.shares[0].parts == best.candidate.shares.parts)
    spare = _spare(free, best.chosen, more)
    best = min((best, *(each for _, each in spare)), key=rank_of)
    again = {id(each.found.fastest): each.operations for each in results}

    def candidate(made: Made) -> Candidate:
        return replace(made.candidate, recomputed=again.get(id(made), ()))

    answer, notes = candidate(best), [note for each in found for note in each.notes]
    return Sharded(
        program=answer.program,
        cluster=cluster,
        shares=answer.shares,
        account=answer.account,
        lower_bound=min(map(least_computing, once)) if copies else min(each.bound for each in found),
        candidates=tuple(map(candidate, chosen_of)),
        baselines=tuple((name, candidate(each)) for name, each in others),
        spare=tuple((name, candidate(each)) for name, each in spare),
        engine=engine,
        proved=certify and not copies,
        recomputed=answer.recomputed,
        notes=tuple(dict.fromkeys([*notes, *left_out])),
    )


@dataclass(frozen=True, slots=True)
class _Prepared:
    """What joint problems of one program and cluster have in common, and those of the same shares besides."""

    forms: Forms
    cluster: Cluster
    known: dict[Shares, OptionCache] = field(default_factory=dict)

    def build(
        self, shares: Shares, restriction: Restriction, published: frozenset[Published] = frozenset()
    ) -> Sharding:
        """The joint problem for some shares."""
        if shares not in self.known:
            pricing = on_one_axis(self.forms.graph, self.forms.classes, self.cluster, shares)
            self.known[shares] = OptionCache(pricing, self.forms)
        return build(self.known[shares], restriction, published)


def _alike(fastest: Made, others: Sequence[Made]) -> list[Made]:
    """Those of the same shares."""
    return [each for each in others if each.candidate.shares.parts == fastest.candidate.shares.parts]


def _spare(sharding: Sharding, first: Chosen, count: int) -> tuple[tuple[str, Made], ...]:
    """The next best programs, called after what they store otherwise than the first."""
    found = []
    for assignment in next_best(sharding, first, count):
        made = made_of(sharding, assignment)
        unlike = differences(sharding, first, made.chosen)
        found.append((f"next best, {unlike[0]}{', ...' if len(unlike) > 1 else ''}", made))
    return tuple(found)


def _baselines(prepared: _Prepared, search: Search) -> tuple[tuple[tuple[str, Made], ...], tuple[str, ...]]:
    """The programs of the trade, with even shares and, where devices are unlike, with proportional ones.

    Beside them a line for each that is left out, because it cannot be priced.
    """
    graph, classes, speeds = prepared.forms.graph, prepared.forms.classes, prepared.cluster.speeds
    choices = [even(len(speeds))]
    if len(set(speeds)) > 1:
        choices.append(proportional(speeds))
    solver, found, left_out = Solver.aside(search), [], []
    for name, made in BASELINES:
        if not applies(name, graph, classes):
            continue
        for shares in choices[: 1 if name.startswith("every") else None]:
            label = name if name.startswith("every") else f"{name}, {shares.name}"
            try:
                program = _restricted(prepared, shares, PerAxis((made(graph, classes),)), solver)
            except EngineError as cause:
                left_out.append(f"{label} is left out of the comparison: {cause}")
                continue
            if program is not None:
                found.append((label, program))
    return tuple(found), tuple(left_out)


def _restricted(prepared: _Prepared, shares: Shares, restriction: Restriction, solver: Solver) -> Made | None:
    """The cheapest program within a restriction; None where there is none. EngineError where none is found."""
    try:
        sharding = prepared.build(shares, restriction)
    except ProblemError:
        return None
    answer = solver.solve_within_memory(sharding.problem).answer
    if isinstance(answer, Impossible):
        return None
    return made_of(sharding, answer.assignment)
