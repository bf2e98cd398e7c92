"""The parts of emitted torch files, besides the steps, for plans of several chunks."""

from collections.abc import Iterator

from p2smt.collective import Collective
from p2smt.reduction.plan.chunking import shards
from p2smt.reduction.plan.model import CollectiveStep, Plan

_IN_PLACE = """\
for part, result in zip(parts, results, strict=True):
    if result.data_ptr() != part.data_ptr():
        part.copy_(result.view(part.shape))
return buffer
"""
_PUT_TOGETHER = "return torch.cat([result.view(ROWS_AFTER, -1) for result in results], dim=1).view(-1)\n"


def joining(goal: Collective) -> str:
    """Return the lines that assemble the results of chunks, in place if results are as long as their chunks."""
    match goal:
        case Collective.ALL_REDUCE:
            return _IN_PLACE
        case Collective.REDUCE_SCATTER | Collective.ALL_GATHER | Collective.REDUCE | Collective.BROADCAST:
            return _PUT_TOGETHER


def constants(plan: Plan) -> Iterator[str]:
    """Yield the constants of a plan of several chunks; none for a single chunk."""
    if plan.chunks == 1:
        return
    cut = shards(plan)
    yield "# So many chunks, steps of different ones at work at once; each is a piece of every shard, or of all.\n"
    yield f"CHUNKS, STEPS = {plan.chunks}, {sum(isinstance(step, CollectiveStep) for step in plan.steps)}\n"
    yield f"SHARDS, UNIT = {cut}, {1 if cut > 1 else plan.multiple}\n"
    yield f"ROWS_BEFORE = {cut if plan.goal.scatters else 1}\n"
    if "ROWS_AFTER" in joining(plan.goal):
        yield f"ROWS_AFTER = {cut if plan.goal.gathers else 1}\n"
    yield "Chunk = Generator[torch.Tensor, None, torch.Tensor]\n"
