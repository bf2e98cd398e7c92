"""What the documents say is so: their paths and links exist, their commands parse, the first ones do what is shown."""

import os
import re
import runpy
import subprocess
import sys
import tomllib
from contextlib import redirect_stdout
from functools import cache
from io import StringIO

import click
import pytest
from command_line import REFRESH
from documents import Document, exists, shown
from paths import ROOT
from scripts.loading import script_module
from tiers import is_full

from p2smt.cli.main import COMMANDS, cli, run

README = ROOT / "README.md"
DOCUMENTS = [
    Document(path)
    for path in (
        README,
        *sorted(ROOT.glob("p2smt/**/README.md")),
        *sorted(ROOT.glob("p2smt/docs/*.md")),
        *sorted(ROOT.glob("encodings/**/README.md")),
    )
]
MOST_LINES = 150
PAGE = range(30, 91)
"""How many lines the page of a room has."""
ROOMS = [path.parent for path in sorted(ROOT.glob("p2smt/*/__init__.py"))]


def name_of(document: Document) -> str:
    return document.path.relative_to(ROOT).as_posix()


def own(command: list[str]) -> list[str] | None:
    """The arguments of the command line in a command; None for another program's."""
    words = command[command[0] == "sudo" :]
    return words[1:] if words[0] in ("scripts/p2smt", "p2smt") else None


SHOWING = [one for one in DOCUMENTS if any([*shown(block)] for block in one.blocks(""))]


def made_by_commands(document: Document) -> set[str]:
    """The files that its commands read and write: a user's own."""
    printing = [command for block in document.blocks("") for command, _ in shown(block)]
    words = {word for command in (*document.commands, *printing) for word in command[1:]}
    return words | document.files.keys()


def test_every_path_that_is_named_exists():
    for document in DOCUMENTS:
        missing = {name for name in document.paths if not exists(name, document.path)} - made_by_commands(document)
        assert missing == set(), name_of(document)


def test_every_link_leads_somewhere():
    for document in DOCUMENTS:
        headings = {
            re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-")
            for line in document.text.splitlines()
            if line.startswith("#")
        }
        for target in document.links:
            path, _, heading = target.partition("#")
            assert not path or (document.path.parent / path).exists(), f"{name_of(document)}: {target}"
            assert path or heading in headings, f"{name_of(document)}: {target}"


def test_every_command_can_be_given():
    for document in DOCUMENTS:
        try:
            check_commands(document)
        except click.UsageError as error:
            raise AssertionError(f"{name_of(document)}: {error.format_message()}") from error


def check_commands(document: Document) -> None:
    for command in document.commands:
        arguments = own(command)
        if arguments is not None:
            parsed(arguments)
        elif command[0].startswith("scripts/"):
            assert (ROOT / command[0]).is_file(), command
        elif command[0] == ".venv/bin/python":
            helped(command[1:])
        else:
            assert command[0] in ("torchrun", "dask", "git", "cd", ".", ".venv/bin/pip"), command


def parsed(arguments: list[str]) -> None:
    """Have the command line read the arguments without doing what they say."""
    group, name, rest = cli, arguments[0], arguments[1:]
    with click.Context(cli, info_name="p2smt") as context:
        while True:
            command = group.get_command(context, name)
            assert command is not None, arguments
            if not isinstance(command, click.Group) or not rest or command.get_command(context, rest[0]) is None:
                break
            group, name, rest = command, rest[0], rest[1:]
        command.make_context(name, rest, parent=context)


def helped(arguments: list[str]) -> None:
    """The script is there, and its help names every option that it is given."""
    script, *rest = arguments
    said = help_of(script)
    for option in (word for word in rest if word.startswith("--")):
        assert option in said, arguments


@cache
def help_of(script: str) -> str:
    """What a script says of itself, in this process: a Python of its own would import for a second."""
    said, main = StringIO(), script_module((ROOT / script).stem).main
    with redirect_stdout(said), pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [script, "--help"])
        with pytest.raises(SystemExit, match="0"):
            main()
    return said.getvalue()


@pytest.fixture
def ran(tmp_path, monkeypatch, capsys):
    """Runs a command in an empty folder; what it prints if it succeeds or answers no."""
    monkeypatch.chdir(tmp_path)

    def printed(arguments: list[str]) -> str:
        capsys.readouterr()
        code = run(arguments)
        said = capsys.readouterr()
        assert code in {0, 1}, said.err
        return said.out

    return printed


DEAR = {"run", "--run-python", "schedule", "best.steps", "study"}
"""Words of commands of the README that are given in the full tier alone."""


@pytest.mark.slow
def test_the_commands_of_the_readme_run_as_they_are_typed(tmp_path, monkeypatch, capsys):
    """One after the other in one folder, as a reader types them; torchrun runs emitted files in the tests of `emit`.

    Commands that start ranks or a Python with torch, and searches of schedules and of a study, are in the full tier
    alone: tests of `run`, `frontend`, `schedule` and `sweep` do the same with other files.
    """
    monkeypatch.chdir(tmp_path)
    if not is_full():
        step = ROOT / "p2smt" / "tensor" / "examples" / "mlp_step.tp"
        (tmp_path / "step.tp").write_text(step.read_text(encoding="utf-8"), encoding="utf-8")
    done = [
        (arguments[0], run(arguments))
        for arguments in map(own, Document(README).commands)
        if arguments is not None and (is_full() or not {*arguments} & DEAR)
    ]
    capsys.readouterr()
    assert [name for name, code in done if code != 0] == []
    assert {name for name, _ in done} >= {"example", "calibrate", "shard", "report", "plan", "verify", "emit"}
    assert not is_full() or "run" in dict(done)


@pytest.mark.parametrize("document", SHOWING, ids=name_of)
def test_what_a_command_is_shown_to_print_it_prints(document, ran, tmp_path):
    """Blocks that begin with `$ scripts/p2smt`; three dots stand for anything, so does the end of a line."""
    for name, text in document.files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for block in document.blocks(""):
        for command, wanted in shown(block):
            printed = " ".join(ran(command[1:]).split())
            for line in wanted.splitlines():
                pieces = [re.escape(" ".join(piece.split())) for piece in line.split("...")]
                assert re.search(".*".join(pieces), printed), line


def test_the_readme_shows_what_a_command_prints():
    assert README in {document.path for document in SHOWING}


def thorough_if(condition: bool) -> list[pytest.MarkDecorator]:
    # to load JAX takes longest; tests of `frontend` do what these blocks show
    return [pytest.mark.thorough] if condition else []


SHOWN_PYTHON = [
    pytest.param(block, id=name_of(document), marks=thorough_if("import jax" in block))
    for document in DOCUMENTS
    for block in document.blocks("python")
    if block not in document.files.values()
]


@pytest.mark.parametrize("block", SHOWN_PYTHON)
def test_python_that_is_shown_runs(block, tmp_path, monkeypatch):
    """In this process, unless torch is imported; test_public.py starts a new one for every public name."""
    if "import torch" not in block:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "shown.py").write_text(block, encoding="utf-8")
        runpy.run_path("shown.py", run_name="__main__")
        return
    done = subprocess.run(
        [sys.executable, "-c", block],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def starts_processes(document: Document) -> bool:
    """Whether its example does, or runs Python beside torch.

    Tests of `cli` and `frontend` give the same commands, so that the full tier alone gives these.
    """
    commands = [arguments for arguments in map(own, document.example) if arguments]
    return any(arguments[0] in ("study", "run") or "--run-python" in arguments for arguments in commands)


EXAMPLES = [
    pytest.param(room, id=room.name, marks=thorough_if(starts_processes(Document(room / "README.md"))))
    for room in ROOMS
]


@pytest.mark.slow
@pytest.mark.parametrize("room", EXAMPLES)
def test_the_example_of_a_room_works_as_typed(room, tmp_path, monkeypatch, capsys):
    document = Document(room / "README.md")
    monkeypatch.chdir(tmp_path)
    for name, text in document.files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = [run(arguments) for arguments in map(own, document.example) if arguments is not None]
    capsys.readouterr()
    assert set(done) <= {0}
    assert done or document.blocks("python") or any(shown(block) for block in document.blocks(""))


def test_every_room_has_a_page_which_says_what_it_may_import():
    with (ROOT / "pyproject.toml").open("rb") as file:
        layers = tomllib.load(file)["tool"]["importlinter"]["contracts"][0]["layers"]
    floors = [[name.strip().removeprefix("p2smt.") for name in layer.split("|")] for layer in layers]
    rooms = {room.name for room in ROOMS}
    modules = {path.stem for path in ROOT.glob("p2smt/*.py")}
    assert rooms == {name for floor in floors for name in floor} - modules
    for number, floor in enumerate(floors):
        below = {name for lower in floors[number + 1 :] for name in lower}
        for name in rooms & set(floor):
            text = (ROOT / "p2smt" / name / "README.md").read_text(encoding="utf-8")
            assert len(text.splitlines()) in PAGE, name
            stated = re.search(r"\*\*May import:\*\*([^.]*(?:\.py[^.]*)*)\.", text)
            assert stated is not None, name
            assert set(re.findall(r"`(\w+)(?:/|\.py)`", stated[1])) == below, name


def test_a_picture_is_what_the_command_beside_it_draws(ran, tmp_path):
    """The README's pictures stand in the order of the commands that draw them."""
    given = [words for words in map(own, Document(README).commands) if words and "--figure" in words]
    pictures = [ROOT / name for name in re.findall(r"\]\(([^)]+\.svg)\)", Document(README).text)]
    assert len(pictures) == len(given) > 0
    for command, picture in zip(given, pictures, strict=True):
        ran(command)
        drawn = (tmp_path / f"{command[command.index('--figure') + 1]}.svg").read_bytes()
        if os.environ.get(REFRESH):
            picture.write_bytes(drawn)
            pytest.fail(f"{picture} is drawn; look at it, and test without {REFRESH}")
        assert drawn == picture.read_bytes()


def test_the_readme_names_every_command_and_is_not_too_long():
    document = Document(README)
    assert [name for name in COMMANDS if f"`{name}`" not in document.prose] == []
    assert len(document.text.splitlines()) <= MOST_LINES


def test_what_is_missing_would_be_noticed(tmp_path):
    path = tmp_path / "README.md"
    path.write_text("`program/text.py`, `synth/`, [here](no.md) `4x4/2x2`\n```sh\np2smt run\n```\n", encoding="utf-8")
    document = Document(path)
    assert {name for name in document.paths if not exists(name, path)} == {"program/text.py", "synth/"}
    assert document.links == {"no.md"}
    with pytest.raises(click.UsageError):
        check_commands(document)
