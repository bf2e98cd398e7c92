"""Jobs, all-to-alls and sends on the command line: emitted and run; what takes reductions alone refuses them."""

import json
import shutil
from itertools import product
from pathlib import Path

import pytest
from command_line import announced, output, refused
from tiers import sample

from p2smt.cli.main import run
from p2smt.collective import Collective
from p2smt.problem.file import job_example_text
from p2smt.run.local.report import RankReport, RunReport
from p2smt.run.local.step import StepReport

pytestmark = pytest.mark.usefixtures("known_optima")


@pytest.fixture
def job(tmp_path, monkeypatch):
    """The example of a job, and the plans of its best placement."""
    monkeypatch.chdir(tmp_path)
    Path("job.toml").write_text(job_example_text("job"), encoding="utf-8")
    return "job.toml"


@pytest.fixture(scope="module")
def plans(tmp_path_factory):
    """The plans of the best placement of the example."""
    folder = tmp_path_factory.mktemp("plans")
    (folder / "job.toml").write_text(job_example_text("job"), encoding="utf-8")
    assert run(["optimize", str(folder / "job.toml"), "--plans", str(folder / "plans")]) == 0
    return folder / "plans"


@pytest.fixture
def exchange(job, plans, capsys):
    shutil.copytree(plans, "plans")
    capsys.readouterr()
    return "plans/reduction-3.json"


def test_a_job_is_emitted_whole(job, capsys):
    said = announced(["emit", job, "--out", "step.py"], capsys)
    assert said == (
        "step.py: 4 reductions of a step, placed as 4x1/1x4/1x2, on 32 ranks; "
        "next: torchrun --standalone --nproc-per-node 32 step.py checks it\n"
    )
    text = Path("step.py").read_text(encoding="utf-8")
    assert text == output(["emit", job], capsys)
    for call in (
        'Call("gradients", 1.0, 125000000, torch.float32, 1)',
        'Call("gradients_of_experts", 1.0, 250000000, torch.float32, 1)',
        'Call("tokens", 64.0, 32000000, torch.bfloat16, 0)',
    ):
        assert call in text
    assert refused(["emit", job, "--out", "step.py"], capsys).startswith("step.py already exists")
    other = output(["emit", job, "--system", "node:8,gpu:4"], capsys)
    assert "node=8 x gpu=4" in other


def test_a_job_that_has_no_placement_is_not_emitted(job, capsys):
    text = Path(job).read_text(encoding="utf-8")
    Path(job).write_text(text.replace('"model inside node"', '"model inside node", "model on node"'), encoding="utf-8")
    assert run(["emit", job]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "nothing keeps all conditions" in err


@pytest.mark.thorough  # plans of exchanges are verified in tests/verify, functions in tests/frontend/torch_function
def test_an_all_to_all_is_emitted_and_verified_by_its_plan_and_by_its_code(exchange, capsys):
    said = announced(["emit", exchange, "--out", "exchange.py"], capsys)
    assert said.startswith("exchange.py: the all-to-all on 32 ranks; next: torchrun")
    assert output(["verify", exchange], capsys).startswith("valid: all 128 output chunks hold what the goal asks")
    groups = ";".join(
        ",".join(str(8 * node + 2 * expert + model) for expert in range(4)) for node in range(4) for model in range(2)
    )
    traced = ["verify", "exchange.py", "--run-python", "--function", "Reduction0", "--goal", "all-to-all"]
    assert output([*traced, "--devices", "32", "--groups", groups], capsys).startswith("valid: ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["emit", "job.toml", "--target", "jax"], "target jax is for reduction plans; a job's communication is em"),
        (["emit", "{plan}", "--target", "msccl"], "target msccl is for reduction plans; the plan of all-to-all is"),
        (["emit", "{plan}", "--system", "2x4"], "--system is for jobs and distributed tensor programs"),
        (["run", "job.toml", "--dtype", "int8"], "--elements, --dtype and --repeats are for plans of reductions; job"),
        (["run", "job.toml"], "32 ranks need 32 processes on this machine; the limit is 16"),
        (["run", "{plan}", "--repeats", "2"], "--elements, --dtype and --repeats are for plans of reductions; plans/"),
        (["explain", "{plan}"], "{plan} is the plan of all-to-all; this command takes plans of reductions"),
    ],
)
def test_what_is_for_reductions_alone_says_so(exchange, arguments, message, capsys):
    said = refused([one.replace("{plan}", exchange) for one in arguments], capsys)
    assert message.replace("{plan}", exchange) in said


@pytest.mark.thorough  # steps run on ranks in tests/run/local/test_training_step.py, the command in test_run.py
@pytest.mark.slow
def test_a_job_is_run_on_ranks(job, capsys):
    text = job_example_text("job").replace('"dgx-h100:4x8"', '"node:2,gpu:2"').replace("size = 4", "size = 2")
    text = text.replace('name = "model"\nsize = 2', 'name = "model"\nsize = 1').replace('"model inside node", ', "")
    Path(job).write_text(text, encoding="utf-8")
    said = output(["run", job], capsys)
    assert "tokens                ok" in said
    assert said.endswith("on every rank all of it equals torch's own collectives\n")


@pytest.mark.parametrize(
    ("goal", "steps"),
    [
        ("all-to-all", ["AllToAll", None, "AllToAll", None]),
        ("send-next", ["SendNext"]),
        ("send-around", ["SendAround"]),
    ],
)
def test_a_plan_for_an_all_to_all_or_a_send_needs_no_job(goal, steps, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    asked = ["--system", "2x4", "--axes", "8", "--reduce", "0", "--goal", goal, "--bytes", "4KB"]
    said = announced(["plan", *asked, "--out", "plan.json"], capsys)
    assert said.startswith("plan.json: placement 2x4, (")
    assert said.endswith("; next: p2smt emit plan.json --out exchange.py\n")
    document = json.loads(Path("plan.json").read_text(encoding="utf-8"))
    assert [step.get("exchange") for step in document["steps"]] == steps
    assert f"{goal} does not reduce, so it has no reduction program" in refused(["synth", *asked], capsys)
    assert "are for reductions; leave them out for all-to-alls" in refused(["plan", *asked, "--chunks", "4"], capsys)
    assert "--system is missing" in refused(["plan", *asked[2:]], capsys)


@pytest.mark.parametrize(
    ("what", "wrong", "as_json"), sample(product(["{job}", "{exchange}", "plan.json"], [3, 0], [False, True]), 7)
)
def test_a_run_with_wrong_numbers_is_no_success(what, wrong, as_json, job, exchange, capsys, monkeypatch):
    ranks = (RankReport(0, 0, (1.0,), (1.0,)), RankReport(1, wrong, (1.0,), (1.0,)))
    ran = RunReport(
        program="",
        goal=Collective.ALL_REDUCE,
        group=2,
        ranks=ranks,
        elements=8,
        dtype="float32",
        repeats=1,
        plan_seconds=1.0,
        plain_seconds=1.0,
        group_seconds=0.0,
        backend="gloo",
        torch_version="2.9.0",
        debug=False,
    )
    step = StepReport(differing=(("gradients", 0), ("tokens", wrong)), ranks=2, torch_version="2.9.0", debug=False)
    monkeypatch.setattr("p2smt.run.local.cluster.run_plan", lambda *_arguments, **_more: ran)
    monkeypatch.setattr("p2smt.run.local.step.run_step", lambda *_arguments, **_more: step)
    output(["plan", "--system", "2", "--axes", "2", "--reduce", "0", "--out", "plan.json"], capsys)
    asked = ["run", what.format(job=job, exchange=exchange), *["--json"] * as_json]
    output(asked, capsys, code=1 if wrong else 0)
