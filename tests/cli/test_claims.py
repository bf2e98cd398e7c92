"""What is printed claims as much as is known: the same results, once proved and once cut off in each possible way."""

from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import pytest
from paths import TESTS

from p2smt.cli.exit_code import ExitCode
from p2smt.cli.main import run
from p2smt.cli.output.calibrate import print_warnings
from p2smt.cli.output.infeasible import minimality_text
from p2smt.cli.output.optimum import optimum_document, print_optimum, proof_text
from p2smt.cli.output.placement_advice import _usual as usual_text
from p2smt.cli.output.placement_advice import placement_advice_document, placement_lines
from p2smt.cli.output.plan import chunks_claim, no_plan
from p2smt.cli.output.shard import _bound as bound_text
from p2smt.cli.output.smallest import smallest_text
from p2smt.cost.calibration.fit import Figure
from p2smt.cost.cheapest import CheapestPlan
from p2smt.cost.cheapest_chunks import CheapestChunks
from p2smt.cost.network.backend import Nccl, cost_of
from p2smt.errors import ProblemError
from p2smt.frontend.importers import read_any
from p2smt.job.advice import Advice, advise, training
from p2smt.job.optimize import LengthLimits, Optimum, check_priced, optimize
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.build import build_workload
from p2smt.problem.model import Axis, Payload, Search
from p2smt.problem.system.text import find_system
from p2smt.problem.transformer.named import named_model
from p2smt.problem.transformer.splits import SplitChoice, the_split
from p2smt.problem.workload import Reduction
from p2smt.smt.answer import Stop
from p2smt.smt.cores import Minimality
from p2smt.spmd.search.sharded import OneAxisScope
from p2smt.verify.counter_example import smallest
from p2smt.verify.judge import judge
from p2smt.verify.plan_verdict import mistake_of

SYSTEM = find_system("dgx-h100:2x8")
CUT_OFF = [Stop.DEADLINE, Stop.INTERRUPTED, Stop.UNKNOWN]


@cache
def optimum():
    reductions = [Reduction(name=name, axes=(0,), payload=Payload(1 << 20, "float32")) for name in ("one", "two")]
    found = optimize(build_workload(SYSTEM, [Axis("a", 4), Axis("b", 4)], reductions), cost_of(SYSTEM))
    assert isinstance(found, Optimum)
    assert found.proved
    return found


@cache
def advice():
    job = training(SYSTEM, named_model("llama-8b", 128), the_split(SplitChoice(tp=8), SYSTEM.devices), Search())
    found = advise(job, cost_of(SYSTEM))
    assert isinstance(found, Advice)
    return found


def printed(found, capsys):
    print_optimum(found, Nccl(), 3)
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize("stop", CUT_OFF)
def test_an_optimum_is_called_proved_just_where_it_is(stop, capsys):
    whole = optimum()
    assert proof_text(whole).startswith("proved best (gap 0 %): all of ")
    assert optimum_document(whole, Nccl(), 3)["best_of_any_length"] is True
    part = replace(whole, placements=whole.placements[:1], stop=stop, lower_bound_s=whole.best.seconds / 4)
    said = printed(part, capsys)
    assert said.startswith(f"not proved best, stopped ({stop}): 1 of {whole.found} placements found so far were priced")
    assert "gap 75 %" in said
    document = optimum_document(part, Nccl(), 3)
    assert (document["proved"], document["best_of_any_length"], document["stopped"]) == (False, False, str(stop))
    assert document["gap"] == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("limited", "said"),
    [
        (LengthLimits(deep=(1,)), "programs longer than --limit 5 are not looked for: two"),
        (LengthLimits(overlapping=(0, 1)), "the fastest alone is weighed, for what overlaps: one, two"),
    ],
)
def test_for_which_reductions_a_longer_program_may_be_better_is_said(limited, said, capsys):
    assert said not in printed(optimum(), capsys)
    found = replace(optimum(), limited=limited)
    assert said in printed(found, capsys)
    document = optimum_document(found, Nccl(), 3)
    assert (document["proved"], document["best_of_any_length"]) == (True, False)
    assert document["up_to_limit_alone"] == {
        "too_many_levels": list(limited.deep),
        "overlapping": list(limited.overlapping),
    }


@pytest.mark.parametrize("stop", CUT_OFF)
def test_a_matrix_that_was_not_priced_is_not_said_to_break_conditions(stop):
    missing = ParallelismMatrix(((4, 1), (1, 4)))
    check_priced(optimum(), optimum().best.matrix)
    with pytest.raises(ProblemError, match="does not keep the job's conditions"):
        check_priced(optimum(), missing)
    with pytest.raises(ProblemError, match=f"was not priced before the search stopped .{stop}."):
        check_priced(replace(optimum(), stop=stop), missing)


@pytest.mark.parametrize("stop", CUT_OFF)
def test_advice_that_was_cut_off_says_so(stop):
    assert "stopped early" not in " ".join(placement_lines(advice()))
    part = replace(advice(), optimum=replace(advice().optimum, stop=stop))
    assert f"stopped early ({stop}): " in " ".join(placement_lines(part))
    assert [placement_advice_document(each)["proved"] for each in (advice(), part)] == [True, False]


def test_of_chunks_is_claimed_what_was_worked_out():
    plan = CheapestChunks(plan=None, seconds=1.01, complete=True)
    proved = replace(plan, every=True, weighed_least_s=1.01)
    assert chunks_claim(proved) == "no program of any length takes less in 1, 2, 4 ... 256 chunks"
    assert chunks_claim(replace(proved, least_s=1.0)) == (
        "no program of any length takes less in 1, 2, 4 ... 256 chunks; "
        "at most 1.0 % above what any takes in any number up to 256"
    )
    not_proved = replace(plan, weighed_least_s=1.0)
    assert chunks_claim(not_proved) == "at most 1.0 % above what any program takes in 1, 2, 4 ... 256 chunks"
    assert chunks_claim(plan) == ""
    assert chunks_claim(CheapestPlan(None, complete=True)) == ""


def test_no_plan_is_an_answer_only_of_a_whole_search(capsys):
    assert no_plan(complete=True) is ExitCode.NEGATIVE
    assert "no program does this reduction" in capsys.readouterr().err
    assert no_plan(complete=False) is ExitCode.PARTIAL
    assert "stopped early" in capsys.readouterr().err


def test_what_is_known_of_a_core_is_said_in_words_of_its_own():
    assert [minimality_text(each) for each in Minimality] == [
        "the fewest that clash",
        "none of these can go",
        "these clash",
    ]


def test_that_fewer_devices_may_do_is_said_where_it_is_not_excluded():
    plan = read_any(TESTS / "plans" / "figure_4_b.toml")
    small = smallest(plan, mistake_of(judge(plan)))
    assert (len(small.devices), small.proved) == (2, True)
    assert "maybe on fewer" not in smallest_text(plan, small)
    assert "2 of 16 devices (0, 8) and 1 of 1 chunks (0)\n" in smallest_text(plan, small)
    assert "chunks (0), maybe on fewer" in smallest_text(plan, replace(small, proved=False))
    for proved, said in ((True, "no part of the plan shows"), (False, "no part that was tried shows")):
        whole = replace(small, plan=plan, devices=tuple(range(16)), proved=proved)
        assert said in smallest_text(plan, whole)


@pytest.mark.parametrize("proved", [True, False])
def test_no_program_is_called_faster_just_where_the_bound_is_the_answer(proved):
    """A millionth is rounding, more is a gap; it is certified or not in either case."""
    answer = SimpleNamespace(account=SimpleNamespace(time=1000.0))
    for gap, faster in ((0.0, True), (1e-6, True), (1.1e-6, False), (0.25, False), (1.0, False)):
        found = SimpleNamespace(
            gap=gap, proved=proved, scope=OneAxisScope(), lower_bound=1000 * (1 - gap), searched=answer
        )
        said = bound_text(found, "")
        assert (" is faster" in said) == faster
        assert ("takes less than" in said) != faster
        assert said.endswith(" (certified)") == proved


def test_a_figure_that_rows_do_not_tell_is_kept_or_contradicted(capsys):
    """Told ones are not warned of."""
    kept, changed = Figure("nic.bandwidth", 8e9, 8e9, 1.0, False), Figure("nic.latency", 1e-6, 2e-6, 1.0, False)
    told = Figure("gpu.bandwidth", 1e9, 2e9, 0.01, True)
    print_warnings(SimpleNamespace(figures=(kept, changed, told)))
    lines = capsys.readouterr().err.splitlines()
    assert lines[0].endswith("the rows do not tell nic.bandwidth; it stays 8 GB/s")
    assert lines[1].endswith("the rows do not tell nic.latency; but its old value contradicts them; now 2 us")
    assert len(lines) == 3
    print_warnings(SimpleNamespace(figures=(told,)))
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(("size", "claimed"), [(2**20, True), (2**20 - 4, False)])
def test_gains_are_claimed_of_payloads_from_which_on_figures_are_known(size, claimed, tmp_path, capsys):
    asked = ["--system", "4x4", "--axes", "16", "--reduce", "0", "--limit", "3", "--bytes", str(size)]
    assert run(["plan", *asked, "--out", str(tmp_path / "plan.json")]) == 0
    assert ("x over one AllReduce" in capsys.readouterr().err) == claimed
    assert run(["explain", str(tmp_path / "plan.json")]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert ("x as fast; bottleneck" in said) == claimed
    assert ("overhead: " in said) == claimed
    assert claimed or "no gain is claimed" in said


def test_what_takes_less_than_twice_as_long_is_said_in_percent():
    best, usual = (SimpleNamespace(seconds=seconds) for seconds in (1.0, 2.0))
    for loss, said in (
        (0.25, "takes 25.0% longer"),
        (0.999, "takes 99.9% longer"),
        (1.0, "takes 2.0x as long"),
        (1.5, "takes 2.5x as long"),
    ):
        for losses in ({"loss": loss, "step_loss": None}, {"loss": 9.0, "step_loss": loss}):
            advice = SimpleNamespace(usual=usual, best=best, cost=lambda one: one.seconds, **losses)
            assert said in usual_text(advice)
    assert "it loses nothing" in usual_text(SimpleNamespace(usual=best, best=best, loss=0.0))
    assert "is no placement" in usual_text(SimpleNamespace(usual=None, best=best, loss=0.0))
