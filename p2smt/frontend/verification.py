"""A plan file, verified: the plan in it, the verdict, and the smallest plan that shows a mistake."""

from dataclasses import dataclass
from pathlib import Path

from p2smt.frontend.asked_goal import AS_WRITTEN, AskedGoal
from p2smt.frontend.format import Format
from p2smt.frontend.importers import read_any
from p2smt.frontend.torch_function.plan import Tracing
from p2smt.verify.check import verify
from p2smt.verify.counter_example import CounterExample, counter_example
from p2smt.verify.plan import VerificationPlan
from p2smt.verify.verdict import NoPlan, Verdict


@dataclass(frozen=True, slots=True)
class Verification:
    """What was read of a file (Invalid or Unknown: no plan), what is to be said of it, and the smallest mistake.

    `counter_example` is None where there is no mistake, or no plan that could be run.
    """

    plan: VerificationPlan | NoPlan
    verdict: Verdict
    counter_example: CounterExample | None


def verify_file(
    path: Path | str,
    form: Format | None = None,
    asked: AskedGoal = AS_WRITTEN,
    tracing: Tracing | None = None,
    deadline: float | None = None,
) -> Verification:
    """Read a plan file as `read_any` does and verify it; `asked` is a goal over what the file says.

    Python code is run only with `tracing`. `deadline` is a time of `time.monotonic`; where the solver has no answer by
    then, the verdict is Unknown. Raises VerifyError or PlanError with the place of the mistake in the file.
    """
    plan = read_any(Path(path), form, asked, tracing)
    verdict = verify(plan, deadline)
    return Verification(plan, verdict, counter_example(plan, verdict))
