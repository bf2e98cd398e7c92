"""Jobs of a sweep: which there are, against listing them; their rows against `advise` and `optimize`."""

import json
from dataclasses import fields, replace
from itertools import product

import pytest
from command_line import output
from study_support import expanded
from tiers import sample

from p2smt.cli.main import run
from p2smt.errors import InterruptedSearchError, P2Error
from p2smt.problem.system.network import System
from p2smt.problem.system.text import find_system
from p2smt.problem.transformer.memory import USABLE, device_memory
from p2smt.problem.transformer.model import Transformer, Zero
from p2smt.smt.answer import Stop
from p2smt.sweep import solve_job as solve_job_module
from p2smt.sweep.digest import job_text
from p2smt.sweep.environment import environment
from p2smt.sweep.job_rows import job_columns
from p2smt.sweep.query import Filter, ask, asked_of
from p2smt.sweep.query_columns import QuerySubject
from p2smt.sweep.rows import RowStatus
from p2smt.sweep.solve import failure, solve, solve_chunk
from p2smt.sweep.store import ResultStore
from p2smt.sweep.training_job import TrainingJob

JOB = '[[job]]\nmodels = ["gpt2"]\nsystems = ["2x4"]\nlimits = [2]\n'


def jobs_in(folder, text):
    found = expanded(folder, text)
    return found, [task.job for task in found.tasks.values()]


def splits_by_force(job, memory):
    """Every (tp, pp, dp) with the right product that the sizes divide and, by the formula, memory holds."""
    model, count = job.transformer, job.system.devices
    fitting, large = set(), set()
    for tp, pp, dp in product(range(1, count + 1), repeat=3):
        if tp * pp * dp != count or tp * dp == 1 or model.heads % tp or model.kv_heads % tp or model.layers < pp:
            continue
        if model.batch % (dp * model.micro_batch) or model.hidden % tp or model.ffn % tp or model.vocabulary % tp:
            continue
        if model.sequence % tp:
            continue
        part = replace(job.parallelism, tp=tp, pp=pp, dp=dp, sequence_parallel=tp > 1)
        needed = device_memory(model, part, recompute=job.recompute).total
        (fitting if memory is None or needed <= USABLE * memory else large).add((tp, pp, dp))
    return fitting, large


@pytest.mark.parametrize("memory", [None, 24 * 10**9, 80 * 10**9])
def test_auto_is_every_split_that_fits(tmp_path, memory):
    text = '[[job]]\nmodels = ["llama-8b", "yi-34b"]\nsystems = ["2x4", "4x8"]\n'
    _, every = jobs_in(tmp_path, text)
    found, jobs = jobs_in(tmp_path, text + (f'memory = "{memory}B"\n' if memory else ""))
    too_large = 0
    for model, system in product(("llama-8b", "yi-34b"), map(find_system, ("2x4", "4x8"))):
        first = next(one for one in every if (one.model, one.system) == (model, system))
        own = [one.parallelism for one in jobs if (one.model, one.system) == (model, system)]
        fitting, large = splits_by_force(first, memory)
        assert sorted((one.tp, one.pp, one.dp) for one in own) == sorted(fitting)
        too_large += len(large)
    assert found.jobs == len(jobs) > 0
    assert found.too_large == too_large
    assert (found.too_large > 0) == (memory is not None)


def test_a_grid_is_every_combination_and_a_given_split_is_left_out_where_it_does_not_divide(tmp_path):
    text = """
    [[job]]
    models = ["gpt2", "llama3.2-1b"]
    systems = ["2x4", "2x8"]
    splits = ["tp:2", "tp:2,pp:2,dp:4"]
    zero = [0, 1]
    recompute = [false, true]
    batches = [64, 128]
    sequences = [512]
    algorithms = ["ring", "auto"]
    """
    found, jobs = jobs_in(tmp_path, text)
    assert len(found.tasks) == 2 * 3 * 2 * 2 * 2 * 2
    assert found.left_out == 2 * 1 * 2 * 2 * 2
    shapes = {(one.system.devices, one.parallelism.tp, one.parallelism.pp, one.parallelism.dp) for one in jobs}
    assert shapes == {(8, 2, 1, 4), (16, 2, 1, 8), (16, 2, 2, 4)}
    assert {one.transformer.batch for one in jobs} == {64, 128}
    assert {one.transformer.sequence for one in jobs} == {512}
    assert {one.parallelism.zero for one in jobs} == {Zero.NONE, Zero.OPTIMISER}
    again, _ = jobs_in(tmp_path, text + "\n" + text)
    assert (again.tasks, again.repeated) == (found.tasks, len(found.tasks))


@pytest.mark.parametrize("split", sample(["tp:4", "tp:2,pp:2,dp:2"], 1))
def test_rows_say_what_advise_and_optimize_say(tmp_path, capsys, split, monkeypatch):
    monkeypatch.chdir(tmp_path)
    found, _ = jobs_in(tmp_path, JOB.replace("limits = [2]", f'splits = ["{split}"]'))
    (task,) = found.tasks.values()
    outcome = solve(task)
    flags = [word for part in split.split(",") for word in (f"--{part[:2]}", part[3:])]
    asked = ["advise", "--model", "gpt2", "--system", "2x4", *flags, "--top", "99", "--json"]
    said = json.loads(output(asked, capsys))
    assert run([*asked, "--out", "job.toml"]) == 0
    assert "job.toml: the job" in capsys.readouterr().err
    row, result = outcome.task, outcome.result
    assert outcome.status is RowStatus.OK
    assert (row.tp, row.pp, row.dp) == tuple(said["split"][name] for name in ("tp", "pp", "dp"))
    assert (row.memory, row.device_memory, row.bubble) == (said["memory"]["total"], None, said["bubble"])
    assert row.step_seconds == pytest.approx(said["splits"][0]["step_s"], rel=1e-9)
    assert result.best_words == said["words"]
    assert result.best_seconds == pytest.approx(said["seconds"], rel=1e-9)
    assert result.usual_seconds == pytest.approx(said["usual"]["seconds"], rel=1e-9)
    # The store has what communication loses, as its schema says; advise what the step loses.
    assert result.loss == pytest.approx(said["usual"]["seconds"] / said["seconds"] - 1, abs=1e-9)
    assert result.best_order is not None
    assert [(one.words, one.number) for one in outcome.placements] == [
        (one["words"], number) for number, one in enumerate(said["placements"])
    ]
    for one, other in zip(outcome.placements, said["placements"], strict=True):
        assert one.seconds == pytest.approx(other["seconds"], rel=1e-9)
        assert one.sends_seconds == pytest.approx(other["sends_s"], rel=1e-9)
    best = json.loads(output(["optimize", "job.toml", "--top", "99", "--json"], capsys))["placements"]
    seconds = {row.matrix: row.seconds for row in outcome.placements}
    wires = {row.matrix: row.wire_seconds for row in outcome.placements}
    assert len(best) == len(seconds) == result.placements
    for one in best:
        matrix = "/".join("x".join(map(str, axis)) for axis in one["matrix"])
        assert seconds[matrix] == pytest.approx(one["cost_s"], rel=1e-8)
        assert wires[matrix] == pytest.approx(one["wire_s"], rel=1e-9)


def waited(stages, micro_batches, chunks):
    """The part of its time that a stage waits, by running a pipeline: each has so many chunks of one unit of time."""
    free, ready = [0] * stages, {}
    order = sorted((number // stages, chunk, number) for number in range(micro_batches) for chunk in range(chunks))
    for _, chunk, number in order:
        for stage in range(stages):
            before = ready.get((number, chunk, stage - 1) if stage else (number, chunk - 1, stages - 1), 0)
            free[stage] = ready[number, chunk, stage] = max(before, free[stage]) + 1
    return max(free) / (micro_batches * chunks) - 1


@pytest.mark.parametrize("split", ["tp:4,pp:2", "tp:2,pp:4", "tp:4,pp:2,chunks:3", "tp:2,pp:4,chunks:3"])
def test_the_bubble_of_a_row_is_that_of_a_pipeline(tmp_path, split):
    found, _ = jobs_in(tmp_path, JOB.replace("limits = [2]", f'splits = ["{split}"]\nbatches = [8]'))
    (task,) = found.tasks.values()
    row = job_columns(task)
    assert row.bubble > 0
    assert row.bubble == pytest.approx(waited(row.pp, row.batch // (row.dp * row.micro_batch), row.chunks))


def test_rows_do_not_depend_on_what_was_solved_before(tmp_path):
    found, _ = jobs_in(tmp_path, JOB)
    tasks = list(found.tasks.values())
    forwards, backwards = solve_chunk(tasks), solve_chunk(tasks[::-1])
    assert len(tasks) > 5
    assert forwards.outcomes == backwards.outcomes[::-1]


def test_a_job_that_is_stopped_or_fails_says_so_and_one_that_is_interrupted_is_no_row(tmp_path, monkeypatch):
    found, _ = jobs_in(tmp_path, "timeout = 1e-9\n" + JOB)
    task = next(iter(found.tasks.values()))
    stopped = solve(task)
    assert (stopped.status, stopped.result.best_seconds) == (RowStatus.STOPPED, None)
    assert stopped.reason.startswith("deadline")
    assert failure(task, "why").status is RowStatus.ERROR
    broken = replace(task, job=replace(task.job, parallelism=replace(task.job.parallelism, tp=3)))
    assert solve(broken).status is RowStatus.ERROR
    advise = solve_job_module.advise

    def interrupted(*arguments, **more):
        result = advise(*arguments, **more)
        return replace(result, optimum=replace(result.optimum, stop=Stop.INTERRUPTED))

    monkeypatch.setattr(solve_job_module, "advise", interrupted)
    with pytest.raises(InterruptedSearchError):
        solve(replace(task, timeout_s=None))


OTHERS = {
    "model": "other",
    "memory": 1,
    "recompute": True,
    "system": find_system("2x2"),
    "search": None,
    "transformer": None,
    "parallelism": None,
}


def test_every_part_of_a_job_is_in_its_key(tmp_path):
    found, (job, *_) = jobs_in(tmp_path, JOB)
    (task, *_) = found.tasks.values()
    assert {one.name for one in fields(TrainingJob)} == OTHERS.keys()
    changed = [replace(job, **{name: value}) for name, value in OTHERS.items() if value is not None]
    for part in ("search", "transformer", "parallelism"):
        inner = getattr(job, part)
        for field in fields(inner):
            value = getattr(inner, field.name)
            other = (not value) if isinstance(value, bool) else 77 if isinstance(value, int) else "other"
            changed.append(replace(job, **{part: replace(inner, **{field.name: other})}))
    texts = {job_text(one, task.backend) for one in changed}
    assert len(texts) == len(changed) > 30
    assert task.key not in {replace(task, job=one).key for one in changed}
    assert replace(task, timeout_s=1.0).key == task.key
    document = json.loads(job_text(job, task.backend))
    assert json.dumps(document, sort_keys=True, separators=(",", ":")) == job_text(job, task.backend)
    assert isinstance(job.system, System)
    assert isinstance(job.transformer, Transformer)


@pytest.fixture(scope="module")
def filled_with_jobs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("jobs")
    found, _ = jobs_in(folder, JOB)
    with ResultStore(folder / "jobs.sqlite", "local") as store:
        store.add(map(solve, found.tasks.values()), environment())
        assert set(store.statuses()) == set(found.tasks)
        assert store.claim(list(found.tasks)).known == tuple(found.tasks)
    return folder / "jobs.sqlite"


def test_jobs_are_asked_for_where_there_are_no_problems(filled_with_jobs, filled):
    assert (asked_of(filled_with_jobs), asked_of(filled)) == (QuerySubject.JOBS, QuerySubject.PROBLEMS)
    answer = ask(filled_with_jobs, Filter(), 100, QuerySubject.JOBS)
    seconds = [row[answer.columns.index("step_seconds")] for row in answer.rows]
    assert seconds == sorted(seconds)
    some = ask(filled_with_jobs, Filter(model="gpt2", where="tp = 2", columns=("split", "tp")), 100, QuerySubject.JOBS)
    assert some.columns == ("split", "tp")
    assert {row[1] for row in some.rows} == {2}
    (one,) = ask(filled_with_jobs, Filter(split="tp:2,pp:1,dp:4"), 100, QuerySubject.JOBS).rows
    assert ask(filled_with_jobs, Filter(system="2x4", status="error"), 9, QuerySubject.JOBS).rows == ()
    assert len(one) == len(answer.columns)


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        (Filter(axes="8"), "--axes are not options of jobs"),
        (Filter(order="speedup"), "jobs are not sorted by speedup; choose one of step_seconds, best_seconds"),
        (Filter(columns=("splt",)), r"jobs have no column 'splt'; did you mean split\?; the columns are key, model"),
        (Filter(columns=()), "columns are missing or named twice; choose among the columns of jobs: key"),
        (Filter(columns=("tp", "tp")), "columns are missing or named twice; choose among the columns of"),
        (Filter(columns=("tp, (SELECT 1)",)), "jobs have no column"),
    ],
)
def test_what_cannot_be_asked_of_jobs_is_said(filled_with_jobs, wanted, message):
    with pytest.raises(P2Error, match=message):
        ask(filled_with_jobs, wanted, 10, QuerySubject.JOBS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (JOB + "split = 1", "unknown key 'job[0].split'; did you mean splits?"),
        (JOB.replace("gpt2", "gpt-9"), "job 1: model 'gpt-9' is unknown; choose one of"),
        (JOB.replace("2x4", "nowhere"), "job 1: system 'nowhere' is unknown"),
        (
            JOB + 'splits = ["tp:3"]',
            "job 1: split 'tp:3' does not fit any system; gpt2 on 8 devices: tp 3 x pp 1 x cp 1",
        ),
        (
            JOB + 'splits = ["pp:8,chunks:2"]',
            "; every chunk of a stage needs a layer, so choose fewer stages or chunks",
        ),
        (
            JOB.replace("2x4", "2x2") + 'splits = ["pp:4"]',
            "with pipeline stages alone there is nothing to reduce; make dp, tp or cp",
        ),
        (JOB + 'splits = ["tq:3"]', "is not a form of parallelism; write auto, or some of"),
        (JOB + 'splits = ["tp:2,tp:4"]', "give tp once, and a size of at least 1"),
        (JOB + 'splits = ["tp:0"]', "give tp once, and a size of at least 1"),
        (JOB + 'splits = ["auto tp"]', "part sizes 'tp' do not parse"),
        (JOB + 'splits = "auto tp:5"', "no split is possible, because tp must divide the heads, pp the layers and"),
        (
            JOB + 'memory = "1kB"',
            "job 1 has no job, because 8 splits need more memory than a device has; try",
        ),
        (JOB + 'memory = "many"', "job 1: "),
        (JOB + "zero = [4]", "job[0].zero[0]"),
        (JOB + "batches = []", "job[0].batches"),
        (
            JOB + f"batches = {list(range(1, 999))}\nmicro_batches = {list(range(1, 999))}",
            "the table has 996004 combinations; the limit is",
        ),
    ],
)
def test_bad_jobs_are_refused(tmp_path, text, message):
    with pytest.raises(P2Error) as error:
        expanded(tmp_path, text)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
