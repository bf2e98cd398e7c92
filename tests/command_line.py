"""Running a command in this process, and golden text."""

import os
from pathlib import Path

import pytest

from p2smt.cli.main import run

GOLDEN = Path(__file__).parent / "golden"


def output(arguments: list[str], capsys: pytest.CaptureFixture[str], code: int = 0) -> str:
    assert run(arguments) == code
    out, err = capsys.readouterr()
    assert err == ""
    return out


def golden(name: str, text: str) -> None:
    path = GOLDEN / name
    if os.environ.get("P2SMT_REFRESH_GOLDEN"):
        path.write_text(text)
    assert text == path.read_text()
