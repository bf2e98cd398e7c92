"""What goes to stdout and stderr: the same bytes in a pipe whatever the environment, progress on terminals alone."""

import io
import os
import subprocess
import sys
import time
from contextlib import suppress

import pytest
from command_line import output
from tiers import is_full, sample

from p2smt.cli.main import _prepare_streams, run
from p2smt.cli.output.progress import progress, working

SMALL = ["--system", "2x4", "--axes", "2,4", "--reduce", "1"]
ENVIRONMENTS = [{}, {"FORCE_COLOR": "1"}, {"NO_COLOR": "1"}, {"FORCE_COLOR": "1", "COLUMNS": "100", "TERM": "xterm"}]


@pytest.mark.parametrize("command", ["rank", "place"])
def test_a_pipe_gets_the_same_bytes_in_every_environment(command, monkeypatch, capsys):
    printed = set()
    for environment in ENVIRONMENTS:
        for name in ("FORCE_COLOR", "NO_COLOR", "COLUMNS", "TERM"):
            monkeypatch.delenv(name, raising=False)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        printed.add(output([command, *SMALL], capsys))
    (text,) = printed
    assert "\x1b" not in text


def test_a_pipe_gets_utf_8_whatever_the_locale(tmp_path, capsys):
    system, plan = tmp_path / "système.toml", tmp_path / "plan.json"
    levels = '[[level]]\nname = "a"\nsize = 2\n[[level]]\nname = "b"\nsize = 2\n'
    system.write_text(f'name = "é漢"\n{levels}', encoding="utf-8")
    assert run(["plan", "--system", str(system), "--axes", "4", "--reduce", "0", "--out", str(plan)]) == 0
    capsys.readouterr()
    explaining = ["explain", str(plan), "--system", str(system)]
    here = output(explaining, capsys)
    command = [sys.executable, "-m", "p2smt", *explaining]
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    others = [{"LC_ALL": "C.UTF-8"}, {"PYTHONIOENCODING": "latin-1"}] if is_full() else []
    printed = {
        subprocess.run(command, env={**os.environ, **environment}, capture_output=True, check=True).stdout
        for environment in (ascii_only, *others)
    }
    (text,) = printed
    assert text.decode("utf-8") == here
    assert "per device on é漢, algorithm auto" in text.decode("utf-8")


def test_closed_streams_are_empty_dropped_or_unread(monkeypatch):
    for name in ("stdin", "stdout", "stderr"):
        monkeypatch.setattr(sys, name, None)
    _prepare_streams()
    with sys.stdin as given, sys.stderr as notes:
        assert given.read() == ""
        print("a note", file=notes, flush=True)
    with pytest.raises(BrokenPipeError):
        print("an answer", flush=True)
    with suppress(BrokenPipeError):
        sys.stdout.close()


class Screen(io.TextIOWrapper):
    """A terminal that has signs for ASCII alone."""

    def isatty(self):
        return True


def test_a_terminal_shows_escaped_what_it_has_no_sign_for_and_a_pipe_all(monkeypatch):
    for kind, shown_as in ((Screen, b"\\xe9\\u6f22\\udcff!"), (io.TextIOWrapper, "é漢\\udcff!".encode())):
        streams = [kind(io.BytesIO(), encoding="ascii") for _ in range(2)]
        with monkeypatch.context() as patch:
            patch.setattr(sys, "stdout", streams[0])
            patch.setattr(sys, "stderr", streams[1])
            _prepare_streams()
        for stream in streams:
            stream.write("é漢\udcff!")
            stream.flush()
            assert stream.buffer.getvalue() == shown_as


class Terminal(io.StringIO):
    def isatty(self):
        return True


def shown(monkeypatch, *told, **form):
    """What a terminal gets of progress; pytest replaces stderr between a fixture and its test, so this is none."""
    stream = Terminal()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", stream)
        patch.setenv("TERM", "xterm")
        patch.setenv("COLUMNS", "120")
        with progress("placements", **form) as on_progress:
            assert on_progress is not None
            on_progress(*told)
    return stream.getvalue()


def test_progress_is_shown_on_a_terminal(monkeypatch):
    text = shown(monkeypatch, 2, 5, 93, note="{} programs", remaining=False)
    assert "placements" in text
    assert "2/5" in text
    assert "93 programs" in text


def test_a_note_may_be_left_out_and_a_long_one_is_cut(monkeypatch):
    assert "1/3" in shown(monkeypatch, 1, 3)
    text = shown(monkeypatch, 1, 3, "x" * 90)
    assert "x" * 60 in text
    assert "x" * 61 not in text


@pytest.mark.parametrize(("after", "seen"), [(0.0, True), (60.0, False)])
def test_work_is_shown_once_it_takes_long(after, seen, monkeypatch):
    stream = Terminal()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", stream)
        patch.setenv("TERM", "xterm")
        patch.setenv("COLUMNS", "120")
        with working("checking the plan", after):
            until = time.monotonic() + (10 if seen else 0)
            while "checking" not in stream.getvalue() and time.monotonic() < until:
                time.sleep(0.01)
    assert ("checking the plan" in stream.getvalue()) == seen


def test_there_is_no_progress_elsewhere(capsys):
    with working("something", 0.0):
        pass
    with progress("placements") as on_progress:
        assert on_progress is None
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("arguments", sample([["system"], [], ["lab"], ["--help"]], 2))
def test_a_reader_that_has_enough_is_no_mistake_and_no_answer(arguments):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "p2smt", *arguments]
    try:
        done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")
