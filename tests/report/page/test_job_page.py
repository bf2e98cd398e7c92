"""The page of a job as text: every reduction, escaped, the same every time, well under two megabytes."""

import json
import re
from dataclasses import replace

import pytest
from report.page.test_page import NASTY, read, structure_is_for_everybody
from report_support import Page, example_job, example_report, job_report_of, optimum
from tiers import is_full, sample

from p2smt.cost.bus_bandwidth import rate_cell, reduction_bus_bandwidth
from p2smt.job.step.job_step import job_step
from p2smt.job.step.split_words import split_words
from p2smt.problem.quantity import format_seconds
from p2smt.problem.system.text import find_system
from p2smt.problem.transformer.model import Parallelism, Zero
from p2smt.problem.transformer.named import named_model
from p2smt.report.content.naming import naming_of
from p2smt.report.content.text import printable
from p2smt.report.page.job_section import _compared_cells
from p2smt.report.page.page import page_text

EXAMPLES = sample(("job", "dense-70b", "long-context", "moe"), 2)


@pytest.mark.parametrize("name", sample(EXAMPLES, 1))
def test_examples_are_small_and_the_same_every_time(name):
    text = page_text(example_report(name))
    assert text == page_text(job_report_of(optimum(example_job(name))))
    assert len(text.encode()) < 800_000


@pytest.mark.thorough  # size: test_page.py
def test_many_reductions_do_not_make_a_page_large():
    job = example_job("job")
    times = 16 if is_full() else 8
    some = [replace(one, name=f"{'n' * 190}{n}", overlap="") for n, one in enumerate(job.reductions * times)]
    text = page_text(job_report_of(optimum(replace(job, reductions=tuple(some), conditions=()))))
    assert len(text.encode()) < (1_500_000 if is_full() else 1_100_000)


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_reduction_is_there_with_its_seconds_on_every_placement(name):
    said = example_report(name)
    page = read(said)
    data = json.loads(page.raw[1])
    for time, text in zip(said.times, data["texts"], strict=True):
        rows = {row[0]: row for row in text["rows"]}
        for one in time.reductions:
            row = rows[one.reduction.name]
            rate = rate_cell(reduction_bus_bandwidth(said.optimum.workload, one.reduction, one.candidate.seconds))
            assert row[2:5] == [format_seconds(one.candidate.seconds), rate, format_seconds(one.seconds)]
            assert row[6] == one.candidate.text
        assert text["rows"][-1][4] == format_seconds(time.seconds)
        assert str(time.matrix) in page.text
        ratio = time.seconds / said.times[0].seconds
        least = "the least of all that were priced" if time is said.times[0] else f"{ratio:.2f} times the least"
        assert f"of communication per step, {least}; every device" in text["sentence"]
    for reduction in said.optimum.workload.reductions:
        assert page.text.count(reduction.name) >= 4
    lead = page.text.split("Ranking")[0]
    assert f"{format_seconds(said.optimum.best.seconds)} of communication per step" in lead
    assert "Proved best: " in lead
    assert all(label in page.text for column in said.compared for label in column.labels)
    naming = naming_of(said.system, said.axes)
    for one in said.optimum.placements[:2]:
        assert f"{naming.words(one.matrix)} {one.matrix}" in lead


def with_names(name):
    job = example_job("job")
    reductions = tuple(
        replace(one, name=f"{name}{n}", overlap=one.overlap and name) for n, one in enumerate(job.reductions)
    )
    return job_report_of(optimum(replace(job, reductions=reductions)))


def test_names_come_out_as_they_are_and_make_no_markup():
    text = page_text(with_names(NASTY))
    page, quiet = Page(text), read(with_names("quiet"))
    assert page.counts == quiet.counts
    # Long texts have a class of their own, which widens their column.
    named, silent = ([attributes.keys() - {"class"} for _, attributes in each.tags] for each in (page, quiet))
    assert named == silent
    assert page.text.count(printable(NASTY)) >= 8
    assert not set(text) & {"\x00", "\x1b", "\u202e"}
    assert page.raw[0] == quiet.raw[0]
    assert page.raw[2] == quiet.raw[2]
    rows = json.loads(page.raw[1])["texts"][0]["rows"]
    assert rows[0][0] == printable(f"{NASTY}0")


def test_the_fastest_of_a_row_stands_out_and_nothing_where_all_are_as_fast():
    said = example_report("job")
    seen = set()
    for number in range(len(said.compared[0].placement.reductions)):
        seconds = [column.placement.reductions[number].seconds for column in said.compared]
        strong = [not isinstance(cell, str) for cell in _compared_cells(said, number)]
        assert strong == [one == min(seconds) < max(seconds) for one in seconds]
        seen |= {*strong}
    assert seen == {True, False}


def test_placements_that_were_priced_and_are_not_shown_are_counted():
    whole = example_report("job")
    few = replace(whole, times=whole.times[:1], placements=whole.placements[:1], programs=whole.programs[:1])
    fastest, slowest = (format_seconds(one.seconds) for one in (whole.times[1], whole.times[-1]))
    text = read(few).text
    assert f"2 placements priced and not shown: {fastest} to {slowest}." in text
    assert "Of 3, 1 are shown, fastest first." in text
    assert "not shown" not in read(whole).text


def test_the_whole_step_of_a_model_stands_beside_other_splits():
    job = example_report("job")
    assert "The whole step" not in read(job).text
    system = find_system("dgx-h100:2x8")
    step = job_step(named_model("llama-8b", 64), Parallelism(tp=8, dp=2, zero=Zero.OPTIMISER), system)
    said = job_report_of(job.optimum, step=step)
    assert said.steps is not None
    page = read(said)
    for one in said.steps.found.best:
        assert f"{split_words(one.split)}: {format_seconds(one.seconds)} (" in page.text
    assert page.text.count(split_words(step.own.split)) == 4  # two charts, their words, and the table
    structure_is_for_everybody(said)


def test_the_slowest_reduction_of_the_placement_is_stepped_through_first():
    said = example_report("job")
    times = said.times[said.opened].reductions
    longest = max(range(len(times)), key=lambda number: times[number].seconds)
    assert longest
    text = page_text(said)
    program = said.programs[said.opened][longest].text
    assert re.search(rf'<p class="program" data-text=""><code>{re.escape(program)}</code>', text)
    assert text.count(f'<option value="{longest}" selected="">') == 1


def test_the_structure_is_for_everybody():
    structure_is_for_everybody(example_report("job"))


def test_stopping_early_is_said():
    def interrupted(done, total):
        if done == 2:
            raise KeyboardInterrupt

    found = optimum(example_job("moe"), on_progress=interrupted)
    page = read(job_report_of(found))
    assert "INCOMPLETE, not proved best: the search stopped (interrupted) with 2 of 15 placements priced" in page.text
    assert f"{100 * found.gap:.0f} % could be saved at most" in page.text


def test_conditions_and_sends_are_said():
    assert "model inside node; at most 8 communicators" in read(example_report("job")).text
    lead = read(example_report("moe")).text
    assert "sends between stages" in lead
    assert "not counted" not in lead.replace("computation is not counted", "")


def test_lines_of_options_end_between_words_alone():
    """A browser may end a line after a hyphen: each option is an element that is kept whole."""
    text = page_text(example_report("dense-70b"))
    options = [f"--parallelism.{name}" for name in ("pipeline_parallel_degree=4", "tensor_parallel_degree=8")]
    for option in (*options, "--tensor-model-parallel-size", "megatron:tp-cp-dp-pp"):
        assert f'<span class="word">{option}</span>' in text


def test_a_job_of_one_device_has_nothing_to_step_through():
    from p2smt.problem.build import build_workload
    from p2smt.problem.model import Axis
    from p2smt.problem.system.text import find_system

    reduction = replace(example_job("job").reductions[0], axes=(0,))
    page = read(job_report_of(optimum(build_workload(find_system("1x1"), [Axis("a", 1)], [reduction]))))
    assert "No step: nothing has to be moved." in page.text
