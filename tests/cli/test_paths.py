"""Files that commands read and write: standard input, other kinds of files, and no input that is overwritten."""

import io
import sys
from pathlib import Path

import click
import pytest
from command_line import output, refused
from paths import ROOT

from p2smt.cli.file_kind import kind_of
from p2smt.cli.main import COMMANDS, cli, run
from p2smt.cli.options.paths import SYSTEM_TEXT, InputPath, InputText, OutputPath
from p2smt.problem.file import example_text, job_example_text
from p2smt.problem.system.file import preset_names, preset_text

TAIL = ROOT / "p2smt" / "schedule" / "examples" / "mlp_tail.tp"
SMALL = ["--axes", "4", "--reduce", "0", "--limit", "1"]


pytestmark = pytest.mark.usefixtures("known_optima")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A folder with a file of every kind."""
    folder = tmp_path_factory.mktemp("kinds")
    texts = {
        "problem.toml": example_text(),
        "job.toml": job_example_text("job"),
        "system.toml": preset_text("dgx-h100"),
        "sweep.toml": '[[grid]]\nsystems = ["2x2"]\naxes = ["4"]\nreduce = ["each"]\n',
        "model.toml": "[transformer]\nlayers = 2\n",
        "config.json": '{"model_type": "llama"}',
        "step.tp": "program step\ninput x : f32[4]\ny = relu(x)\noutput y\n",
        "mine.steps": "split avg rs-ag\n",
        "hand.toml": "version = 1\ndevices = 2\nchunks = 2\n",
        "times.csv": "sizes,axes,reduce,matrix,program,algorithm,bytes,seconds\n",
        "page.html": "<!DOCTYPE html>\n<html>",
        "f.py": "def f(x):\n    return x\n",
        "a.xml": "<algo></algo>",
        "a.sqlite": "SQLite format 3\0",
        "a.svg": '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"></svg>',
        "notes.md": "Fitted to nccl-tests, with nThread 1:\n\n| size | time |\n|---|---|\n| 1 GiB | 9.71 ms |\n",
        "log.md": "The log:\n```\n  1024 256 float sum -1 9.5 0.11 0.19 0 9.4 0.11 0.19 0\n```\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    assert run(["plan", "--system", "2x2", *SMALL, "--out", str(folder / "plan.json")]) == 0
    return folder


@pytest.fixture
def standard_input(monkeypatch):
    """A function that puts bytes on standard input."""

    def put(data: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))

    return put


def test_every_path_of_a_command_is_of_one_of_two_types():
    known = [(f"{name} {option.name}", option.type) for name in COMMANDS for option in _parameters(name)]
    paths = [name for name, kind in known if isinstance(kind, click.Path)]
    assert paths == ["optimize plans", "optimize out"]  # folders
    assert sum(isinstance(kind, InputPath | InputText) for _, kind in known) > 30
    assert sum(isinstance(kind, OutputPath) for _, kind in known) > 15


def _parameters(name: str) -> list[click.Parameter]:
    command = cli.get_command(click.Context(cli), name)
    several = command.commands.values() if isinstance(command, click.Group) else [command]
    return [parameter for one in several for parameter in one.params]


def test_kinds_of_files_are_recognised(files):
    nouns = {path.name: found.noun if (found := kind_of(path)) else None for path in files.iterdir()}
    assert nouns == {
        "problem.toml": "a problem file",
        "job.toml": "a job file",
        "system.toml": "a system file",
        "sweep.toml": "a sweep file",
        "model.toml": "the description of a model",
        "config.json": "the description of a model",
        "step.tp": "a tensor program",
        "mine.steps": "the steps of a schedule",
        "hand.toml": "a hand-written plan",
        "times.csv": "a table of measured times",
        "page.html": "a page",
        "f.py": "a Python file",
        "a.xml": "a program for a compiler or a runtime",
        "a.sqlite": "the store of a study",
        "a.svg": "a drawing",
        "notes.md": "a text for people",
        "log.md": "a table of measured times",
        "plan.json": "a plan",
    }


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            "shard notes.md --system 2x2",
            "notes.md is a text for people, not a tensor program; give a file such as NAME.tp",
        ),
        ("explain a.svg", "a.svg is a drawing, not a plan; try a browser"),
        ("show plan.json", "plan.json is a plan, not a tensor program; try p2smt explain plan.json or p2smt verify"),
        ("schedule plan.json --system 2x2", "plan.json is a plan, not a tensor program; try p2smt explain plan.json"),
        ("synth job.toml", "job.toml is a job file, not a problem file; try p2smt optimize job.toml"),
        ("optimize plan.json", "plan.json is a plan, not a job file; try p2smt explain plan.json"),
        ("study job.toml", "job.toml is a job file, not a sweep file; try p2smt optimize job.toml"),
        ("explain sweep.toml", "sweep.toml is a sweep file, not a plan; try p2smt study sweep.toml"),
        ("advise --model plan.json --system 2x2", "plan.json is a plan, not the description of a model; try p2smt exp"),
        ("synth --system job.toml --axes 4 --reduce 0", "job.toml is a job file, not a system file; try p2smt opt"),
        ("verify page.html", "page.html is a page, not a hand-written plan; try a browser"),
        ("verify job.toml", "job.toml is a job file, not a hand-written plan; try p2smt optimize job.toml"),
        ("study query plan.json", "plan.json is a plan, not the store of a study; try p2smt explain plan.json"),
        (
            "calibrate --system 2x2 step.tp",
            "step.tp is a tensor program, not a table of measured times; try",
        ),
    ],
)
def test_a_file_of_another_kind_is_named(arguments, said, files, monkeypatch, capsys):
    monkeypatch.chdir(files)
    assert refused(arguments.split(), capsys).startswith(said)


@pytest.mark.parametrize(
    "arguments",
    [
        "emit plan.json --out ../kinds0/plan.json --force",
        "report problem.toml --out problem.toml --force",
        "system system.toml --out system.toml --force",
        "synth problem.toml --plan problem.toml --force",
        "calibrate --system system.toml times.csv --out times.csv --force",
        "calibrate --out system.toml --system system.toml times.csv --force",
        "capture f.py:f --run-python --out f.py --force",
        "verify f.py:f --run-python --example f.py --force",
        "shard step.tp --system 2x2 --trace step.tp --force",
    ],
)
def test_no_command_overwrites_what_it_reads(arguments, files, monkeypatch, capsys):
    monkeypatch.chdir(files)
    arguments = arguments.replace("kinds0", files.name)
    before = {path: path.read_bytes() for path in files.iterdir()}
    assert "is read by this command, which does not overwrite it; write to another file" in refused(
        arguments.split(), capsys
    )
    assert {path: path.read_bytes() for path in files.iterdir()} == before


def test_two_results_are_two_files(files, monkeypatch, capsys):
    monkeypatch.chdir(files)
    said = refused(["shard", "step.tp", "--system", "2x2", "--out", "a.tp", "--report", "./a.tp"], capsys)
    assert said.startswith("--out and --report are both a.tp; give two files")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("plan.json", "verify {}"),
        ("plan.json", "explain {}"),
        ("plan.json", "emit {}"),
        ("problem.toml", "place {}"),
        ("job.toml", "mesh {} --orders"),
        ("system.toml", "place --system {} --axes 32 --reduce 0"),
    ],
)
def test_standard_input_is_read_as_the_file_is(name, arguments, files, standard_input, capsys):
    wanted = output(arguments.format(files / name).split(), capsys)
    standard_input((files / name).read_bytes())
    assert output(arguments.format("-").split(), capsys).splitlines()[1:] == wanted.splitlines()[1:]


def test_a_tensor_program_comes_from_standard_input(standard_input, capsys):
    standard_input(TAIL.read_bytes())
    assert "mlp_tail" in output(["show", "-", "--devices", "4"], capsys)


def test_standard_input_is_one_file_and_no_store(standard_input, capsys):
    standard_input(b"")
    said = refused(["synth", "-", "--system", "-"], capsys)
    assert said.startswith("only one file can be standard input; name the others")
    assert "standard input is not read here; name a file" in refused(["study", "query", "-"], capsys)
    standard_input(b'{"format": "p2smt-plan"}')
    assert refused(["show", "-"], capsys).startswith("standard input is a plan, not a tensor program")


def test_shells_complete_presets_and_files_of_the_kind(files, monkeypatch):
    monkeypatch.chdir(files)
    context, parameter = click.Context(cli), click.Option(["--system"])
    presets = [name for name in preset_names() if name.startswith("dgx-")]
    assert [one.value for one in SYSTEM_TEXT.shell_complete(context, parameter, "dgx-")] == presets
    assert [one.value for one in SYSTEM_TEXT.shell_complete(context, parameter, "sys")] == ["system.toml"]
    program = next(one for one in _parameters("show") if one.name == "program_file").type
    assert [one.value for one in program.shell_complete(context, parameter, "")] == ["step.tp"]
    place = f"{Path(files)}/st"
    assert [one.value for one in program.shell_complete(context, parameter, place)] == [f"{place}ep.tp"]


def test_a_current_folder_that_was_deleted_is_named(tmp_path, monkeypatch, capsys):
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    asked = ["plan", "--system", "2x2", "--axes", "4", "--reduce", "0", "--out", "plan.json"]
    assert refused(asked, capsys).startswith("the current folder was deleted; change into another one")
