"""Collect the report's data on chunked execution: of a given plan, or of the best plan if chunking pays."""

from p2smt.cost.bursts import chunks_gain
from p2smt.cost.chunk_time_line import chunk_time_line
from p2smt.cost.extrapolation import is_extrapolated
from p2smt.cost.network.cost import Cost
from p2smt.cost.network.pipelining import WORTH, Pipelines
from p2smt.cost.ranking import RankedPlacement
from p2smt.reduction.plan.model import Plan
from p2smt.report.content.content import ChunksContent


def chunks_content(ranked: RankedPlacement, cost: Cost, plan: Plan | None) -> ChunksContent | None:
    """Return the time line of `plan`, or of the placement's best program split into 2, 4, 8, ... chunks.

    Return None if `plan` has a single chunk. Without `plan`, return None if chunking gains little, or if the
    payload lies outside the range in which the system's parameters are known.
    """
    alone = ranked.programs[0].seconds if ranked.programs else None
    if plan is not None:
        return _content(plan, cost, alone) if plan.chunks > 1 else None
    if alone is None or is_extrapolated(cost.system, ranked.programs[0].plan.payload.bytes):
        return None
    best = Pipelines(cost).best(one.plan for one in ranked.programs)
    if best is None or alone < WORTH * best[1] or not chunks_gain(ranked.programs[0].plan, best[0], cost):
        return None
    return _content(best[0], cost, alone)


def _content(plan: Plan, cost: Cost, alone: float | None) -> ChunksContent:
    line = chunk_time_line(plan, cost)
    return ChunksContent(plan.matrix, plan.program, plan.chunks, line.seconds, alone, line)
