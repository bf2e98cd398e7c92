"""Files that commands write are whole or not there, whatever ends the writing."""

import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT, TESTS
from tiers import sample

from p2smt.cli.exit_code import LIMITS
from p2smt.cli.main import run
from p2smt.cli.output.files import whole_file, write_result
from p2smt.errors import OutputError

pytestmark = pytest.mark.usefixtures("known_optima")


@pytest.mark.parametrize("older", [None, b"older"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError, ValueError])
def test_a_write_that_fails_leaves_nothing_behind(tmp_path, older, error):
    path = tmp_path / "plan.json"
    if older is not None:
        path.write_bytes(older)

    def half():
        with whole_file(path) as file:
            file.write(b"half")
            raise error

    with pytest.raises(OutputError if error is OSError else error):
        half()
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == ({} if older is None else {"plan.json": older})


def test_what_is_written_takes_the_place_of_what_was_there(tmp_path):
    path = tmp_path / "plan.json"
    for text in ("first", "second"):
        write_result(path, text)
        assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == {"plan.json": text.encode()}


def test_the_mask_of_new_files_counts_and_stays(tmp_path):
    before = os.umask(0o027)
    try:
        for name in ("one", "two"):
            write_result(tmp_path / name, "text")
        assert {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()} == {0o640}
    finally:
        assert os.umask(before) == 0o027


WRITTEN = {
    "example": (["example", "job"], "an example of a job; next: edit it, then p2smt optimize {path}"),
    "system": (["system", "dgx-h100"], "the system dgx-h100; next: give --system {path} to any command"),
    "advise": (
        ["advise", "--model", "llama-8b", "--system", "dgx-h100:2x8", "--tp", "8", "--json"],
        "the job; next: p2smt mesh {path} --to devicemesh",
    ),
}


SMALL = ["--system", "dgx-h100:2x2", "--axes", "4", "--reduce", "0"]
PLANNED = "placement 2x2, AR all, 1.00x over one AllReduce; next: p2smt emit {path} --out reduction.py"
PROGRAMS = ROOT / "p2smt" / "tensor" / "examples"
ANSWERED = {
    "plan": (["plan", *SMALL, "--out"], PLANNED),
    "synth": (["synth", *SMALL, "--plan"], PLANNED),
    "rank": (["rank", *SMALL, "--plan"], PLANNED),
    "complete": (["complete", "...", *SMALL, "--plan"], PLANNED),
    "obligation": (
        ["synth", *SMALL, "--limit", "2", "--certify", "--obligation"],
        "the proof obligation in SMT-LIB 2; next: z3 {path} (unsat: nothing costs less)",
    ),
    "emit": (
        ["emit", "plan.json", "--out"],
        "the reduction for torch.distributed on 4 ranks; next: torchrun --standalone --nproc-per-node 4 {path} "
        "checks it",
    ),
    "step": (
        ["emit", str(PROGRAMS / "mlp_step_megatron.tp"), "--out"],
        "the training step on 4 ranks; next: torchrun --standalone --nproc-per-node 4 {path} checks it",
    ),
    "mesh": (
        ["mesh", "job.toml", "--to", "rankfile", "--out"],
        "matrix 4x1/1x4/1x2 as a rankfile; next: mpirun --rankfile {path}",
    ),
    "order": (
        ["mesh", "dense.toml", "--to", "megatron", "--matrix", "4x1/8x1/2x1/1x8", "--out"],
        "matrix 4x1/8x1/2x1/1x8 as an order for megatron; next: see the note for what takes it",
    ),
    "shard": (
        ["shard", str(PROGRAMS / "sgd.tp"), "--system", "hap-v100-p100", "--out"],
        f"the distributed program; next: p2smt verify {{path}} --against {PROGRAMS / 'sgd.tp'}",
    ),
    "schedule": (
        ["schedule", str(PROGRAMS / "sgd_sliced.tp"), "--steps", "none.steps", "--ranks", "4", "--out"],
        f"the program after all steps; next: p2smt verify {{path}} --against {PROGRAMS / 'sgd_sliced.tp'}",
    ),
    "verify": (
        ["verify", "wrong.toml", "--example"],
        "the smallest plan with this mistake; next: p2smt verify {path}",
    ),
}
"""What the other commands write: the option for the file is the last argument."""


@pytest.fixture(scope="module")
def made(tmp_path_factory, solved_here):
    """The files that commands read."""
    folder = tmp_path_factory.mktemp("made")
    for kind, name in (("job", "job.toml"), ("dense-70b", "dense.toml")):
        assert run(["example", kind, "--out", str(folder / name)]) == 0
    assert run(["plan", *SMALL, "--out", str(folder / "plan.json")]) == 0
    (folder / "none.steps").write_text("", encoding="utf-8")
    shutil.copy(TESTS / "plans" / "replicas_hold_sums.toml", folder / "wrong.toml")
    return folder


@pytest.fixture
def inputs(made, tmp_path, monkeypatch, capsys):
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    capsys.readouterr()


WAY_OUT = "give --force to overwrite it, or another name"


def announced(capsys):
    return [line for line in capsys.readouterr().err.splitlines() if not line.startswith("p2smt: note: ")]


@pytest.mark.usefixtures("inputs")
@pytest.mark.parametrize("name", [*WRITTEN, *ANSWERED])
def test_a_file_is_announced_and_not_overwritten(name, capsys):
    arguments, said = WRITTEN[name] if name in WRITTEN else ANSWERED[name]
    path = Path("mine.toml")
    asked = [*arguments, str(path)] if name in ANSWERED else [*arguments, "--out", str(path)]
    found = 1 if name == "verify" else 0
    assert run(asked) == found
    assert announced(capsys) == [f"p2smt: {path}: {said.format(path=path)}"]
    if name in ("example", "system", "emit", "step", "verify"):  # the same bytes once more are no loss
        assert run(asked) == found
        assert announced(capsys) == [f"p2smt: {path}: {said.format(path=path)}"]
    else:
        assert run(asked) == 2
        assert capsys.readouterr().err == f"p2smt: {path} already exists; {WAY_OUT}\n"
    path.write_text(f"{path.read_text(encoding='utf-8')}# edited\n", encoding="utf-8")
    assert run(asked) == 2
    assert WAY_OUT in capsys.readouterr().err
    assert path.read_text(encoding="utf-8").endswith("# edited\n")
    assert run([*asked, "--force"]) == found
    assert not path.read_text(encoding="utf-8").endswith("# edited\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has it")
@pytest.mark.parametrize(
    "command", sample([["system"], ["plan", "--system", "2x4", "--axes", "8", "--reduce", "0"]], 1)
)
def test_a_full_disk_is_one_line(command):
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "p2smt", *command], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr == "p2smt: cannot write the output: No space left on device; make room, or send it elsewhere\n"


def test_limits_of_the_machine_are_one_line_with_a_way_out(monkeypatch, capsys):
    for number, way_out in LIMITS.items():

        def refused(arguments, number=number):
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr("p2smt.cli.main._answered", refused)
        assert run(["system"]) == 2
        assert capsys.readouterr().err == f"p2smt: the system refuses more: {os.strerror(number)}; {way_out}\n"


SWEEP = '[[grid]]\nsystems = ["2x2"]\naxes = ["4"]\nreduce = [0]\nlimits = [1]\n'
OF_A_FORMAT = {
    "mine.svg": ["report", *SMALL, "--figure", "cluster", "--matrix", "2x2", "--out", "mine.svg"],
    "mine.dot.svg": ["show", str(PROGRAMS / "sgd_sliced.tp"), "--svg", "mine.dot.svg", "--json"],
    "mine.csv": ["study", "export", "sweep.sqlite", "--out", "mine.csv"],
}


@pytest.mark.usefixtures("inputs")
@pytest.mark.parametrize("name", OF_A_FORMAT)
def test_pictures_and_tables_take_no_other_files_place(name, capsys):
    Path("sweep.toml").write_text(SWEEP, encoding="utf-8")
    if name == "mine.csv":
        assert run(["study", "sweep.toml", "--executor", "local:1"]) == 0
        said = "p2smt: sweep.sqlite: the results; next: p2smt study query sweep.sqlite\n"
        assert capsys.readouterr().err == said
    Path(name).write_text("mine", encoding="utf-8")
    assert run(OF_A_FORMAT[name]) == 2
    known_before = f"; {WAY_OUT}" if name == "mine.svg" else " with other contents"
    assert f"{name} already exists{known_before}" in capsys.readouterr().err
    assert Path(name).read_text(encoding="utf-8") == "mine"
    assert run([*OF_A_FORMAT[name], "--force"]) == 0
    assert capsys.readouterr().err.startswith(f"p2smt: {name}: ")
    assert Path(name).read_text(encoding="utf-8") != "mine"


@pytest.mark.usefixtures("inputs")
def test_plans_in_a_folder_say_whose_they_are(capsys):
    assert run(["optimize", "job.toml", "--plans", "plans"]) == 0
    assert capsys.readouterr().err == (
        "p2smt: plans: reduction-0.json is gradients, reduction-1.json is gradients of experts, "
        "reduction-2.json is activations, reduction-3.json is tokens; "
        "next: p2smt emit plans/reduction-0.json --out reduction.py\n"
    )
    edited = Path("plans/reduction-1.json")
    edited.write_text("{}", encoding="utf-8")
    assert run(["optimize", "job.toml", "--plans", "plans"]) == 2
    assert f"plans/reduction-0.json already exists; {WAY_OUT}" in capsys.readouterr().err
    Path("plans/reduction-0.json").unlink()
    assert run(["optimize", "job.toml", "--plans", "plans"]) == 2
    assert f"plans/reduction-1.json already exists; {WAY_OUT}" in capsys.readouterr().err
    assert edited.read_text(encoding="utf-8") == "{}"


STEP = str(PROGRAMS / "sgd.tp")
LONG = {
    "advise": ("p2smt.job.advice.advise", [*WRITTEN["advise"][0], "--out", "mine"]),
    "capture": ("p2smt.frontend.torch_graph.capture.capture_example", ["capture", "--example", "mlp", "--out", "mine"]),
    "complete": ("p2smt.reduction.synth.completion.complete", ["complete", "...", *SMALL, "--plan", "mine"]),
    "mesh": ("p2smt.cli.output.solved.optimize", ["mesh", "job.toml", "--to", "rankfile", "--out", "mine"]),
    "obligation": (
        "p2smt.reduction.synth.session.synthesize",
        ["synth", *SMALL, "--certify", "--obligation", "mine"],
    ),
    "optimize": ("p2smt.cli.output.solved.optimize", ["optimize", "job.toml", "--plans", "."]),
    "plan": ("p2smt.cli.options.plan.PlanOptions.plan", ["plan", *SMALL, "--out", "mine"]),
    "rank": ("p2smt.reduction.synth.session.synthesize", ["rank", *SMALL, "--plan", "mine"]),
    "report": ("p2smt.cli.problem_report.synthesize", ["report", *SMALL, "--out", "mine"]),
    "report of a job": ("p2smt.cli.output.solved.optimize", ["report", "job.toml"]),
    "figure": ("p2smt.cli.options.plan.PlanOptions.plan", ["report", *SMALL, "--figure", "program"]),
    "schedule": (
        "p2smt.schedule.check.check_schedule",
        ["schedule", STEP, "--steps", "none.steps", "--ranks", "4", "--out", "mine"],
    ),
    "shard": ("p2smt.spmd.request.shard", ["shard", STEP, "--system", "hap-v100-p100", "--out", "mine"]),
    "synth": ("p2smt.reduction.synth.session.synthesize", ["synth", *SMALL, "--plan", "mine"]),
}
"""What takes long in the commands that know their file when they start, and a command."""
DEFAULTS = {"optimize": "reduction-2.json", "report of a job": "report.html", "figure": "program.svg"}


@pytest.mark.usefixtures("inputs")
@pytest.mark.parametrize("name", LONG)
def test_a_file_that_stands_in_the_way_is_named_before_the_work(name, capsys, monkeypatch):
    work, command = LONG[name]
    worked = []
    monkeypatch.setattr(work, lambda *args, **more: worked.append(name) or 1 / 0)
    with pytest.raises(ZeroDivisionError):  # this is the work
        run(command)
    assert worked == [name]
    path = Path(DEFAULTS.get(name, "mine"))
    path.write_text("mine", encoding="utf-8")
    assert run(command) == 2
    assert capsys.readouterr().err == f"p2smt: {path} already exists; {WAY_OUT}\n"
    with pytest.raises(ZeroDivisionError):
        run([*command, "--force"])
    assert path.read_text(encoding="utf-8") == "mine"


@pytest.mark.usefixtures("inputs")
def test_a_file_that_comes_during_the_work_is_not_overwritten(capsys, monkeypatch):
    from p2smt.spmd.search.sharding import shard

    def slowly(*args, **more):
        Path("mine").write_text("mine", encoding="utf-8")
        return shard(*args, **more)

    monkeypatch.setattr("p2smt.spmd.request.shard", slowly)
    assert run(LONG["shard"][1]) == 2
    assert "mine already exists with other contents" in capsys.readouterr().err
    assert Path("mine").read_text(encoding="utf-8") == "mine"
