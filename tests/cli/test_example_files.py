"""The files that `p2smt example` prints: the command named beside each reads it; the tutorial shows the same."""

import ast
import json
import shlex

import click
import pytest
from command_line import output
from documents import Document
from paths import ROOT

from p2smt.cli.example_files import EXAMPLES
from p2smt.cli.file_kind import another_kind
from p2smt.cli.main import cli, run
from p2smt.cli.options.paths import InputPath
from p2smt.frontend.recognition import format_of


def test_every_example_is_written_with_the_command_that_reads_it(tmp_path, capsys):
    for kind, example in EXAMPLES.items():
        path = tmp_path / example.file
        document = json.loads(output(["example", kind, "--out", str(path), "--force", "--json"], capsys))
        assert (document["kind"], document["file"]) == (kind, str(path))
        assert document["next"].endswith(example.use.format(path))
        assert path.read_text(encoding="utf-8") == example.text()
        if path.suffix == ".py":
            ast.parse(example.text())
        words = shlex.split(example.use.format(path))
        if words[0] == "p2smt":
            command = cli.get_command(click.Context(cli), words[1])
            with command.make_context(words[1], words[2:]):
                pass
            (read,) = [each.type for each in command.params if isinstance(each, click.Argument)] or [None]
            if isinstance(read, InputPath) and words[2] == str(path):
                assert another_kind(path, read.kinds) is None, kind
        else:
            assert words[0] == "torchrun"


@pytest.mark.parametrize(
    ("document", "name", "kind"),
    [
        ("docs/tutorial.md", "all_reduce.log", "log"),
        ("docs/tutorial.md", "layer.py", "layer"),
        ("docs/tutorial.md", "mlp.tp", "layer-program"),
        ("docs/tutorial.md", "model.py", "model"),
        ("docs/tutorial.md", "adamw.tp", "optimizer"),
    ],
)
def test_the_files_that_the_tutorial_shows_are_these(document, name, kind):
    shown = Document(ROOT / "p2smt" / document).files[name]
    assert EXAMPLES[kind].text().endswith(shown)


# tests/test_documents.py gives the commands for the log; tests of `schedule` prove and emit the steps
@pytest.mark.thorough
def test_the_log_and_the_optimizer_do_what_is_said_of_them(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for kind in ("log", "optimizer", "optimizer-steps"):
        assert run(["example", kind, "--out", EXAMPLES[kind].file]) == 0
        assert run(shlex.split(EXAMPLES[kind].use.format(EXAMPLES[kind].file))[1:]) == 0
    capsys.readouterr()
    assert {"measured.toml", "sharded_adamw.py"} <= {path.name for path in tmp_path.iterdir()}
    assert format_of(tmp_path / "sharded_adamw.py", (tmp_path / "sharded_adamw.py").read_bytes()) is not None
