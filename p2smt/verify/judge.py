"""The verdict on a plan by direct execution."""

from collections.abc import Iterator

from p2smt.verify.blame import Wrong, blame
from p2smt.verify.execution import Outcome, Sum, execute, memory_needed
from p2smt.verify.plan import VerificationPlan
from p2smt.verify.shape import shape_mistake
from p2smt.verify.verdict import Unknown, Vacuous, Valid, Verdict

MOST_MEMORY = 2**30


def judge(plan: VerificationPlan) -> Verdict:
    """Whether every device of every goal group ends with every contribution exactly once, or with the average."""
    if mistake := shape_mistake(plan):
        return mistake
    if all(len(group) < 2 for group in plan.goal):
        return Vacuous("no two devices reduce together, so there is nothing to do")
    if memory_needed(plan) > MOST_MEMORY:
        return Unknown(f"{plan.devices} devices with so many chunks take more than {MOST_MEMORY} bytes to follow")
    outcome = execute(plan)
    wrong = min(_wrong(plan, outcome), key=_telling, default=None)
    return Valid(sum(map(len, plan.goal)) * plan.chunks) if wrong is None else blame(wrong)


def _wrong(plan: VerificationPlan, outcome: Outcome) -> Iterator[Wrong]:
    for group in plan.goal:
        weight = outcome.unit // len(group) if plan.average else outcome.unit
        wanted = sum(weight << device * outcome.width for device in group)
        for device in group:
            for chunk, cell in enumerate(outcome.cells[device][plan.result]):
                if cell != Sum(((chunk, wanted),)):
                    yield Wrong(plan, outcome, group, device, chunk, weight)


def _telling(wrong: Wrong) -> int:
    """Chunks that were added together show the guilty step best; what is not there, or undefined, shows it least."""
    if wrong.cell is None:
        return 3
    if len(wrong.cell.counts) > 1:
        return 0
    return 1 if wrong.cell.counts else 2
