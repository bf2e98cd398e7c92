"""The plan to use where the payload may be cut into chunks, and how much less any program could take."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from p2smt.cost.any_length import Reach
from p2smt.cost.network.backend import Cost
from p2smt.cost.pipelining import MOST_CHUNKS, Pipelines
from p2smt.cost.pipelining_bound import ChunksBound, chunks_bound
from p2smt.cost.ranking import RankedPlacement, rank, searched_in_time
from p2smt.errors import TimeUpError
from p2smt.placement.matrix import ParallelismMatrix, check_matrix
from p2smt.problem.model import Problem
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.plan.model import Plan
from p2smt.reduction.synth.session import Synthesizer
from p2smt.smt.deadlines import Until

_ROUNDED = 1 - 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class CheapestChunks:
    """The plan found, None if none was, and what was looked through for it.

    `complete`: the searches ended. `every`: all programs of any length were priced, each in all numbers of chunks that
    are weighed. `least_s`: no program of any length takes less, in one piece or in any number of chunks up to
    `MOST_CHUNKS`, as far as it was worked out; None where it was not, or is not asked for.
    """

    plan: Plan | None
    seconds: float = 0.0
    complete: bool
    every: bool = False
    least_s: float | None = None


def cheapest_chunked(
    problem: Problem,
    cost: Cost,
    chunks: int | None = None,
    only: ParallelismMatrix | None = None,
    deadline: float | None = None,
    on_progress: Callable[[int, int, int], None] | None = None,
) -> CheapestChunks:
    """The plan that takes least in chunks, on any placement or on `only` one.

    `chunks`: in so many; None: in 1, 2, 4 ... 256, whichever takes least time. Weighed are all programs up to the
    limit, each placement's cheapest of any length in one piece, and those that the bound on all lengths rests on.
    Where no program has two steps, the cheapest one whose chunks follow one another. `deadline` and `on_progress` are
    those of `Synthesizer.synthesize`. Raises ProblemError for a matrix that is no placement of the problem.
    """
    if only is not None:
        check_matrix(only, problem)
    synthesis = Synthesizer().synthesize(problem, deadline, on_progress, only=only)
    ranked = [placement for placement in rank(synthesis, cost, deadline=deadline) if placement.programs]
    complete = synthesis.complete and searched_in_time(ranked)
    if not ranked:
        return CheapestChunks(plan=None, complete=complete)
    every = complete and all(placement.reach is Reach.ALL for placement in ranked)
    found = min((_best(placement, cost, chunks) for placement in ranked), key=lambda option: option[0])
    if chunks is not None or every:
        return CheapestChunks(plan=found[1], seconds=found[0], complete=complete, every=every and chunks is None)
    try:
        bounds = [_bound(placement, problem, cost, found[0], Until(deadline)) for placement in ranked]
    except TimeUpError:
        return CheapestChunks(plan=found[1], seconds=found[0], complete=complete)
    more = [_more(placement, bound, cost) for placement, bound in zip(ranked, bounds, strict=True)]
    found = min([found, *(option for option in more if option is not None)], key=lambda option: option[0])
    known = complete and all(placement.any_length for placement in ranked) and None not in bounds
    least = [_least(placement, bound) for placement, bound in zip(ranked, bounds, strict=True)]
    return CheapestChunks(
        plan=found[1], seconds=found[0], complete=complete, least_s=min(*least, found[0]) if known else None
    )


def in_chunks(plan: Plan, cost: Cost, chunks: int | None) -> Plan:
    """A plan in so many chunks; None: in 1, 2, 4 ... 256, whichever takes least time."""
    if chunks is not None:
        return replace(plan, chunks=chunks)
    best = Pipelines(cost).best([plan])
    return plan if best is None or best[1] >= cost.plan_seconds(plan) else best[0]


def _best(placement: RankedPlacement, cost: Cost, chunks: int | None) -> tuple[float, Plan]:
    """The seconds and the plan of the programs of a placement that take least; the cheapest one may stay in a piece."""
    first = placement.programs[0].plan
    alone = first if chunks is None else replace(first, chunks=chunks)
    best = Pipelines(cost).best((program.plan for program in placement.programs), chunks)
    seconds = cost.plan_seconds(alone)
    return (seconds, alone) if best is None or seconds <= best[1] else (best[1], best[0])


def _bound(
    placement: RankedPlacement, problem: Problem, cost: Cost, seconds: float, until: Until
) -> ChunksBound | float | None:
    """What programs of any length take at least on a placement: its wire where that is enough; None: not known."""
    if placement.wire_seconds * _ROUNDED >= seconds:
        return placement.wire_seconds * _ROUNDED
    return chunks_bound(Lowering(problem, placement.placed.matrix), cost, MOST_CHUNKS, until)


def _more(placement: RankedPlacement, bound: ChunksBound | float | None, cost: Cost) -> tuple[float, Plan] | None:
    """The best of the programs that a bound rests on."""
    if not isinstance(bound, ChunksBound):
        return None
    lowering = placement.programs[0].lowering
    best = Pipelines(cost).best(lowering.plan(program) for program in bound.programs)
    return None if best is None else (best[1], best[0])


def _least(placement: RankedPlacement, bound: ChunksBound | float | None) -> float:
    """What programs take at least on a placement, in one piece or in chunks."""
    in_chunks = bound.seconds if isinstance(bound, ChunksBound) else bound or 0.0
    return min(placement.programs[0].seconds, in_chunks)
