"""The verdict on a plan by direct execution."""

from p2smt.program.free_plan import FreePlan
from p2smt.semantics.free_execution import CUT, Cell, execute
from p2smt.verify.blame import Wrong, blame
from p2smt.verify.shape import shape_mistake
from p2smt.verify.verdict import Vacuous, Valid, Verdict


def judge(plan: FreePlan) -> Verdict:
    """Whether every device of every goal group ends with every contribution exactly once, or with the average."""
    if mistake := shape_mistake(plan):
        return mistake
    if all(len(group) < 2 for group in plan.goal):
        return Vacuous("no two devices reduce together, so there is nothing to do")
    outcome = execute(plan)
    checked = 0
    for group in plan.goal:
        weight = outcome.unit // len(group) if plan.average else outcome.unit
        wanted = sum(weight << device * outcome.width for device in group)
        for device in group:
            for chunk, cell in enumerate(outcome.cells[device][plan.result]):
                if not _right(cell, chunk, wanted):
                    return blame(Wrong(plan, outcome, group, device, chunk, weight))
                checked += 1
    return Valid(checked)


def _right(cell: Cell, chunk: int, wanted: int) -> bool:
    return cell in (((chunk, wanted),), ((CUT, 1), (chunk, wanted)))
