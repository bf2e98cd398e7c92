"""The answer of a report, against what it is an answer to."""

import ast
from dataclasses import replace

import pytest
from hypothesis import given, settings
from job.jobs import jobs
from report_support import example_optimum, example_report, job_report_of, optimum, plan_of, report
from tiers import examples

from p2smt.cost.network.backend import Nccl
from p2smt.emit.torch.source import emit_torch
from p2smt.placement.matrix import parse_matrix
from p2smt.placement.notation import parse_order
from p2smt.placement.order import matrix_of_order
from p2smt.problem.build import build_problem
from p2smt.problem.model import Axis, Payload
from p2smt.problem.system.text import find_system
from p2smt.reduction.synth.session import synthesize
from p2smt.report.content.answer import job_answer, ratio_text, reduction_answer
from p2smt.report.content.collect import collect


def laid(report, text):
    """The matrix that an order string gives."""
    order = parse_order(text, report.axes)[1]
    return matrix_of_order(order, [axis.size for axis in report.axes], [level.size for level in report.system.levels])


@pytest.fixture(scope="module")
def transformer():
    """A reduction over an axis that frameworks know."""
    axes = [Axis("dp", 4), Axis("tp", 4)]
    problem = build_problem(find_system("node:4,gpu:4"), axes, ["tp"], Payload(2**28, "float32"))
    return collect(synthesize(problem), Nccl())


def test_contenders_are_the_fastest_the_next_and_the_slowest(transformer):
    answer = reduction_answer(transformer)
    seconds = sorted(result.programs[0].seconds for result in transformer.results)
    assert [one.seconds for one in answer.contenders] == [seconds[0], seconds[1], seconds[-1]]
    assert [one.what for one in answer.contenders] == ["fastest", "next best", "slowest"]
    by_matrix = {result.matrix: result.programs[0].seconds for result in transformer.results}
    assert all(by_matrix[one.matrix] == one.seconds for one in answer.contenders)
    cut = reduction_answer(replace(transformer, others=(1.0, 2.0)))
    assert cut.contenders[-1].what == "slowest shown"


def test_what_to_type_gives_the_fastest_placement(transformer):
    answer = reduction_answer(transformer)
    calls = dict(answer.calls)
    assert laid(transformer, answer.order) == answer.best.matrix == parse_matrix("4x1/1x4")
    assert answer.order == "megatron:tp-dp"
    assert calls["torch"] == 'init_device_mesh("cuda", (4, 4), mesh_dim_names=("dp", "tp"))'
    assert calls["Megatron"] == "--tensor-model-parallel-size 4"
    assert calls["DeepSpeed"] == 'ProcessTopology(axes=["data", "model"], dims=[4, 4])'
    assert list(calls) == ["torch", "JAX", "Megatron", "TorchTitan", "DeepSpeed"]


def test_the_code_does_the_best_program_of_the_fastest_placement():
    found = report((4, 4), (4, 4), (1,))
    answer = reduction_answer(found)
    assert answer.code == emit_torch(plan_of(found, 0, answer.program))
    assert "class Reduction" in answer.code
    ast.parse(answer.code)
    assert not reduction_answer(report((2,), (2, 1), (1,))).code


def test_axes_that_no_framework_knows_have_a_mesh_alone():
    answer = reduction_answer(report((4, 4), (4, 4), (1,)))
    assert answer.order == ""
    assert [name for name, _ in answer.calls] == ["torch", "JAX"]


@given(jobs())
@settings(max_examples=examples(2))
def test_contenders_of_a_job_are_those_of_its_optimum(job):
    found = optimum(job)
    answer = job_answer(job_report_of(found))
    times = {one.matrix: one.seconds for one in found.placements}
    assert all(times[one.matrix] == one.seconds for one in answer.contenders)
    assert answer.best.seconds == min(times.values())
    by_name = {one.what: one.seconds for one in answer.contenders}
    ordered = sorted(times.values())
    assert by_name.get("next best", ordered[-1]) == (ordered[1] if len(ordered) > 1 else ordered[0])
    assert by_name.get("slowest", ordered[-1]) == ordered[-1]


@pytest.mark.thorough  # the usual order: tests/cli/test_advise.py
def test_the_usual_order_is_there_where_it_is_another_placement():
    answer = job_answer(example_report("dense-70b"))
    assert "frameworks' usual order" not in [one.what for one in answer.contenders]
    assert answer.order == "megatron:tp-cp-dp-pp"
    moe = example_optimum("moe")
    worse = replace(moe, placements=moe.placements[::-1])
    found = {one.what: one for one in job_answer(job_report_of(worse)).contenders}
    usual = laid(worse.workload, "megatron")
    assert usual == moe.placements[0].matrix
    assert found["frameworks' usual order"].matrix == usual


def test_ratios_are_short():
    answer = job_answer(example_report("dense-70b"))
    best = answer.best
    said = [ratio_text(replace(best, seconds=best.seconds * factor), best) for factor in (1, 1.234, 83.94, 104.2)]
    assert said == ["1.00×", "1.23×", "83.9×", "104×"]
    one = replace(best, seconds=1.0)
    edges = [ratio_text(replace(best, seconds=seconds), one) for seconds in (9.99, 10.0, 99.9, 100.0)]
    assert edges == ["9.99×", "10.0×", "99.9×", "100×"]
    assert ratio_text(best, replace(best, seconds=0.0)) == "–"


def test_of_one_or_two_placements_none_is_named_twice(transformer):
    for count, names in ((1, ["fastest"]), (2, ["fastest", "next best"]), (0, None)):
        answer = reduction_answer(replace(transformer, results=transformer.results[:count]))
        assert (None if answer is None else [one.what for one in answer.contenders]) == names


def test_an_axis_of_one_part_beside_others_has_its_calls():
    answer = reduction_answer(report((4, 4), (16, 1), (0,)))
    assert [name for name, _ in answer.calls] == ["torch", "JAX"]
