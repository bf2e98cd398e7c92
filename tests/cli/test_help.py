"""Help of every command on 80 columns, `p2smt help`, --quiet, and completion by shells."""

import re

import click
import pytest
from command_line import output, refused

from p2smt.cli.main import COMMANDS, cli, run
from p2smt.cli.options.help_page import HelpPage
from p2smt.problem.system.file import preset_names

SMALL = ["--system", "2x2", "--axes", "4", "--reduce", "0", "--limit", "1"]


def commands():
    """All commands with their names, those of groups too."""
    for name in COMMANDS:
        command = cli.get_command(click.Context(cli), name)
        yield [name], command
        if isinstance(command, click.Group):
            yield from (([name, inner], each) for inner, each in command.commands.items())


def test_every_help_is_a_page_with_groups_and_an_example(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    assert max(map(len, output(["--help"], capsys).splitlines())) <= 80
    for names, command in commands():
        text = output([*names, "--help"], capsys)
        lines = text.splitlines()
        assert len(lines) <= 40, names
        assert "p2smt" in text.split("Example:")[1], names
        assert max(map(len, lines)) <= 80, names
        if not isinstance(command, HelpPage):
            continue
        assert f"p2smt help {' '.join(names)} explains all of it." == lines[-1]
        titles = [line for line in lines if re.fullmatch(r"[A-Z][a-z]+:", line)]
        assert titles[-2:] == ["Output:", "Example:"], names
        long = [
            option
            for each in command.params
            if isinstance(each, click.Option) and not each.hidden
            for option in each.opts[:1]
        ]
        assert [option for option in long if option not in text] == [], names


def test_shard_has_15_options_and_those_of_papers_are_shown_by_reproduce(capsys):
    lines = output(["shard", "--help"], capsys).splitlines()
    assert len([line for line in lines if re.match(r"  -.*\S  +\S", line)]) == 15
    assert not any(line.startswith("  also") for line in lines)
    papers = {"--segments", "--virtual", "--without", "--published", "--engine"}
    assert not papers & set(output(["help", "shard"], capsys).split())
    for name in ("shard", "explain"):
        assert papers < set(output(["help", "reproduce", name], capsys).split()), name


@pytest.mark.parametrize("names", [["synth"], ["study", "query"], ["lab"], []])
def test_help_prints_all_of_it(names, capsys):
    text = output(["help", *names], capsys)
    assert text.startswith(f"Usage: {' '.join(['p2smt', *names])} ")
    if names == ["synth"]:
        assert "With --certify: write the proof obligation of the" in text
        assert "Exit codes" not in output(["synth", "--help"], capsys)


def test_help_on_what_is_no_command(capsys):
    assert refused(["help", "snyth"], capsys).startswith("there is no command 'snyth'; did you mean synth?")
    assert "p2smt synth has no commands" in refused(["help", "synth", "more"], capsys)


def test_a_quiet_command_says_nothing_but_its_answer_and_mistakes(tmp_path, capsys):
    path = tmp_path / "plan.json"
    assert run(["plan", *SMALL, "--out", str(path), "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    assert path.exists()
    assert run(["plan", *SMALL, "--out", str(path)]) == 2  # --quiet of the command before is forgotten
    assert "already exists" in capsys.readouterr().err
    assert run(["plan", *SMALL, "--out", str(path), "--force"]) == 0
    assert "plan.json" in capsys.readouterr().err


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_file_of_a_shells_completions_is_written_where_it_looks(shell, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", "")
    text = output(["--install-completion", shell], capsys)
    path = tmp_path / {"zsh": ".zfunc/_p2smt", "fish": ".config/fish/completions/p2smt.fish"}[shell]
    assert text.startswith(f"{path} is written: ")
    assert "_P2SMT_COMPLETE" in path.read_text(encoding="utf-8")


def test_a_shell_gets_completions_and_no_error(monkeypatch, capsys):
    monkeypatch.setenv("_P2SMT_COMPLETE", "fish_complete")
    monkeypatch.setenv("COMP_WORDS", "p2smt synth --system dgx")
    monkeypatch.setenv("COMP_CWORD", "dgx")
    assert run([]) == 0
    presets = [name for name in preset_names() if name.startswith("dgx-")]
    assert [line.split(",")[1] for line in capsys.readouterr().out.split()] == presets
