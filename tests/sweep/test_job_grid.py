"""Jobs of a grid that name every part, and what is counted of several grids."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from study_support import expanded

from p2smt.cost.network.backend import cost_of
from p2smt.cost.ten_digits import ten_digits
from p2smt.errors import P2Error
from p2smt.job.advice import advise, sends_seconds, training
from p2smt.problem.model import Search
from p2smt.problem.system.text import find_system
from p2smt.problem.transformer.memory import device_memory, fits
from p2smt.problem.transformer.model import Parallelism, Zero
from p2smt.problem.transformer.named import named_model, usual_batch
from p2smt.problem.transformer.splits import SplitChoice
from p2smt.smt.answer import Stop
from p2smt.sweep import solve_job as solve_job_module
from p2smt.sweep.job_grid_file import parse_split
from p2smt.sweep.rows import RowStatus
from p2smt.sweep.solve import solve
from p2smt.sweep.training_job import TrainingJob, split_text


def jobs_in(folder, text):
    found = expanded(folder, text)
    return found, [task.job for task in found.tasks.values()]


SIZES = st.integers(1, 9)


@given(st.builds(Parallelism, tp=SIZES, pp=SIZES, dp=SIZES, cp=SIZES, ep=SIZES, chunks=SIZES))
def test_a_split_is_read_as_it_was_written(split):
    names = ("tp", "pp", "dp", "cp", "ep", "chunks")
    wanted = SplitChoice(**{name: getattr(split, name) for name in names})
    text = split_text(split)
    assert parse_split(text).choice == wanted
    assert parse_split(f"auto {text}").choice == wanted
    assert text.count(":") == 3 + sum(getattr(split, name) > 1 for name in names[3:])


def test_every_part_that_a_grid_names_is_in_its_jobs(tmp_path):
    text = """
    [[job]]
    models = ["mixtral-8x7b"]
    systems = ["4x8"]
    splits = ["tp:2,pp:2,dp:4,cp:2,ep:4"]
    zero = [2]
    recompute = [true]
    micro_batches = [2, 3]
    sequences = [2048]
    memory = 123456789
    limits = [2, 3]
    """
    _, jobs = jobs_in(tmp_path, text)
    model = [named_model("mixtral-8x7b", usual_batch(32, micro), 2048, micro) for micro in (2, 3)]
    split = Parallelism(dp=4, tp=2, cp=2, pp=2, ep=4, sequence_parallel=True, zero=Zero(2))
    one = TrainingJob(
        model="mixtral-8x7b",
        system=find_system("4x8"),
        transformer=model[0],
        parallelism=split,
        search=Search(2),
        memory=123456789,
        recompute=True,
    )
    wanted = [replace(one, transformer=each, search=Search(limit)) for each in model for limit in (2, 3)]
    assert sorted(jobs, key=repr) == sorted(wanted, key=repr)
    assert not fits(device_memory(one.transformer, split, recompute=True), 123456789)  # given splits are not searched


def test_what_a_system_holds_and_recomputation_say_which_splits_fit(tmp_path):
    text = '[[job]]\nmodels = ["llama-8b"]\nsystems = ["dgx-h100:1x8"]\nrecompute = [false, true]\n'
    found, jobs = jobs_in(tmp_path, text)
    _, every = jobs_in(tmp_path, text + 'memory = "1000TB"\n')
    memory = find_system("dgx-h100:1x8").network.memory
    wanted = {
        (one.recompute, one.parallelism)
        for one in every
        if fits(device_memory(one.transformer, one.parallelism, recompute=one.recompute), memory)
    }
    assert {(job.recompute, job.parallelism) for job in jobs} == wanted
    assert {job.memory for job in jobs} == {memory}
    assert [sum(one[0] is kept for one in wanted) for kept in (False, True)] != [len(wanted) // 2] * 2
    assert (len(found.tasks), found.too_large) == (len(wanted), len(every) - len(wanted))


def test_several_grids_are_counted_together(tmp_path):
    small = '[[job]]\nmodels = ["gpt2", "llama-8b"]\nsystems = ["2x4"]\nmemory = "40GB"\nsplits = ["tp:8", "auto"]\n'
    one, _ = jobs_in(tmp_path, small)
    both, _ = jobs_in(tmp_path, small + small.replace("2x4", "2x2").replace("tp:8", "tp:4"))
    other, _ = jobs_in(tmp_path, small.replace("2x4", "2x2").replace("tp:8", "tp:4"))
    assert min(one.left_out, one.too_large, other.too_large) > 0
    assert (both.left_out, both.too_large) == (one.left_out + other.left_out, one.too_large + other.too_large)
    assert len(both.tasks) == len(one.tasks) + len(other.tasks)


def test_context_parallel_parts_reduce_something(tmp_path):
    text = '[[job]]\nmodels = ["gpt2"]\nsystems = ["2x4"]\nlimits = [2]\nsplits = ["{}"]\n'
    _, (job,) = jobs_in(tmp_path, text.format("tp:1,pp:4,dp:1,cp:2"))
    assert (job.parallelism.cp, job.parallelism.pp) == (2, 4)
    with pytest.raises(P2Error, match="does not fit any system;"):
        jobs_in(tmp_path, text.format("tp:1,pp:4,dp:1,cp:4"))


@pytest.mark.parametrize("reason", ["", "gave up", "long " * 200], ids=["none", "short", "long"])
def test_a_job_that_the_solver_did_not_decide_has_no_full_result(tmp_path, monkeypatch, reason):
    text = '[[job]]\nmodels = ["gpt2"]\nsystems = ["2x4"]\nlimits = [2]\nsplits = ["tp:2,pp:2,dp:2"]\n'
    (task,) = expanded(tmp_path, text).tasks.values()
    advise = solve_job_module.advise

    def undecided(*arguments, **more):
        result = advise(*arguments, **more)
        return replace(result, optimum=replace(result.optimum, stop=Stop.UNKNOWN, reason=reason))

    monkeypatch.setattr(solve_job_module, "advise", undecided)
    found = solve(task)
    assert (found.status, found.reason) == (RowStatus.STOPPED, (f"unknown: {reason}" if reason else "unknown")[:500])
    seconds = [row.seconds for row in found.placements]
    result = found.result
    assert (result.best_seconds, result.worst_seconds) == (min(seconds), max(seconds))
    assert (result.placements, result.sends_seconds) == (len(seconds), found.placements[0].sends_seconds)
    by_matrix = {row.matrix: row.seconds for row in found.placements}
    assert result.usual_seconds == by_matrix[result.usual_matrix]
    assert by_matrix[result.worst_matrix] == result.worst_seconds


def test_rows_of_a_job_that_recomputes_are_those_of_its_advice(tmp_path):
    """Ten digits of each."""
    text = (
        '[[job]]\nmodels = ["gpt2"]\nsystems = ["dgx-h100:2x8"]\nlimits = [2]\nrecompute = [true]\n'
        'splits = ["tp:2,pp:2,dp:4"]\n'
    )
    (task,) = expanded(tmp_path, text).tasks.values()
    job, found = task.job, solve(task)
    step = training(job.system, job.transformer, job.parallelism, job.search)
    said = advise(step, cost_of(job.system, task.backend), None)
    assert [
        (row.number, row.matrix, row.seconds, row.sends_seconds, row.wire_seconds, row.communicators)
        for row in found.placements
    ] == [
        (
            number,
            str(one.matrix),
            *map(ten_digits, (one.seconds, sends_seconds(one), one.wire_seconds)),
            one.communicators,
        )
        for number, one in enumerate(said.times)
    ]
