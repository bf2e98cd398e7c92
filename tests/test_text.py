"""Text is UTF-8 wherever it is read or written, and golden text is never compared with itself."""

import ast
from collections.abc import Iterable, Iterator
from itertools import chain

import command_line
import pytest
from command_line import REFRESH, golden
from paths import ROOT
from tiers import is_full

OPENING = {"read_text": 0, "write_text": 1, "open": 1}
"""Methods that open a file, and how many arguments they have before the encoding; `open(...)` has one more."""
BYTES = {"rb", "wb", "ab", "r+b", "w+b", "xb"}


def test_every_file_is_read_and_written_as_utf_8():
    files = [path for folder in ("p2smt", "tests", "scripts") for path in (ROOT / folder).rglob("*.py")]
    assert len(files) > 300
    calls = [(path, call) for path in files for call in _opening(path.read_text(encoding="utf-8"))]
    assert len(calls) > 100
    silent = [f"{path.relative_to(ROOT)}:{call.lineno}" for path, call in calls if not _says(call)]
    assert silent == []


def _opening(text: str) -> Iterator[ast.Call]:
    """Calls that open text files; most files have none, and are not parsed."""
    if not any(f"{name}(" in text for name in OPENING) or (not is_full() and _says_on_every_line(text)):
        return
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Call(func=ast.Name("open"), args=arguments):
                most = 2
            case ast.Call(func=ast.Attribute(value=value, attr=attr), args=arguments) if attr in OPENING:
                most = -1 if ast.unparse(value) in ("os", "gzip") else OPENING[attr]
            case _:
                continue
        if len(arguments) <= most and not any(
            isinstance(part, ast.Constant) and part.value in BYTES for part in _parts(arguments)
        ):
            yield node


def _says_on_every_line(text: str) -> bool:
    """Whether there are as many encodings as names of these methods on each line, so that none can lack it."""
    return all(
        sum(line.count(f"{name}(") for name in OPENING) <= line.count('encoding="utf-8') for line in text.splitlines()
    )


def _parts(nodes: Iterable[ast.AST]) -> Iterator[ast.AST]:
    return chain.from_iterable(map(ast.walk, nodes))


def _says(call: ast.Call) -> bool:
    return any(
        keyword.arg == "encoding" and ast.unparse(keyword.value) in ("'utf-8'", "'utf-8-sig'")
        for keyword in call.keywords
    )


def test_a_golden_text_that_is_written_is_not_compared(tmp_path, monkeypatch):
    monkeypatch.setattr(command_line, "GOLDEN", tmp_path)
    monkeypatch.setenv(REFRESH, "1")
    with pytest.raises(pytest.fail.Exception, match=r"new\.txt is written; read what changed"):
        golden("new.txt", "é\n")
    assert (tmp_path / "new.txt").read_bytes() == "é\n".encode()
    monkeypatch.delenv(REFRESH)
    golden("new.txt", "é\n")
    with pytest.raises(AssertionError):
        golden("new.txt", "other\n")


def test_golden_text_is_written_in_one_place():
    named = [path for path in (ROOT / "tests").rglob("*.py") if REFRESH in path.read_text(encoding="utf-8")]
    assert [path.name for path in named] == ["command_line.py"]
