"""The plan to use if the payload may be split into chunks, and a lower bound on the time of every program."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from p2smt.cost.any_length import Reach, graph_of
from p2smt.cost.bursts import chunks_gain, has_bursts
from p2smt.cost.chunks_check import claim_fault
from p2smt.cost.chunks_search import ChunksSearch
from p2smt.cost.network.cost import Cost
from p2smt.cost.network.pipelining import MOST_CHUNKS, Pipelines
from p2smt.cost.pipelining_bound import chunks_bound
from p2smt.cost.ranking import RankedPlacement, rank, searched_in_time
from p2smt.errors import TimeUpError
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.matrix_check import check_matrix
from p2smt.problem.model import Problem
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import Plan
from p2smt.reduction.semantics.state_graph import StateGraph
from p2smt.reduction.synth.session import Synthesizer
from p2smt.smt.deadlines import Until

LEAST_GAIN = 1e-3
"""The smallest relative saving for which a chunk count between two powers of two is used."""

_ROUNDED = 1 - 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class CheapestChunks:
    """The plan found (None if there is none) and the extent of the search.

    `complete`: no search was stopped. `every`: a search, verified by the checker, shows that no program of any length
    and no lowering that `BufferRules` allows takes less time, in one piece or in any chunk count tried.
    `weighed_least_s`: a lower bound on the time of every program in these chunk counts. `least_s`: the same for every
    chunk count up to `MOST_CHUNKS`. Both bounds are None if they were not computed.
    """

    plan: Plan | None
    seconds: float = 0.0
    complete: bool
    every: bool = False
    weighed_least_s: float | None = None
    least_s: float | None = None


def cheapest_chunked(
    problem: Problem,
    cost: Cost,
    chunks: int | None = None,
    only: ParallelismMatrix | None = None,
    deadline: float | None = None,
    on_progress: Callable[[int, int, int], None] | None = None,
) -> CheapestChunks:
    """Return the fastest plan in chunks, on any placement or on `only`.

    With `chunks`, the candidates are the programs up to the limit and each placement's cheapest program of any length.
    Without, programs of any length are tried in 1, 2, 4 ... 256 chunks, then the winner in the counts in between, if
    one saves at least a thousandth (`LEAST_GAIN`). If no program has two collectives, the result is the cheapest
    program, whose chunks run one after the other. If ports have bursts, the cheapest plan in one piece is returned
    unless chunks are surely faster with bursts, and nothing is proved. `deadline` and `on_progress` are passed to
    `Synthesizer.synthesize`. Raises ProblemError if `only` is not a placement of the problem.
    """
    if only is not None:
        check_matrix(only, problem)
    synthesis = Synthesizer().synthesize(problem, deadline, on_progress, only=only)
    ranked = [placement for placement in rank(synthesis, cost, deadline=deadline) if placement.programs]
    complete = synthesis.complete and searched_in_time(ranked)
    if not ranked:
        return CheapestChunks(plan=None, complete=complete)
    seconds, plan = min((_best(placement, cost, chunks) for placement in ranked), key=lambda option: option[0])
    if chunks is not None:
        return CheapestChunks(plan=plan, seconds=seconds, complete=complete)
    until, proofs = Until(deadline), list[SearchedChunks]()
    # Placements with the least lower bound first: what they find rules out most of the others by their bounds.
    for placement in sorted(ranked, key=lambda one: one.wire_seconds):
        searched = searched_chunks(placement, problem, cost, seconds, until)
        if searched.plan is not None:
            seconds, plan = searched.seconds, searched.plan
        proofs.append(searched)
    if has_bursts(problem.system.network):
        alone = min((placement.programs[0] for placement in ranked), key=lambda program: program.seconds)
        if not chunks_gain(alone.plan, plan, cost):
            seconds, plan = alone.seconds, alone.plan
        return CheapestChunks(plan=plan, seconds=seconds, complete=complete)
    seconds, plan = _between_powers(plan, seconds, cost)
    known = complete and all(placement.any_length for placement in ranked)
    weighed = _least_of([found.least_s for found in proofs]) if known else None
    return CheapestChunks(
        plan=plan,
        seconds=seconds,
        complete=complete,
        every=weighed is not None and weighed >= seconds * _ROUNDED and all(found.checked for found in proofs),
        weighed_least_s=None if weighed is None else min(weighed, seconds),
        least_s=_least_in_any_number(ranked, problem, cost, seconds, until) if known else None,
    )


def _between_powers(plan: Plan, seconds: float, cost: Cost) -> tuple[float, Plan]:
    """Return the fastest chunk count from half to twice the plan's, if it saves `LEAST_GAIN`, as (seconds, plan)."""
    most = min(2 * plan.chunks, MOST_CHUNKS, plan.payload.elements)
    # The search has tried half and twice as many, so only numbers between them are left.
    numbers = range(plan.chunks // 2 + 1, most + 1) if plan.chunks > 1 else ()
    priced = ((cost.plan_seconds(other), other) for other in (replace(plan, chunks=number) for number in numbers))
    best = min(priced, key=lambda option: option[0], default=(seconds, plan))
    return best if best[0] < seconds * (1 - LEAST_GAIN) else (seconds, plan)


def in_chunks(plan: Plan, cost: Cost, chunks: int | None) -> Plan:
    """Return a plan in `chunks` chunks; for None, in the fastest of 1, 2, 4 ... 256 chunks."""
    if chunks is not None:
        return replace(plan, chunks=chunks)
    best = Pipelines(cost).best([plan])
    if best is None or best[1] >= cost.plan_seconds(plan) or not chunks_gain(plan, best[0], cost):
        return plan
    return best[0]


def _best(placement: RankedPlacement, cost: Cost, chunks: int | None) -> tuple[float, Plan]:
    """Return the seconds and the plan of a placement's fastest program; the cheapest one may stay in one piece."""
    first = placement.programs[0].plan
    alone = first if chunks is None else replace(first, chunks=chunks)
    best = Pipelines(cost).best((program.plan for program in placement.programs), chunks)
    seconds = cost.plan_seconds(alone)
    return (seconds, alone) if best is None or seconds <= best[1] else (best[1], best[0])


@dataclass(frozen=True, slots=True)
class SearchedChunks:
    """The result of a search on one placement: a plan faster than the known one (None if there is none).

    `least_s`: a lower bound on every program on this placement; None if unknown. `checked`: the checker verified that
    nothing is faster than `plan`, or than the known plan if `plan` is None.
    """

    plan: Plan | None = None
    seconds: float = 0.0
    least_s: float | None = None
    checked: bool = False


def searched_chunks(
    placement: RankedPlacement, problem: Problem, cost: Cost, seconds: float, until: Until
) -> SearchedChunks:
    """Search all chunk counts for a program of any length that takes less than `seconds`."""
    if placement.wire_seconds * _ROUNDED >= seconds:
        return SearchedChunks(least_s=placement.wire_seconds * _ROUNDED, checked=True)
    lowering = Lowering(problem, placement.placed.matrix)
    try:
        graph = graph_of(lowering, found_all=False, until=until)
        if not isinstance(graph, StateGraph):
            is_all = graph is Reach.ALL
            return SearchedChunks(least_s=placement.programs[0].seconds if is_all else None, checked=is_all)
        found = ChunksSearch(lowering, graph, cost, until).below(seconds)
        is_best = found.least_s >= found.seconds * _ROUNDED
        fault = claim_fault(found.claim, lowering, graph.language, cost, until) if is_best else None
    except TimeUpError:
        return SearchedChunks()
    # The checker shares no code with the search; a fault is a defect of p2smt, not of the problem.
    assert fault is None, f"the search in chunks proves nothing: {fault}"
    return SearchedChunks(found.plan, found.seconds, found.least_s, checked=is_best)


def _least_of(found: Sequence[float | None]) -> float | None:
    """Return the smallest of some bounds; None if one of them is unknown."""
    known = [each for each in found if each is not None]
    return min(known) if len(known) == len(found) else None


def _least_in_any_number(
    ranked: Sequence[RankedPlacement], problem: Problem, cost: Cost, seconds: float, until: Until
) -> float | None:
    """Return a lower bound, in seconds, on every program of any length in any chunk count; None if unknown."""
    try:
        bounds = [_bound(placement, problem, cost, seconds, until) for placement in ranked]
    except TimeUpError:
        return None
    least = _least_of(bounds)
    return None if least is None else min(least, seconds)


def _bound(placement: RankedPlacement, problem: Problem, cost: Cost, seconds: float, until: Until) -> float | None:
    """Return a lower bound on a placement's programs: the link bound if that is high enough; None if unknown."""
    if placement.wire_seconds * _ROUNDED >= seconds:
        return placement.wire_seconds * _ROUNDED
    bound = chunks_bound(Lowering(problem, placement.placed.matrix), cost, MOST_CHUNKS, until)
    return None if bound is None else min(placement.programs[0].seconds, bound.seconds)
