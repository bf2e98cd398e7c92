"""What the tests of emitted communication share: plans of every goal on one placement."""

from functools import cache
from math import prod

from support import plans, problem

from p2smt.collective import Collective, NeighbourSend
from p2smt.emit.torch.source import emit_torch
from p2smt.emit.torch.training.source import Communication
from p2smt.placement.enumeration import all_placements
from p2smt.reduction.language.hierarchy import all_to_all_text, send_text
from p2smt.reduction.plan.exchange import all_to_all_plan, send_plan
from p2smt.reduction.plan.lower import Lowering
from p2smt.reduction.synth.all_to_all import all_to_all_programs


def all_to_alls(sizes=(2, 2, 2)):
    asked = problem(sizes, [prod(sizes)])
    lowering = Lowering(asked, all_placements(asked).items[0])
    for program in all_to_all_programs(lowering.language, 5):
        yield all_to_all_plan(lowering, program.groupings, all_to_all_text(lowering.hierarchy, program.groupings))
    for send in NeighbourSend:
        yield send_plan(lowering, send, send_text(lowering.hierarchy, send))


@cache
def every_goal():
    """A plan of every goal on one placement; of reductions ones in which ranks differ, if there are."""
    found = [plans(problem([2, 2, 2], [8], goal=goal, limit=3)) for goal in Collective]
    chosen = [max(some, key=lambda plan: sum("CLASSES_" in text for text in [emit_torch(plan)])) for some in found]
    parts = [*chosen, *all_to_alls()]
    return [Communication(name=f"part {number}", plan=plan, times=0.5) for number, plan in enumerate(parts)]
