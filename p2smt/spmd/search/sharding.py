"""The fastest distributed program on one axis over several sharding ratios, with a lower bound.

Problem: minimise the time t(x, s) over programs x and sharding ratios s. For fixed ratios this is one joint problem,
which `searching.py` solves and bounds; the ratios that are given are enumerated:
    answer = min over s of  min over x of t(x, s),     bound = min over s of bound(s).
Baselines with one of these ratios count as programs too. If programs may compute values twice or again, they lie
outside of the joint problem, and the bound is the least computing for any of the ratios (`twice.py`).
Complexity: one joint problem for each of the ratios, and one for each baseline.
Reference: Zhang et al., "HAP: SPMD DNN training on heterogeneous GPU clusters with automated program synthesis",
EuroSys 2024, which alternates between the two minima instead (`alternation.py`).

Example: 4 units of work without communication, on devices of speeds 1 and 3. Even ratios take max(2 / 1, 2 / 3) = 2,
proportional ones max(1 / 1, 3 / 3) = 1, so the program with the latter is the answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from p2smt.errors import EngineError, ProblemError
from p2smt.spmd.account.candidate import Candidate
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.shares import Shares, even, proportional
from p2smt.spmd.engines.engine import ALL, MEMORY, EngineOptions, HapRestriction, Heuristic, ShardingEngine
from p2smt.spmd.engines.problem import Impossible
from p2smt.spmd.engines.solving import JointSolver
from p2smt.spmd.model.build import Sharding, build
from p2smt.spmd.model.chosen import ReadableAssignment
from p2smt.spmd.model.classes import classes_of
from p2smt.spmd.model.conditions import Conditions, parse_conditions
from p2smt.spmd.model.forms import Forms
from p2smt.spmd.model.gradient_sums import ANYWHERE, GradientSums, marked
from p2smt.spmd.model.graph import graph_of
from p2smt.spmd.model.options import OptionCache
from p2smt.spmd.model.pricing import on_one_axis
from p2smt.spmd.model.restriction import BothRestrictions, PerAxis, Restriction
from p2smt.spmd.search.baselines import BASELINES, DATA, applies
from p2smt.spmd.search.next_best import differences, next_best
from p2smt.spmd.search.recomputation import with_recomputation
from p2smt.spmd.search.searching import FoundProgram, made_of, rank_of
from p2smt.spmd.search.sharded import OneAxisScope, ShardingResult
from p2smt.spmd.search.twice import least_computing, with_copies
from p2smt.tensor.program import Program


def shard(
    program: Program,
    cluster: Cluster,
    shares: Sequence[Shares],
    engine: ShardingEngine = ShardingEngine.ELIMINATION,
    conditions: Sequence[str] = (),
    *,
    certify: bool = False,
    beside: bool = True,
    heuristics: frozenset[Heuristic] = ALL,
    published: frozenset[HapRestriction] = frozenset(),
    more: int = 0,
    twice: int = 0,
    recompute: int = 0,
    memory: int = MEMORY,
    sums: GradientSums = ANYWHERE,
) -> ShardingResult:
    """Return the fastest program over all ratios, with baselines if `beside`, and `more` next best programs.

    `twice` is the most duplicated values, and `recompute` the most kinds of operations to recompute if memory is short.
    Baselines ignore `published`. `memory` is the memory of elimination in bytes; `sums` constrains where gradients are
    reduced. Raises ProblemError if no program satisfies the conditions.
    """
    graph = marked(graph_of(program), sums)
    read = parse_conditions(conditions, graph)
    prepared = _SharedValues(Forms(graph, classes_of(graph), (len(cluster.devices),)), cluster)
    once = [prepared.build(each, read, published) for each in shares]
    search = EngineOptions(engine, heuristics, published, certify, memory)
    problems = [with_copies(each, read, search, twice) for each in once] if twice else once
    results = [with_recomputation(sharding, read, search, recompute) for sharding in problems]
    found, copies = [each.found for each in results], twice or any(each.operations for each in results)
    others, left_out = _baselines(prepared, search) if beside else ((), ())
    # Baselines may violate conditions, and lie outside of the space with published restrictions.
    able = [] if conditions or published else [program for _, program in others]
    chosen_of = [min((each.fastest, *_alike(each.fastest, able)), key=rank_of) for each in found]
    best = min(chosen_of, key=rank_of)
    free = next(sharding for sharding in problems if sharding.pricing.shares[0].parts == best.candidate.shares.parts)
    spare = _spare(free, best.chosen, more)
    best = min((best, *(each for _, each in spare)), key=rank_of)
    again = {id(each.found.fastest): each.operations for each in results}

    def candidate(made: FoundProgram) -> Candidate:
        return replace(made.candidate, recomputed=again.get(id(made), ()))

    answer, notes = candidate(best), [note for each in found for note in each.notes]
    return ShardingResult(
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
        scope=OneAxisScope(answer.recomputed),
        notes=tuple(dict.fromkeys([*notes, *left_out])),
        keeping=tuple(map(candidate, _keeping(prepared, shares, read, search) if beside and not published else ())),
    )


@dataclass(frozen=True, slots=True)
class _SharedValues:
    """Cached values shared by the joint problems of one program and cluster, and per sharding ratios."""

    forms: Forms
    cluster: Cluster
    known: dict[Shares, OptionCache] = field(default_factory=dict)

    def build(
        self, shares: Shares, restriction: Restriction, published: frozenset[HapRestriction] = frozenset()
    ) -> Sharding:
        """Return the joint problem for some ratios."""
        if shares not in self.known:
            pricing = on_one_axis(self.forms.graph, self.forms.classes, self.cluster, shares)
            self.known[shares] = OptionCache(pricing, self.forms)
        return build(self.known[shares], restriction, published)


def _alike(fastest: FoundProgram, others: Sequence[FoundProgram]) -> list[FoundProgram]:
    """Return the programs with the same ratios."""
    return [each for each in others if each.candidate.shares.parts == fastest.candidate.shares.parts]


def _spare(sharding: Sharding, first: ReadableAssignment, count: int) -> tuple[tuple[str, FoundProgram], ...]:
    """Return the next best programs, named by the sources that they store differently."""
    found = []
    for assignment in next_best(sharding, first, count):
        made = made_of(sharding, assignment)
        unlike = differences(sharding, first, made.chosen)
        found.append((f"next best, {unlike[0]}{', ...' if len(unlike) > 1 else ''}", made))
    return tuple(found)


def _baselines(
    prepared: _SharedValues, search: EngineOptions
) -> tuple[tuple[tuple[str, FoundProgram], ...], tuple[str, ...]]:
    """Return the baselines, with even ratios and, on heterogeneous devices, with proportional ones.

    The second result has a line for each baseline that was left out because it could not be priced.
    """
    graph, classes, speeds = prepared.forms.graph, prepared.forms.classes, prepared.cluster.speeds
    choices = [even(len(speeds))]
    if len(set(speeds)) > 1:
        choices.append(proportional(speeds))
    solver, found, left_out = JointSolver.aside(search), [], []
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


def _keeping(
    prepared: _SharedValues, shares: Sequence[Shares], conditions: Conditions, search: EngineOptions
) -> tuple[FoundProgram, ...]:
    """Return the data-parallel and ZeRO programs that satisfy the conditions, with each of the ratios.

    A search prices every collective as one call, but the many small ones of these strategies are fused into few
    buckets. ZeRO-3 comes first, so that it wins ties: replicated parameters are updated in shards, gathered and
    copied.
    """
    if not conditions.each:
        return ()
    graph, classes, solver, found = prepared.forms.graph, prepared.forms.classes, JointSolver.aside(search), []
    for name, made in reversed(BASELINES):
        if not name.startswith(DATA) or not applies(name, graph, classes):
            continue
        both = BothRestrictions(PerAxis((made(graph, classes),)), conditions)
        for each in shares:
            try:
                program = _restricted(prepared, each, both, solver)
            except EngineError:
                continue
            if program is not None:
                found.append(program)
    return tuple(found)


def _restricted(
    prepared: _SharedValues, shares: Shares, restriction: Restriction, solver: JointSolver
) -> FoundProgram | None:
    """Return the cheapest program within a restriction, or None. Raises EngineError if the solver fails."""
    try:
        sharding = prepared.build(shares, restriction)
    except ProblemError:
        return None
    answer = solver.solve_within_memory(sharding.problem).answer
    if isinstance(answer, Impossible):
        return None
    return made_of(sharding, answer.assignment)
