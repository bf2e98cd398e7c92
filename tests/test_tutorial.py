"""The tutorial, followed as a reader does: its files, then its commands in order, in one folder."""

import pytest
from documents import Document, commands
from paths import ROOT

from p2smt.cli.main import run

TUTORIAL = Document(ROOT / "p2smt" / "docs" / "tutorial.md")
SAYS_WRONG = "# exits with 1"


def expected():
    """Arguments of every command of p2smt, with the exit code that the tutorial says."""
    for block in TUTORIAL.blocks("sh"):
        for line in block.replace("\\\n", " ").splitlines():
            for words in commands(line):
                assert words[0] == "p2smt", words
                yield words[1:], 1 if SAYS_WRONG in line else 0


def test_it_shows_the_files_that_its_commands_read():
    assert TUTORIAL.files.keys() == {"all_reduce.log", "layer.py", "mlp.tp", "model.py", "adamw.tp"}
    named = {word.partition(":")[0] for arguments, _ in expected() for word in arguments}
    assert named >= TUTORIAL.files.keys()


@pytest.mark.thorough  # every command is parsed in test_documents.py, and has tests of its own
def test_its_commands_do_what_it_says(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, text in TUTORIAL.files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for arguments, code in expected():
        assert run(arguments) == code, (arguments, capsys.readouterr().err)
        said = capsys.readouterr().out
        assert not code or "a sum over ranks = 2 is missing" in said
