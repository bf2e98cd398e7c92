"""Running a command in this process, and golden text."""

import os
import re

import pytest
from paths import ROOT

from p2smt.cli.main import run

GOLDEN = ROOT / "tests" / "golden"
REFRESH = "P2SMT_REFRESH_GOLDEN"


def output(arguments: list[str], capsys: pytest.CaptureFixture[str], code: int = 0) -> str:
    """What a command prints; on stderr only which of the named files it wrote, and what keeps the answer."""
    assert run(arguments) == code
    out, err = capsys.readouterr()
    assert [line for line in err.splitlines() if not _announces(line, arguments)] == []
    return out


def announced(arguments: list[str], capsys: pytest.CaptureFixture[str], code: int = 0) -> str:
    """What a command says on stderr of the one file that it writes, and prints nothing."""
    assert run(arguments) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert re.fullmatch(r"p2smt: .+: .+; next: .+\n", err)
    return err.removeprefix("p2smt: ")


def _announces(line: str, arguments: list[str]) -> bool:
    if re.fullmatch(r"p2smt: next: p2smt \w+ .+ --(plan|out|steps-out) \S+", line):
        return True
    files = [name for one in arguments for name in (one, one.replace(".toml", ".sqlite"))]
    named = any(line.startswith(f"p2smt: {name}: ") for name in files)
    return named and re.fullmatch(r"p2smt: .+: .+; next: .+", line) is not None


def refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What a command says that cannot take its arguments: one line on stderr, and nothing else."""
    assert run(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("p2smt: ")
    assert err.count("\n") == 1
    return err.removeprefix("p2smt: ").rstrip("\n")


def golden(name: str, text: str) -> None:
    """The text of a golden file is this; a test that writes the file compares nothing, so it fails."""
    path = GOLDEN / name
    if os.environ.get(REFRESH):
        path.write_text(text, encoding="utf-8")
        pytest.fail(f"{path} is written; read what changed, and test without {REFRESH}")
    assert text == path.read_text(encoding="utf-8")


def below_origin(text: str) -> str:
    """An emitted file without the comments at its top, which say by which command it was written."""
    assert text.startswith("# written   by p2smt ")
    return text[text.index('"""') :]
