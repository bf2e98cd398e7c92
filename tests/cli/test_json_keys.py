"""Every `--json` document keeps the keys that it ever had, with values of the same kinds."""

import json
from pathlib import Path

import click
import jsonschema
import pytest
from command_line import GOLDEN, output
from paths import ROOT
from tiers import is_full

import p2smt.tensor
from p2smt.cli.main import COMMANDS as MAIN
from p2smt.cli.main import cli, run
from p2smt.collective import Collective
from p2smt.problem.file import job_example_text
from p2smt.problem.typed import json_schema
from p2smt.reduction.plan.file import PlanRecord
from p2smt.run.local.report import RankReport, RunReport

pytestmark = pytest.mark.usefixtures("known_optima")

STEP = Path(p2smt.tensor.__file__).parent / "examples" / "mlp_step.tp"
SHARDED = (
    "program l\nmesh device=4\ninput x : f32[32, 8] sliced(0)\nparameter w : f32[8, 8]\ny_local = relu(matmul(x, w))\n"
    "y = AllGather(y_local, 0)\noutput y\n"
)
LAYER = "program l\ninput x : f32[64, 8]\nparameter w : f32[8, 8]\ny = relu(matmul(x, w))\noutput y\n"
EXPLAINED = ["--system", "node:2,gpu:2", "--speed", "1Gflop/s", "--tensor", "w", "--instead", "w sliced"]
KEYS = json.loads((GOLDEN / "document_keys.json").read_text(encoding="utf-8"))
"""Of every document its keys, as paths with the kinds of their values; what a command gains is added here."""

SMALL = ["--system", "node:2,gpu:4", "--axes", "data:2,model:4", "--reduce", "model", "--bytes", "1MB"]
WRONG = """
version = 1
devices = 2
chunks = 2
[[step]]
operation = "Broadcast"
groups = [[0, 1]]
"""
SWEEP = '[[grid]]\nsystems = ["2x2"]\naxes = ["4"]\nreduce = [0]\nlimits = [1]\n'
PROGRAM = "program p\nmesh a=2\ninput x : f32[4] partial(+)\ny = AllReduce(x)\noutput y\n"
BROKEN = PROGRAM.replace("AllReduce(x)", "AllReduce(x + 1)")
SINGLE = "program s\ninput x : f32[4]\ny = x\noutput y\n"
TAIL = "program tail\ninput x : f32[6, 4] partial(+)\nsum = AllReduce(x)\nz = softmax(sum, 0)\noutput z\n"
STEPS = "rs, ag = split sum rs-ag\n"
SEARCH = ["schedule", "tail.tp", "--system", "1x2", "--ranks", "2", "--depth", "1"]
RATES = str(ROOT / "scripts" / "results" / "schedule_rates.json")
TABLE = "axes,reduce,matrix,program,algorithm,bytes,seconds\n" + "".join(
    f"8,0,2x4,AllReduce,ring,{size},{seconds}\n" for size, seconds in (("64MiB", 0.01), ("1GiB", 0.16))
)
REPORT = RunReport(
    program="skip",
    goal=Collective.ALL_REDUCE,
    group=8,
    ranks=tuple(RankReport(rank, 0, (0.1,), (0.1,)) for rank in range(8)),
    elements=250000,
    dtype="float32",
    repeats=1,
    plan_seconds=0.1,
    plain_seconds=0.1,
    group_seconds=0.1,
    backend="gloo",
    torch_version="2.9.0",
    debug=False,
)


@pytest.fixture(scope="module")
def files(tmp_path_factory, solved_here):
    """The files that the commands below read."""
    folder = tmp_path_factory.mktemp("files")
    texts = {
        "job.toml": job_example_text("job"),
        "wrong.toml": WRONG,
        "sweep.toml": SWEEP,
        "rows.csv": TABLE,
        "many.tp": PROGRAM,
        "broken.tp": BROKEN,
        "one.tp": SINGLE,
        "tail.tp": TAIL,
        "split.steps": STEPS,
        "layer.tp": LAYER,
        "layer4.tp": SHARDED,
        "wrong.steps": f"{STEPS}scZ, agZ = reorder ag past z\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    assert run(["plan", *SMALL, "--out", str(folder / "plan.json")]) == 0
    assert run(["plan", *SMALL, "--chunks", "8", "--out", str(folder / "chunks.json")]) == 0
    assert run(["study", str(folder / "sweep.toml"), "--executor", "local:1"]) == 0
    return folder


COMMANDS = {
    "synth": (["synth", *SMALL, "--all", "--certify"], 0),
    "rank": (["rank", *SMALL], 0),
    "place": (["place", *SMALL, "--maps"], 0),
    "complete": (["complete", "ReduceScatter local; ...", *SMALL], 0),
    "complete, none fits": (["complete", "ReduceScatter local; AllReduce local", *SMALL, "--matrix", "1x2/2x2"], 1),
    "optimize": (["optimize", "job.toml"], 0),
    "optimize, a program": (["optimize", "many.tp", "--system", "1x2"], 0),
    "optimize, infeasible": (["optimize", "job.toml", "--condition", "model on node"], 1),
    "optimize, unfinished": (["optimize", "job.toml", "--timeout", "1e-6"], 3),
    "explain": (["explain", "plan.json"], 0),
    "explain, of chunks": (["explain", "chunks.json"], 0),
    "explain, of a job": (["explain", "job.toml"], 0),
    "explain, of a sharding": (["explain", "layer.tp", *EXPLAINED, "--against", "layer.tp"], 0),
    "mesh, of an order": (["mesh", "job.toml", "--from", "axes:data,expert,model"], 0),
    "mesh, of all orders": (["mesh", "job.toml", "--orders"], 0),
    "verify": (["verify", "plan.json"], 0),
    "verify, invalid": (["verify", "wrong.toml"], 1),
    "verify, a program": (["verify", "many.tp", "--against", "one.tp"], 0),
    "verify, a wrong program": (["verify", "broken.tp", "--against", "one.tp"], 1),
    "show": (["show", "many.tp"], 0),
    "show, a wrong program": (["show", "broken.tp"], 1),
    "schedule": (["schedule", "tail.tp", "--steps", "split.steps", "--ranks", "2"], 0),
    "schedule, refused": (["schedule", "tail.tp", "--steps", "wrong.steps", "--ranks", "2"], 1),
    "schedule, by rates": ([*SEARCH, "--rates", RATES], 0),
    "schedule, searched": (SEARCH, 0),
    "shard": (["shard", str(STEP), "--system", "hap-a100-p100", "--speed", "1Gflop/s"], 0),
    "shard, like another": (["shard", "layer.tp", "--system", "node:2,gpu:2", "--like", "layer4.tp"], 0),
    "calibrate": (["calibrate", "--system", "node:2,gpu:4", "rows.csv"], 0),
    "study": (["study", "sweep.toml", "--executor", "local:1"], 0),
    "study export": (["study", "export", "sweep.sqlite", "--format", "csv", "--columns", "system"], 0),
    "study query": (["study", "query", "sweep.sqlite"], 0),
    "lab list": (["lab", "list"], 0),
    "advise": (["advise", "--model", "llama-8b", "--system", "dgx-h100:2x8", "--tp", "4"], 0),
    "advise, of splits": (["advise", "--model", "llama-8b", "--system", "dgx-h100:2x8", "--split", "auto"], 0),
    "system": (["system", "dgx-h100"], 0),
    "plan": (["plan", *SMALL], 0),
    "plan, of an exchange": (["plan", *SMALL, "--goal", "all-to-all"], 0),
    "emit": (["emit", "plan.json"], 0),
    "example": (["example", "job"], 0),
    "report": (["report", "plan.json", "--out", "-"], 0),
    "schema": (["schema", "plan"], 0),
    "help": (["help", "shard"], 0),
    "help, of all": (["help"], 0),
    "system, of all": (["system"], 0),
}


def paths(document: object, above: str = "") -> set[str]:
    """Every key of a document with the kind of its value: `placements[].matrix[][]: number`."""
    match document:
        case dict():
            own = {f"{above}: object"} if above else set()
            return own.union(*(paths(value, f"{above}.{key}" if above else key) for key, value in document.items()))
        case list():
            return {f"{above}: list"}.union(*(paths(value, f"{above}[]") for value in document))
        case bool():
            return {f"{above}: bool"}
        case int() | float():
            return {f"{above}: number"}
        case _:
            return {f"{above}: {'null' if document is None else 'text'}"}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_document_keeps_its_keys(name, files, capsys, monkeypatch):
    monkeypatch.chdir(files)
    arguments, code = COMMANDS[name]
    command = run([*arguments, "--json"])
    out, _ = capsys.readouterr()
    assert command == code
    assert sorted(set(KEYS[name]) - paths(json.loads(out))) == []


@pytest.mark.slow
def test_the_document_of_a_run_keeps_its_keys(files, capsys, monkeypatch):
    if not is_full():  # ranks are started in test_training_step.py
        monkeypatch.setattr("p2smt.run.local.cluster.run_plan", lambda *_arguments, **_more: REPORT)
    document = json.loads(output(["run", str(files / "plan.json"), "--repeats", "1", "--json"], capsys))
    assert sorted(set(KEYS["run"]) - paths(document)) == []


def test_every_command_has_a_document():
    context = click.Context(cli)
    for name in MAIN:
        command = cli.get_command(context, name)
        several = command.commands.values() if isinstance(command, click.Group) else [command]
        lacking = [one.name for one in several if not any("--json" in each.opts for each in one.params)]
        assert lacking == [], name


def test_a_document_on_a_file_has_its_text_or_where_it_is(files, capsys, monkeypatch):
    monkeypatch.chdir(files)
    shown = json.loads(output(["emit", "plan.json", "--json"], capsys))
    written = json.loads(output(["emit", "plan.json", "--out", "reduction.py", "--json"], capsys))
    assert shown["file"] is None
    assert written["file"] == "reduction.py"
    assert written["text"] is None
    assert shown["text"] == (files / "reduction.py").read_text(encoding="utf-8")
    assert shown["bytes"] == written["bytes"] == (files / "reduction.py").stat().st_size
    table = ["study", "export", "sweep.sqlite", "--columns", "system,axes", "--format", "csv"]
    shown = json.loads(output([*table, "--json"], capsys))
    written = json.loads(output([*table, "--out", "sweep.csv", "--json"], capsys))
    assert shown["text"] == (files / "sweep.csv").read_text(encoding="utf-8") == output(table, capsys)
    assert (written["file"], written["table"], written["format"]) == ("sweep.csv", "problems", "csv")
    assert shown["bytes"] == written["bytes"]


def test_the_plan_in_a_document_is_that_of_the_file(files, capsys):
    found = json.loads(output(["plan", *SMALL, "--json"], capsys))
    jsonschema.validate(found["plan"], json_schema(PlanRecord, "plan"))
    assert found["plan"] == json.loads((files / "plan.json").read_text(encoding="utf-8"))
    assert found["busbw_bytes_per_s"] == pytest.approx(2 * 3 / 4 * 1e6 / found["seconds"])


def test_where_the_time_was_too_short_the_document_says_so(capsys):
    assert run(["plan", *SMALL, "--timeout", "1e-6", "--json"]) == 3
    assert json.loads(capsys.readouterr().out) == {"version": 1, "plan": None, "complete": False}


def test_keys_are_kept_for_every_document():
    assert set(KEYS) == {*COMMANDS, "run"}
    assert all(len(keys) > 1 for keys in KEYS.values())
    assert Path(GOLDEN / "document_keys.json").is_file()
