"""Jobs without an optimum: every command tells the other ends in the same words, on the stream of its answer."""

import json

import pytest
from command_line import output

from p2smt.cli.main import run
from p2smt.job import optimize
from p2smt.problem.file import job_example_text

pytestmark = pytest.mark.usefixtures("known_optima")

CLASH = ["--condition", "model on node"]
SOON = ["--timeout", "1e-6"]
CORE = "nothing keeps all conditions; the fewest that clash:\n  model inside node"
STOPPED = "stopped (deadline) before any placement was priced; allow a longer --timeout\n"
JSON_TOO = ["optimize {job}", "mesh {job} --orders", "mesh {job} --from axes:data,expert,model"]
ANSWERS = [
    "optimize {job}",
    "report {job} --out {out}",
    "mesh {job} --to rankfile --out {out}",
    # asked for documents below
    *(pytest.param(command, marks=pytest.mark.thorough) for command in JSON_TOO[1:]),
]
FILES = ["report {job} --out -", "mesh {job} --to rankfile", "mesh {job} --to megatron --out -"]


@pytest.fixture
def job(tmp_path):
    path = tmp_path / "job.toml"
    path.write_text(job_example_text("job"), encoding="utf-8")
    return path


def words(command, job, *more):
    return [*command.format(job=job, out=job.parent / "out.html").split(), *more]


@pytest.mark.parametrize("command", ANSWERS)
def test_why_there_is_no_placement_is_the_answer(command, job, capsys):
    assert output(words(command, job, *CLASH), capsys, code=1).startswith(CORE)
    assert output(words(command, job, *SOON), capsys, code=3) == STOPPED
    assert [path.name for path in job.parent.iterdir()] == ["job.toml"]


@pytest.mark.thorough  # documents are tested beside it
@pytest.mark.parametrize("command", FILES)
def test_a_file_on_stdout_is_never_mixed_with_why_there_is_none(command, job, capsys):
    for more, code, said in ((CLASH, 1, CORE), (SOON, 3, STOPPED)):
        assert run(words(command, job, *more)) == code
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith(said)


@pytest.mark.parametrize("command", JSON_TOO)
def test_documents_say_it_too(command, job, capsys):
    infeasible = json.loads(output(words(command, job, *CLASH, "--json"), capsys, code=1))
    assert infeasible["core"] == ["model inside node", "model on node"]
    unfinished = json.loads(output(words(command, job, *SOON, "--json"), capsys, code=3))
    assert (unfinished["proved"], unfinished["stopped"], unfinished["placements"]) == (False, "deadline", [])


@pytest.fixture
def late(monkeypatch):
    """The deadline comes once the first of three placements is priced."""
    whole = optimize.JobPricer.placement
    clock = [0.0]

    def placement(pricer, matrix):
        priced = whole(pricer, matrix)
        clock[0] = 1000.0
        return priced

    monkeypatch.setattr(optimize.JobPricer, "placement", placement)
    monkeypatch.setattr("time.monotonic", lambda: clock[0])


@pytest.fixture
def interrupted(monkeypatch):
    """Ctrl-C comes once the first of three placements is priced."""
    whole = optimize.JobPricer.placement
    asked = []

    def placement(pricer, matrix):
        asked.append(matrix)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return whole(pricer, matrix)

    monkeypatch.setattr(optimize.JobPricer, "placement", placement)


@pytest.mark.parametrize(("ending", "stop"), [("late", "deadline"), ("interrupted", "interrupted")])
@pytest.mark.parametrize("as_json", [False, True])
def test_an_optimum_that_is_not_proved_is_partial(ending, stop, as_json, job, capsys, request):
    request.getfixturevalue(ending)
    more = ["--timeout", "500"] if ending == "late" else []
    printed = output(["optimize", str(job), *more, *["--json"] * as_json], capsys, code=3)
    if as_json:
        document = json.loads(printed)
        assert (document["proved"], document["stopped"], document["priced"]) == (False, stop, 1)
        assert document["lower_bound_s"] <= document["cost_s"]
    else:
        assert printed.startswith(f"not proved best, stopped ({stop}): 1 of 3 placements")


@pytest.mark.usefixtures("interrupted")
@pytest.mark.parametrize(
    "command",
    [
        "explain {job}",
        "mesh {job} --orders",
        "report {job} --out {out}",
        "mesh {job} --to jax --out {out}",
        "emit {job} --out {out}",
        "plan --system 2x4 --axes 2,4 --reduce 1 --bytes 4KB --goal all-to-all",
        "advise --model gpt2 --system 2x4 --tp 2",
    ],
)
def test_what_is_made_of_an_optimum_that_is_not_proved_is_partial(command, job, capsys):
    assert run(words(command, job)) == 3
    capsys.readouterr()
