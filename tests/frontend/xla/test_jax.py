"""JAX programs in three forms, as they are and with one thing changed: judged as XLA itself runs them."""

from collections import Counter
from random import Random

import pytest
from frontend.xla.jax_mutations import mutated
from frontend.xla.jax_truth import FORMS, Job, executed, lowered, plan_of, truths
from tiers import is_full

from p2smt.verify.check import verify
from p2smt.verify.judge import judge
from p2smt.verify.plan import VerificationPlan
from p2smt.verify.verdict import Proved, Refuted

DEVICES = 8
MUTATIONS = 24
REFUSED = {
    "masked_gather": "scatter",
    "mlp_gradient": "dot",
}
"""What is not linear in the parameters, or is not read, and the operation that is named."""
NOT_RUN_AS_COMPILED = ("psum_scatter_columns", "all_gather_columns", "transposed_wrongly")
"""Texts that lose their layouts where XLA reads them as compiled."""

SOME = (
    "psum_tree",
    "pmean_tree",
    "mean_by_product",
    "mean_forgotten",
    "pmean_of_pmean",
    "psum_scatter",
    "psum_scatter_columns",
    "own_block",
    "all_gather",
    "all_gather_columns",
    "all_gather_one_axis",
    "masked_gather",
    "all_to_all",
    "buckets",
    "ring_too_short",
    "ring_scan",
    "masked_broadcast",
    "broadcast_by_branch",
    "transposed_wrongly",
    "negative",
    "all_but_own",
    "chunks_by_map",
    "one_axis_too_few",
    "hierarchical",
    "index_groups",
    "bfloat16",
    "mlp_gradient",
)
"""Those of the standard tier: all wrong ones, and of the right ones every collective and kind of control flow."""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def lowered_once(tmp_path_factory):
    pytest.importorskip("jax")
    folder = tmp_path_factory.mktemp("lowered")
    return folder, lowered(folder, DEVICES, *(() if is_full() else SOME))


def test_programs_are_judged_as_jax_runs_them(lowered_once):
    folder, jobs = lowered_once
    accepted, verdicts = Counter(), Counter()
    for job in jobs:
        plan = plan_of(job)
        name = job.program["name"]
        if not isinstance(plan, VerificationPlan):
            assert REFUSED[name] in plan
            assert plan.startswith("f, line ")
            continue
        # The solver is asked of one form; the others have to give the same verdict by execution.
        verdict = verify(plan) if job.form == "mlir" else judge(plan)
        assert isinstance(verdict, Proved | Refuted)
        assert isinstance(verdict, Proved) == executed(job, folder), (name, job.form)
        inferred = plan_of(job, told=False)
        assert inferred.goal == plan.goal, (name, job.form)
        assert bool(inferred.notes) == (job.program["goal"] != "all-reduce" and not job.program["told"]), name
        accepted[job.form] += 1
        verdicts[type(verdict)] += 1
    assert all(accepted[form] >= len(jobs) / len(FORMS) - len(REFUSED) for form in FORMS)
    assert verdicts[Proved] > (100 if is_full() else 45)
    assert verdicts[Refuted] >= 12


@pytest.mark.thorough  # wrong programs are among those above, too
def test_changed_texts_are_judged_as_xla_runs_them(lowered_once, tmp_path):
    _, jobs = lowered_once
    jobs = [job for job in jobs if job.form != "compiled.hlo" or job.program["name"] not in NOT_RUN_AS_COMPILED]
    random = Random(7)
    changed, plans = [], []
    while len(changed) < MUTATIONS:
        job = random.choice(jobs)
        other = Job(job.program, job.form, mutated(job.text, random))
        plan = plan_of(other)
        if other.text != job.text and isinstance(plan, VerificationPlan):
            changed.append(other)
            plans.append(plan)
    seen = Counter()
    for job, plan, right in zip(changed, plans, truths(changed, tmp_path, DEVICES), strict=True):
        verdict = judge(plan)
        if isinstance(right, bool):
            assert isinstance(verdict, Proved) == right, (job.program["name"], job.form, verdict)
        seen[right if isinstance(right, bool) else "refused"] += 1
    assert seen[False] > MUTATIONS / 3
    assert seen[True] > MUTATIONS / 8
    assert seen["refused"] < MUTATIONS / 8
