import json
from pathlib import Path

import pytest
from command_line import below_origin, golden, output, refused
from tiers import sample

from p2smt.cli.main import run
from p2smt.collective import Exchange
from p2smt.problem.file import job_example_text
from p2smt.reduction.plan.exchange_file import read_any_plan
from p2smt.reduction.plan.file import read_plan

pytestmark = pytest.mark.usefixtures("known_optima")


@pytest.fixture
def job(tmp_path):
    def written(text):
        path = tmp_path / "job.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return written


@pytest.mark.parametrize("name", ["job", "dense-70b", "moe"])
def test_examples_are_proved(name, job, capsys):
    golden(f"optimize_{name}.txt", output(["optimize", job(job_example_text(name))], capsys))


@pytest.mark.parametrize(("name", "axis"), sample([("dense-70b", "tp"), ("moe", "tp")], 1))
def test_the_rule_of_thumb_comes_out_without_being_asked_for(name, axis, job, capsys):
    document = json.loads(output(["optimize", job(job_example_text(name)), "--json"], capsys))
    assert document["job"]["conditions"] == []
    assert document["proved"]
    assert document["found"] > 1
    names = [one["name"] for one in document["job"]["axes"]]
    sizes = {one["name"]: one["size"] for one in document["job"]["axes"]}
    assert document["placements"][0]["matrix"][names.index(axis)] == [1, sizes[axis]]


def test_where_tensor_parallelism_does_not_belong_innermost(job, capsys):
    path = job(job_example_text("long-context"))
    golden("explain_long_context.txt", output(["explain", path], capsys))
    document = json.loads(output(["explain", path, "--json", "--matrix", "1x4/64x1/1x2"], capsys))
    best, *others = document["compared"]
    assert best["matrix"] == [[4, 1], [8, 8], [2, 1]]
    usual = next(one for one in others if "tp innermost" in one["labels"])
    assert usual["cost_s"] > 1.5 * best["cost_s"]
    asked = next(one for one in others if "asked for" in one["labels"])
    assert asked["matrix"] == [[1, 4], [64, 1], [1, 2]]


def test_the_document_says_what_is_printed(job, capsys):
    document = json.loads(output(["optimize", job(job_example_text("job")), "--json", "--top", "2"], capsys))
    assert len(document["placements"]) == 2
    best = document["placements"][0]
    assert best["cost_s"] == document["cost_s"] == document["lower_bound_s"]
    assert sum(phase["cost_s"] for phase in best["phases"]) == pytest.approx(best["cost_s"])
    numbers = sorted(one["reduction"] for phase in best["phases"] for one in phase["reductions"])
    assert numbers == list(range(4))


def test_the_step_of_a_model_is_the_one_that_advise_predicts(tmp_path, job, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    asked = ["advise", "--model", "llama-8b", "--system", "dgx-h100:1x4", "--tp", "4", "--batch", "64"]
    said = json.loads(output([*asked, "--json"], capsys))["splits"][0]
    assert run([*asked, "--out", "of-advise.toml"]) == 0
    capsys.readouterr()
    step = json.loads(output(["optimize", "of-advise.toml", "--json"], capsys))["step"]
    assert step | {"loses": None} == said
    unlike = ["optimize", "of-advise.toml", "--system", "hap-a100-p100"]
    assert "the step is not predicted: devices are of different kinds" in " ".join(output(unlike, capsys).split())
    assert json.loads(output([*unlike, "--json"], capsys))["step"] is None
    assert json.loads(output(["optimize", job(job_example_text("job")), "--json"], capsys))["step"] is None


def test_plans_of_the_winner_are_written(job, tmp_path, capsys):
    folder = tmp_path / "plans"
    output(["optimize", job(job_example_text("job")), "--plans", str(folder)], capsys)
    names = sorted(path.name for path in folder.iterdir())
    assert names == [f"reduction-{number}.json" for number in range(4)]
    assert read_any_plan(folder / "reduction-3.json").goal is Exchange.ALL_TO_ALL
    plan = read_plan(folder / "reduction-0.json")
    assert plan.reduce == ("data", "expert")
    assert str(plan.matrix) == "4x1/1x4/1x2"


def test_everything_that_was_found_of_a_job_is_written(job, tmp_path, capsys):
    folder = tmp_path / "best"
    arguments = ["optimize", job(job_example_text("job")), "--out", str(folder)]
    output(arguments, capsys)
    plans = [f"reduction-{number}.json" for number in range(4)]
    assert sorted(path.name for path in folder.iterdir()) == ["communication.py", "mesh.py", *plans]
    compile((folder / "communication.py").read_text(encoding="utf-8"), "communication.py", "exec")
    assert "reduction-0.json already exists; give --force" in refused(arguments, capsys)


@pytest.mark.parametrize("option", ["--plans", "--out"])
def test_a_folder_that_cannot_be_made_is_refused_before_the_search(option, job, tmp_path, capsys):
    arguments = ["optimize", job(job_example_text("job")), option]
    assert "cannot make the folder" in refused([*arguments, str(tmp_path / "nowhere" / "deep")], capsys)


TAIL = """program tail
mesh rank=4
input x : f32[8, 64] partial(+)
parameter b : f32[64]
sum = AllReduce(x)
out = relu(sum + b)
output out
"""


def test_everything_that_was_found_of_a_program_is_written(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("tail.tp").write_text(TAIL, encoding="utf-8")
    output(["optimize", "tail.tp", "--system", "node:2,gpu:2", "--depth", "1", "--out", "best"], capsys)
    names = ["best.steps", "mesh.py", "reduction-0.json", "scheduled.tp", "sharded.tp", "step.py"]
    assert sorted(path.name for path in Path("best").iterdir()) == names
    steps = ["schedule", "best/sharded.tp", "--steps", "best/best.steps"]
    assert "valid: tail on 4 ranks" in output([*steps, "--out", "again.tp"], capsys)
    assert Path("again.tp").read_bytes() == Path("best/scheduled.tp").read_bytes()
    emitted = ["emit", "best/sharded.tp", "--steps", "best/best.steps"]
    step = Path("best/step.py").read_text(encoding="utf-8")
    assert below_origin(output(emitted, capsys)) == below_origin(step)


def test_a_step_that_sends_nothing_is_written_as_it_is(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("one.tp").write_text("program one\nmesh rank=2\ninput x : f32[4]\ny = relu(x)\noutput y\n", encoding="utf-8")
    output(["optimize", "one.tp", "--system", "2x1", "--out", "best"], capsys)
    assert sorted(path.name for path in Path("best").iterdir()) == ["sharded.tp", "step.py"]


def test_what_clashes_is_said_in_the_users_words(job, capsys):
    path = job(job_example_text("job"))
    more = ["--condition", "model   on node", "--condition", "data like expert"]
    golden("optimize_infeasible.txt", output(["optimize", path, *more], capsys, code=1))
    document = json.loads(output(["optimize", path, *more, "--json"], capsys, code=1))
    assert document["core"] == ["model inside node", "model on node"]
    assert document["minimality"] == "smallest"
    output(["explain", path, "--system", "node:32,gpu:1"], capsys, code=1)


@pytest.mark.usefixtures("anew")
def test_time_that_is_up_is_no_answer(job, capsys):
    path = job(job_example_text("moe").replace('"dgx-h100:64x8"', '"node:4,rail:4,host:4,gpu:8"'))
    assert run(["optimize", path, "--timeout", "0.000001"]) == 3
    out, _ = capsys.readouterr()
    assert "before any placement was priced" in out
    document = json.loads(output(["optimize", path, "--timeout", "0.000001", "--json"], capsys, code=3))
    assert document["proved"] is False


TWO_AXES = """program two
mesh data=2, model=4
input x : f32[64, 64] partial(+, model) partial(+, data)
sum = AllReduce(x, axis=model)
both = AllReduce(sum, axis=data)
y = relu(both)
output y
"""


def test_a_program_whose_schedules_were_cut_off_has_no_proved_answer(tmp_path, capsys, monkeypatch):
    path = tmp_path / "two.tp"
    path.write_text(TWO_AXES, encoding="utf-8")
    asked = ["optimize", str(path), "--system", "node:2,gpu:4", "--depth", "1", "--limit", "2", "--json"]
    assert json.loads(output(asked, capsys))["schedule"]["complete"] is True
    monkeypatch.setattr("p2smt.job.tuning_options.STATEMENTS", 9)
    assert json.loads(output(asked, capsys, code=3))["schedule"]["complete"] is False


def test_a_placement_that_explain_is_asked_for_is_compared_or_it_is_said_why_not(job, capsys, monkeypatch):
    """It is not left out in silence: neither where it breaks a condition, nor where the search stopped before it."""
    from p2smt.cli.output import solved

    def interrupted(done, total):
        if done == 2:
            raise KeyboardInterrupt

    path = job(job_example_text("job"))
    assert run(["explain", path, "--matrix", "2x2/1x4/2x1"]) == 2
    assert "matrix 2x2/1x4/2x1 does not keep the job's conditions (model inside" in capsys.readouterr().err
    whole = solved.optimize
    monkeypatch.setattr(solved, "optimize", lambda workload, cost, *rest: whole(workload, cost, None, interrupted))
    assert "not proved best, stopped (interrupted)" in output(["explain", path], capsys, code=3)
    assert run(["explain", path, "--matrix", "4x1/1x4/1x2"]) == 2
    assert "was not priced before the search stopped (interrupted)" in capsys.readouterr().err


NAMES = '"<script>alert(\'x\')</script>\\n\\u001b[31m\\u202e\\"&é"'


def test_free_text_is_escaped(job, capsys):
    text = job_example_text("job").replace('"gradients"', NAMES).replace('"backward"', NAMES)
    out = output(["optimize", job(text)], capsys) + output(["explain", job(text)], capsys)
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "\\x1b[31m\\u202e" in "".join(out.split())
    document = json.loads(output(["optimize", job(text), "--json"], capsys))
    assert document["job"]["reductions"][0]["name"] == "<script>alert('x')</script>\n\x1b[31m\u202e\"&é"


AXES = '[[axis]]\nname="a"\nsize=4\n[[axis]]\nname="b"\nsize=8\n'
REDUCTION = '[[reduction]]\naxes=["a"]\nbytes="1MB"\n'
SYSTEM = 'system="4x8"\n'


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (SYSTEM + AXES, "has no [[reduction]]; add one per reduction (`p2smt example job` shows how)"),
        (AXES + REDUCTION, "--system is missing; give it, or `system` or [[level]] tables in the job file"),
        (SYSTEM + AXES + REDUCTION + "times=0", "reduction 0 ('all-reduce over a'): times 0.0 is out of range"),
        (SYSTEM + AXES + REDUCTION + "times=nan", "reduction 0 ('all-reduce over a'): times nan is out of range"),
        (SYSTEM + AXES + REDUCTION + 'collective="all"', "reduction[0]: goal 'all' is unknown; choose one of"),
        (SYSTEM + AXES + REDUCTION.replace('"a"', '"c"'), "reduction[0]: reduce axis 'c' does not exist"),
        (SYSTEM + AXES + REDUCTION.replace("1MB", "1.5B"), "reduction[0]: bytes '1.5B' is not a size"),
        (SYSTEM + AXES + REDUCTION.replace("1MB", "5B"), "bytes 5 is not a whole number of float32 elements"),
        (
            SYSTEM + 'reduce=["a"]\n' + AXES + REDUCTION,
            "has both reduce and [[reduction]]; keep the [[reduction]] tables alone",
        ),
        (SYSTEM + 'conditions=["a below b"]\n' + AXES + REDUCTION, "condition 'a below b' does not parse"),
        (
            SYSTEM + 'conditions=["a on rack"]\n' + AXES + REDUCTION,
            "condition 'a on rack': level 'rack' does not exist; there are level0, level1",
        ),
        (
            SYSTEM + 'conditions=["x not split"]\n' + AXES + REDUCTION,
            "condition 'x not split': axis 'x' does not exist; there are a, b",
        ),
        ('system="other.toml"\n' + AXES + REDUCTION, "system 'other.toml' is a file; name a preset or levels"),
        (SYSTEM + '[[level]]\nname="n"\nsize=2\n' + AXES + REDUCTION, "has system and [[level]] or [[link]]"),
        (SYSTEM + '[search]\nhierarchy="a"\n' + AXES + REDUCTION, "a job is searched on hierarchy d, collapsed"),
        (SYSTEM + AXES + REDUCTION * 65, "65 reductions; a job has 1 to 64, so split the job"),
        (SYSTEM + f"conditions={['a on level0'] * 33}\n" + AXES + REDUCTION, "33 conditions are too many"),
        (SYSTEM + AXES + REDUCTION + f'name="{"n" * 201}"', "a name or overlap group is longer than 200 characters"),
        (
            SYSTEM + AXES + "[transformer]\nlayers=2\nhidden=8\nffn=8\nheads=2\nvocabulary=8\nsequence=8\nbatch=8\n",
            "[transformer] and [parallelism] need each other; give both",
        ),
    ],
)
def test_bad_jobs_are_refused_in_one_line(text, wanted, job, capsys):
    for command in ("optimize", "explain"):
        assert run([command, job(text)]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert wanted in err
        assert err.count("\n") == 1


def test_options_that_do_not_fit_are_refused(job, capsys):
    path = job(job_example_text("job"))
    for arguments, wanted in (
        (["explain", path, "--by-hop"], "--by-hop counts the hops of a plan"),
        (["explain", path, "--matrix", "1x4"], "matrix 1x4 does not fit"),
        (["explain", "plan.json", "--matrix", "1x4"], "--matrix is for jobs"),
        (["optimize", path, "--timeout", "-1"], "timeout -1.0 is out of range"),
        (["optimize", path, "--plans", f"{path}/x"], "cannot make the folder"),
        (["optimize", path, "--precision", "bf16"], "--precision is for a tensor program"),
    ):
        assert run(arguments) == 2
        assert wanted in capsys.readouterr().err


MIXED = """program step
input x : f32[4096, 64]
parameter w : f32[64, 64]
y = matmul(x, w)
loss = sum(y * y)
gradient.w = einsum("b i, b o -> i o", x, y * 2)
w.new = update(w, w - 0.1 * gradient.w)
output loss
"""


def test_a_program_is_optimised_in_mixed_precision(tmp_path, capsys):
    path, many = tmp_path / "step.tp", tmp_path / "many.tp"
    many.write_text("program p\nmesh a=4\ninput x : f32[4] partial(+)\ny = AllReduce(x)\noutput y\n", encoding="utf-8")
    path.write_text(MIXED, encoding="utf-8")
    asked = ["--system", "node:2,gpu:2", "--depth", "0", "--precision", "bf16"]
    assert "step" in output(["optimize", str(path), *asked], capsys)
    assert run(["optimize", str(many), *asked]) == 2
    assert "is already distributed; leave --precision out, and choose the types with" in capsys.readouterr().err


def test_many_communicators_are_worth_a_word(job, capsys, monkeypatch):
    path = job(job_example_text("job"))
    assert "communicators, which" not in output(["optimize", path], capsys)
    monkeypatch.setattr("p2smt.cli.output.optimum.MANY_COMMUNICATORS", 2)
    assert "every device is in 3 communicators, which take time to make" in output(["optimize", path], capsys)
