"""Colours of verdicts: on a terminal alone, and not where NO_COLOR is set."""

import re
import sys
from pathlib import Path

import pytest
from paths import ROOT

from p2smt.cli.main import run

EXAMPLES = ROOT / "p2smt" / "tensor" / "examples"
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def verified(capsys: pytest.CaptureFixture[str], against: str) -> str:
    run(["verify", str(EXAMPLES / "sgd_sliced.tp"), "--against", against])
    return capsys.readouterr().out


def test_verdicts_are_in_colour_on_a_terminal_alone(tmp_path, monkeypatch, capsys):
    right = str(EXAMPLES / "sgd.tp")
    other = tmp_path / "other.tp"
    other.write_text(Path(right).read_text(encoding="utf-8").replace("lr * ", "2 * lr * "), encoding="utf-8")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    plain = [verified(capsys, each) for each in (right, str(other))]
    assert not any(map(ESCAPE.search, plain))
    with monkeypatch.context() as patch:
        patch.setenv("COLUMNS", "100")  # a pipe with a width is wrapped as a terminal, and still has no colours
        assert not ESCAPE.search(verified(capsys, right))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    coloured = [verified(capsys, each) for each in (right, str(other))]
    assert [text.partition(":")[0] for text in coloured] == ["\x1b[32m\x1b[1mright", "\x1b[31m\x1b[1mwrong"]
    assert all(len(ESCAPE.findall(text)) == 3 for text in coloured)
    for variable, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        with monkeypatch.context() as patch:
            patch.setenv(variable, value)
            assert not ESCAPE.search(verified(capsys, right))
