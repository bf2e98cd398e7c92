"""Verify a plan by direct execution.

A goal is a list of required sums, one for each chunk of each device. The plan is executed once (`execution.py`), and
every result is compared with
    sum over contributors of  weight * x[contributor, chunk],   weight = unit, or unit / group size for an average.
Contributions are symbols, so equality is that of coefficients: the verdict holds for all inputs. Plans that would need
too much memory, or counts beyond `MOST_BITS`, are unknown.
Complexity: O(steps x members x chunks) operations on integers with a field for each device.
Reference: King, "Symbolic execution and program testing", 1976.

Example: an AllReduce among 2 ranks without its second half: device 1 still holds x1 instead of x0 + x1.
"""

from collections.abc import Iterator

from p2smt.verify.blame import WrongChunk, blame
from p2smt.verify.execution import Outcome, Sum, execute, memory_needed
from p2smt.verify.goal import results, wanted
from p2smt.verify.growth import MOST_BITS, divides, grows_too_long, negates
from p2smt.verify.plan import VerificationPlan
from p2smt.verify.plan_verdict import PlanProof, PlanVerdict, Vacuity
from p2smt.verify.shape import shape_mistake
from p2smt.verify.verdict import Proved, Refuted, Unknown

MOST_MEMORY = 2**30


def judge(plan: VerificationPlan) -> PlanVerdict:
    """Return the verdict on the claim that every device ends with the required results."""
    if mistake := shape_mistake(plan):
        return Refuted(mistake)
    # A goal without a group of two would call every plan right.
    if all(len(group) < 2 for group in plan.goal.groups):
        return Refuted(Vacuity("no group of the goal has two devices, so there is nothing to do"))
    if grows_too_long(plan):
        return Unknown(f"a contribution may be counted more than 2^{MOST_BITS} times, which is not supported")
    if memory_needed(plan) > MOST_MEMORY:
        return Unknown(f"{plan.devices} devices with so many chunks take more than {MOST_MEMORY} bytes to follow")
    if plan.integers and negates(plan) and divides(plan):
        return Unknown("integers are both subtracted and divided; rounding of negative fractions is not supported")
    outcome = execute(plan)
    wrong = min(_wrong(plan, outcome), key=_telling, default=None)
    return Proved(PlanProof(results(plan))) if wrong is None else Refuted(blame(wrong))


def _wrong(plan: VerificationPlan, outcome: Outcome) -> Iterator[WrongChunk]:
    goal = plan.goal
    for group in goal.groups:
        weight = outcome.unit // len(group) if goal.average else outcome.unit
        contributors: tuple[int, ...] = ()
        fields = 0
        for member, device in enumerate(group):
            cells = outcome.cells[device][goal.target.buffer][goal.target.start : goal.target.end]
            for at, here in enumerate(wanted(goal, group, member)):
                # Members of a group often want the same contributors, so the packed sum is computed
                # once.
                if here.contributors is not contributors:
                    contributors = here.contributors
                    fields = sum(weight << one * outcome.width for one in contributors)
                if cells[at] != Sum(((here.chunk, fields),)):
                    yield WrongChunk(plan=plan, outcome=outcome, wanted=here, device=device, at=at, weight=weight)


def _telling(wrong: WrongChunk) -> int:
    """Return a sort key that puts results first that identify the faulty step best.

    Mixed chunks identify it best, missing and undefined contributions worst.
    """
    if wrong.cell is None:
        return 3
    if len(wrong.cell.counts) > 1:
        return 0
    return 1 if wrong.cell.counts else 2
