"""The step of a job whose file describes a model, and the splits beside it."""

import pytest

from p2smt.errors import ProblemError
from p2smt.job.step.advise import advise
from p2smt.job.step.explanation import mesh
from p2smt.job.step.grid import FixedDegrees
from p2smt.job.step.job_step import job_step, splits_beside
from p2smt.problem.system.text import find_system
from p2smt.problem.transformer.model import Parallelism, Zero
from p2smt.problem.transformer.named import named_model
from p2smt.problem.transformer.split import Recompute

SYSTEM = find_system("dgx-h100:2x8")


@pytest.mark.parametrize(("model", "ep"), [("llama-8b", 1), ("mixtral-8x7b", 4)])
def test_it_is_the_step_that_advise_predicts(model, ep):
    transformer = named_model(model, 64, 4096)
    parallelism = Parallelism(tp=4, dp=4, ep=ep, sequence_parallel=True, zero=Zero.OPTIMISER)
    step = job_step(transformer, parallelism, SYSTEM)
    fixed = FixedDegrees(
        tp=4,
        pp=1,
        cp=1,
        dp=4,
        ep=ep,
        etp=4 if ep > 1 else 1,
        zero=Zero.OPTIMISER,
        micro_batch=1,
        recompute=step.own.split.recompute,
    )
    (same,) = advise(model, SYSTEM, batch=64, sequence=4096, fixed=fixed).best
    assert step.own == same


def test_layers_are_recomputed_where_they_do_not_fit_otherwise():
    parallelism = Parallelism(tp=8, dp=2, sequence_parallel=True, zero=Zero.OPTIMISER)
    small = job_step(named_model("llama-8b", 64), parallelism, SYSTEM)
    large = job_step(named_model("llama-8b", 64, 32768, micro_batch=4), parallelism, SYSTEM)
    assert [small.own.split.recompute, large.own.split.recompute] == [Recompute.NONE, Recompute.FULL]
    assert small.fits


def test_beside_it_are_the_fastest_splits_of_other_degrees():
    step = job_step(named_model("llama-8b", 64), Parallelism(tp=8, dp=2, zero=Zero.OPTIMISER), SYSTEM)
    found = splits_beside(step)
    assert step.own in found.best
    assert [one.seconds for one in found.best] == sorted(one.seconds for one in found.best)
    others = [mesh(one.split) for one in found.best if one != step.own]
    assert len(set(others)) == len(others) == 5
    assert found.best[0] == advise("llama-8b", SYSTEM, batch=64, keep=1).best[0]


def test_machines_of_different_kinds_are_refused():
    with pytest.raises(ProblemError, match="different kinds"):
        job_step(named_model("llama-8b", 64), Parallelism(dp=16), find_system("hap-a100-p100"))
