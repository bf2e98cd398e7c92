"""The tutorial and the page on studies, followed as a reader does: files, then commands in order, in one folder."""

import pytest
from documents import Document, commands
from paths import ROOT

from p2smt.cli.main import run

DOCS = ROOT / "p2smt" / "docs"
TUTORIAL = Document(DOCS / "tutorial.md")
STUDIES = Document(DOCS / "studies.md")
SAYS_WRONG = "# exits with 1"


def expected(page):
    """Arguments of every command of p2smt, with the exit code that the page says."""
    for block in page.blocks("sh"):
        for line in block.replace("\\\n", " ").splitlines():
            for words in commands(line):
                assert words[0] == "p2smt", words
                yield words[1:], 1 if SAYS_WRONG in line else 0


def test_it_shows_the_files_that_its_commands_read():
    assert TUTORIAL.files.keys() == {"all_reduce.log", "layer.py", "mlp.tp", "model.py", "adamw.tp"}
    assert STUDIES.files.keys() == {"sweep.toml"}
    for page in (TUTORIAL, STUDIES):
        named = {word.partition(":")[0] for arguments, _ in expected(page) for word in arguments}
        assert named >= page.files.keys()


def test_a_study_has_the_problems_that_its_page_counts(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sweep.toml").write_text(STUDIES.files["sweep.toml"], encoding="utf-8")
    assert "so this one has 8 problems" in STUDIES.text
    assert run(["study", "sweep.toml", "--dry-run"]) == 0
    assert "8 problems" in capsys.readouterr().out


@pytest.mark.thorough  # every command is parsed in test_documents.py, and has tests of its own
@pytest.mark.parametrize("page", [TUTORIAL, STUDIES], ids=["tutorial", "studies"])
def test_its_commands_do_what_it_says(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, text in page.files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for arguments, code in expected(page):
        assert run(arguments) == code, (arguments, capsys.readouterr().err)
        said = capsys.readouterr().out
        assert not code or "a sum over ranks = 2 is missing" in said
