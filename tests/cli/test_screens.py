"""What every command prints on 80 and on 120 columns, as golden text: nothing is wider, no word is broken."""

import json
import re
from importlib import import_module
from pathlib import Path

import pytest
from command_line import golden, output
from paths import ROOT

from p2smt.cli.commands.schema import SchemaKind
from p2smt.cli.main import COMMANDS, cli, run
from p2smt.cli.output.lab import print_laboratories
from p2smt.cli.output.measure import print_counts
from p2smt.cli.output.run import print_run
from p2smt.collective import Collective
from p2smt.run.lab.sweep import LabStatus
from p2smt.run.local.report import RankReport, RunReport
from p2smt.run.measure.loop import Counts
from p2smt.tensor.text.file import read_program

WIDTHS = (80, 120)
SMALL = ["--system", "node:2,gpu:4", "--axes", "data:2,model:4", "--reduce", "model", "--bytes", "256MiB"]
CHUNKS = [
    "--system",
    "dgx-h100:2x8",
    "--axes",
    "16",
    "--reduce",
    "0",
    "--chunks",
    "32",
    "--program",
    "(node, InsideGroup, ReduceScatter); (node, Parallel(root), AllReduce); (node, InsideGroup, AllGather)",
]
SWEEP = """\
[[grid]]
systems = ["node:2,gpu:4", "dgx-h100:2x4"]
axes = ["8", "data:2,model:4"]
reduce = ["each"]
limits = [1]
"""
TABLE = """\
sizes,axes,reduce,matrix,program,algorithm,bytes,seconds
2x4,8,0,2x4,AllReduce,ring,64MiB,0.01
2x4,8,0,2x4,AllReduce,ring,1GiB,0.16
"""
TAIL = """\
program tail
mesh data=2, model=2
input x : f32[1024, 512] partial(+, model)
parameter b : f32[512]
sum = AllReduce(x, axis=model)
y = relu(sum + b)
output y
"""
LAYER = """\
program layer
input x : f32[64, 32]
parameter w : f32[32, 128]
parameter v : f32[128, 32]
h = relu(matmul(x, w))
y = matmul(h, v)
output y
"""
EXAMPLES, STEPS = ROOT / "p2smt" / "tensor" / "examples", ROOT / "p2smt" / "schedule" / "examples"
SCREENS = {
    "synth": ["synth", *SMALL, "--certify"],
    "rank": ["rank", *SMALL, "--top", "6"],
    "complete": ["complete", "ReduceScatter local; ??; AllGather local", *SMALL],
    "optimize": ["optimize", "job.toml", "--top", "2"],
    "optimize_program": [
        "optimize",
        "tail.tp",
        "--system",
        "node:2,gpu:2",
        "--depth",
        "1",
        "--limit",
        "2",
        "--top",
        "3",
    ],
    "explain": ["explain", "plan.json"],
    "explain_job": ["explain", "job.toml"],
    "explain_chunks": ["explain", "chunks.json"],
    "explain_sharding": [
        "explain",
        "layer.tp",
        "--system",
        "node:2,gpu:2",
        "--speed",
        "1Gflop/s",
        "--instead",
        "v sliced(0)",
        "--tensor",
        "w",
    ],
    "place": ["place", "--system", "node:2,rail:2,gpu:4", "--axes", "data:4,model:4", "--maps"],
    "mesh": ["mesh", "job.toml", "--from", "axes:data,expert,model"],
    "verify": ["verify", str(ROOT / "tests" / "plans" / "replicas_hold_sums.toml")],
    "study": ["study", "query", "sweep.sqlite", "--sort", "speedup"],
    "calibrate": ["calibrate", "--system", "node:2,gpu:4", "rows.csv", "--out", "fitted.toml"],
    "advise": ["advise", "--model", "llama-8b", "--system", "dgx-h100:2x8", "--tp", "4"],
    "system": ["system"],
    "help": ["help", "show"],
    "show": ["show", str(EXAMPLES / "sgd_sliced.tp")],
    "shard": ["shard", str(EXAMPLES / "mlp_step.tp"), "--system", "hap-v100-p100"],
    "reproduce": [
        "reproduce",
        "shard",
        str(EXAMPLES / "sgd.tp"),
        "--system",
        "hap-v100-p100",
        "--published",
        "one-collective",
    ],
    "schedule": ["schedule", str(STEPS / "mlp_tail.tp"), "--steps", str(STEPS / "mlp_rs_ag.steps"), "--ranks", "4"],
    "schedule_refused": ["schedule", str(STEPS / "mlp_tail.tp"), "--steps", "wrong.steps", "--ranks", "4"],
    "schedule_search": [
        "schedule",
        str(STEPS / "mlp_tail.tp"),
        "--system",
        "dgx-h100:1x4",
        "--ranks",
        "4",
        "--depth",
        "1",
    ],
    "verify_program": [
        "verify",
        str(EXAMPLES / "sgd_sliced.tp"),
        "--against",
        str(EXAMPLES / "sgd.tp"),
        "--devices",
        "4",
    ],
    "verify_program_wrong": ["verify", "wrong.tp", "--against", str(EXAMPLES / "sgd.tp"), "--devices", "4"],
}
INVALID = ("verify", "schedule_refused", "verify_program_wrong")
WRITES = {
    "plan": ["plan", *SMALL, "--out", "other.json", "--force"],
    "emit": ["emit", "plan.json", "--out", "reduction.py"],
    "report": ["report", *SMALL, "--figure", "cluster", "--matrix", "1x2/2x2", "--out", "cluster.svg", "--force"],
    "example": ["example", "--out", "problem.toml"],
    "capture": ["capture", "--example", "mlp", "--out", "step.tp", "--force"],
}
"""These print a file; what they say is what they wrote."""
REPORT = RunReport(
    program="(node, InsideGroup, ReduceScatter); (node, Parallel(root), AllReduce); (node, InsideGroup, AllGather)",
    goal=Collective.ALL_REDUCE,
    group=4,
    ranks=tuple(RankReport(rank, rank // 3, (0.011, 0.012), (0.01, 0.01)) for rank in range(4)),
    elements=262144,
    dtype="float32",
    repeats=2,
    plan_seconds=0.012,
    plain_seconds=0.01,
    group_seconds=0.2,
    backend="gloo",
    torch_version="2.9.0",
    debug=True,
)
MACHINES = {
    "run": lambda: print_run(REPORT),
    "lab": lambda: print_laboratories([LabStatus("demo", 4, (11, 12), in_use=True)]),
    "measure": lambda: print_counts(Counts(pairs=9, measured=8, known=1, wrong=2), Path("2x4.csv")),
}
"""These take processes and hosts; here what they print of given results."""
DOCUMENTS = ("schema",)
"""These print JSON, the same on every screen."""


@pytest.fixture(scope="module")
def files(tmp_path_factory, solved_here):
    folder = tmp_path_factory.mktemp("screens")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        Path("sweep.toml").write_text(SWEEP, encoding="utf-8")
        Path("rows.csv").write_text(TABLE, encoding="utf-8")
        Path("layer.tp").write_text(LAYER, encoding="utf-8")
        Path("tail.tp").write_text(TAIL, encoding="utf-8")
        Path("wrong.steps").write_text("rs, ag = split sum rs-ag dim 2\ns = reorder rs past drop\n", encoding="utf-8")
        sliced = (EXAMPLES / "sgd_sliced.tp").read_text(encoding="utf-8")
        Path("wrong.tp").write_text(sliced.replace(" / ranks", ""), encoding="utf-8")
        assert run(["example", "job", "--out", "job.toml"]) == 0
        assert run(["plan", *SMALL, "--matrix", "1x2/2x2", "--out", "plan.json"]) == 0
        assert run(["plan", *CHUNKS, "--out", "chunks.json"]) == 0
        assert run(["study", "sweep.toml", "--executor", "local:1"]) == 0
    return folder


SHARED = (
    "p2smt.reduction.synth.session.synthesize",
    "p2smt.reduction.synth.completion.complete",
    "p2smt.cost.certificate.certify",
    "p2smt.cost.calibration.fit.fit_system",
    "p2smt.cost.plan_explanation.explain_plan",
    "p2smt.cli.output.solved.optimize",
    "p2smt.job.advice.advise",
    "p2smt.schedule.tuner.search.tune",
    "p2smt.spmd.request.shard_program",
    "p2smt.tensor.verification.check.verify_program",
)
"""What takes long: worked out for one width, printed on both; also for every screen of one job."""

USERS = (
    "p2smt.cost.plan_explanation",
    "p2smt.job.advice",
    "p2smt.job.training",
    "p2smt.spmd.reading.explanation",
    "p2smt.spmd.reading.given_program",
    "p2smt.spmd.search.alternation",
    "p2smt.sweep.solve_job",
    "p2smt.tensor.ranks.verification",
)
"""Modules that take one of these by its name: imported while it is replaced they would keep what it is replaced by."""


@pytest.fixture(scope="module")
def known():
    return {}


@pytest.fixture
def shared(known, monkeypatch):
    for user in USERS:
        import_module(user)
    for target in SHARED:
        module, _, name = target.rpartition(".")
        whole = getattr(import_module(module), name)

        def once(*args, target=target, whole=whole, **more):
            key = (target, repr(args[0]), repr(args[3:]), repr(more.get("only")))
            if key not in known:
                known[key] = whole(*args, **more)
            return known[key]

        monkeypatch.setattr(target, once)
    step = read_program(EXAMPLES / "mlp_step.tp")  # what tracing gives is tested in its own room
    monkeypatch.setattr("p2smt.frontend.torch_graph.capture.capture_example", lambda *_: step)


def screen(text):
    """The text without what differs from run to run, or with every change of a drawing."""
    return re.sub(r"[\d.]+ KiB; next", "SIZE; next", re.sub(r"(found in|\(Z3,) [\d.]+ \w+", r"\1 TIME", text))


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("name", [*SCREENS, *WRITES, *MACHINES])
def test_screens_of_80_and_120_columns(name, files, capsys, monkeypatch):
    monkeypatch.chdir(files)
    texts = []
    for width in WIDTHS:
        monkeypatch.setenv("COLUMNS", str(width))
        capsys.readouterr()
        if name in MACHINES:
            MACHINES[name]()
        else:
            assert run(SCREENS.get(name) or WRITES[name]) == int(name in INVALID)
        out, err = capsys.readouterr()
        shown = err if name in WRITES else out
        texts.append(screen(shown.replace(str(files), "FOLDER").replace(str(ROOT), "ROOT")))
        if name not in WRITES:
            assert max(map(len, shown.splitlines())) <= width
    both = (f"{width} columns\n\n{text}\n" for width, text in zip(WIDTHS, texts, strict=True))
    golden(f"screen_{name}.txt", "".join(both))


@pytest.mark.parametrize("kind", SchemaKind)
def test_a_schema_is_the_same_on_every_screen(kind, capsys, monkeypatch):
    texts = set()
    for width in WIDTHS:
        monkeypatch.setenv("COLUMNS", str(width))
        texts.add(output(["schema", kind.value], capsys))
    (text,) = texts
    assert json.loads(text)["$schema"]


def test_every_command_has_a_screen():
    assert {name.partition("_")[0] for name in (*SCREENS, *WRITES, *MACHINES, *DOCUMENTS)} == set(COMMANDS)


def test_help_fits_80_columns_but_for_what_is_typed(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    for name in COMMANDS:
        before, _, after = output([name, "--help"], capsys).partition("Example:")
        options = after[after.find("Options:") :]
        assert [line for line in (before + options).splitlines() if len(line) > 80] == [], name
    assert cli.name == "cli"
