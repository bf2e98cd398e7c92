"""What the documents say is so: their paths and links exist, their commands parse, the first ones do what is shown."""

import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from documents import Document, commands, exists
from paths import ROOT

from p2smt.cli.main import COMMANDS, cli

README = ROOT / "README.md"
DOCUMENTS = [
    Document(path)
    for path in (README, *sorted(ROOT.glob("p2smt/**/README.md")), *sorted(ROOT.glob("encodings/**/README.md")))
]
MOST_LINES = 459
"""How long README.md may be; 200 once rooms have pages of their own."""

every_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda one: one.path.relative_to(ROOT).as_posix())


def own(command: list[str]) -> list[str] | None:
    """The arguments of the command line in a command; None for another program's."""
    words = command[command[0] == "sudo" :]
    return words[1:] if words[0] in ("scripts/p2smt", "p2smt") else None


def made_by_commands(document: Document) -> set[str]:
    """The files that its commands read and write: a user's own."""
    return {word for command in document.commands for word in command[1:]}


@every_document
def test_every_path_that_is_named_exists(document):
    missing = {name for name in document.paths if not exists(name, document.path)} - made_by_commands(document)
    assert missing == set()


@every_document
def test_every_link_leads_somewhere(document):
    headings = {
        re.sub(r"[^\w -]", "", line.lstrip("# ").lower()).replace(" ", "-")
        for line in document.text.splitlines()
        if line.startswith("#")
    }
    for target in document.links:
        path, _, heading = target.partition("#")
        assert not path or (document.path.parent / path).exists(), target
        assert path or heading in headings, target


@every_document
def test_every_command_can_be_given(document):
    for command in document.commands:
        arguments = own(command)
        if arguments is not None:
            parsed(arguments)
        elif command[0].startswith("scripts/"):
            assert (ROOT / command[0]).is_file(), command
        elif command[0] == ".venv/bin/python":
            helped(command[1:])
        else:
            assert command[0] in ("torchrun", "dask", "git", "cd", ".venv/bin/pip"), command


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
    done = subprocess.run(
        [sys.executable, ROOT / script, "--help"], capture_output=True, text=True, timeout=300, check=True
    )
    for option in (word for word in rest if word.startswith("--")):
        assert option in done.stdout, arguments


def ran(arguments: list[str], folder: Path) -> str:
    """What a command prints that succeeds."""
    done = subprocess.run(
        [sys.executable, "-m", "p2smt", *arguments],
        cwd=folder, capture_output=True, text=True, encoding="utf-8", timeout=600, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_commands_of_the_first_two_blocks_of_shell_do_what_they_say(tmp_path):
    done = 0
    for block in Document(README).blocks("sh")[:2]:
        for command in commands(block):
            arguments = own(command)
            if arguments is None:
                assert command == ["scripts/test"], command  # that is what runs this
            else:
                ran(arguments, tmp_path)
                done += 1
    assert done >= 2


def test_what_a_command_is_shown_to_print_it_prints(tmp_path):
    """Blocks that begin with `$ scripts/p2smt`; three dots stand for anything, so does the end of a line."""
    shown = [block for block in Document(README).blocks("") if block.startswith("$ scripts/p2smt")]
    assert shown
    for block in shown:
        first, _, wanted = block.partition("\n")
        (command,) = commands(first.removeprefix("$ "))
        printed = " ".join(ran(command[1:], tmp_path).split())
        for line in wanted.splitlines():
            pieces = [re.escape(" ".join(piece.split())) for piece in line.split("...")]
            assert re.search(".*".join(pieces), printed), line


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
        test_every_command_can_be_given(document)
