"""Wrong inputs of every kind: exit code 2, one line on stderr that names a way out, nothing on stdout, no traceback."""

import re

import pytest
from cli.wrong_inputs import FILES, WRONG
from tiers import sample

from p2smt.cli.main import run

WAY_OUT = re.compile(
    r"; \S+ |; did you mean|[?] See p2smt|`p2smt |--[a-z]|(?:have to|must) be equal|is not a step \(|, line \d+\)$"
)
"""A second clause, a command or an option; or a rule with its numbers, all words that there are, the user's line."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wrong")
    for name, content in FILES.items():
        (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    (folder / "folder").mkdir()
    (folder / "circle.toml").symlink_to("circle.toml")
    plan = ["plan", "--system", "2x2", "--axes", "4", "--reduce", "0", "--out", str(folder / "plan.json"), "--quiet"]
    assert run(plan) == 0
    large = ["plan", "--system", "4x8", "--axes", "32", "--reduce", "0", "--out", str(folder / "large.json"), "--quiet"]
    assert run(large) == 0
    return folder


def check(line: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Why an input is not refused as it should be; empty where it is."""
    words = [word.replace("@", " ") if before == "--condition" else word for before, word in with_before(line)]
    code = run(words)
    out, err = capsys.readouterr()
    if code != 2 or out:
        return f"{line}: exit code {code}, {out[:80]!r} on stdout"
    if "Traceback" in err or not err.startswith("p2smt: ") or err.count("\n") != 1:
        return f"{line}: {err!r}"
    return "" if WAY_OUT.search(err.rstrip()) else f"{line}: no way out in {err!r}"


def with_before(line: str) -> list[tuple[str, str]]:
    """The words of a line, each with the one before it."""
    words = line.split()
    return list(zip(["", *words], words, strict=False))


def test_there_are_more_than_150_of_them_in_every_command():
    assert len({*WRONG}) == len(WRONG) > 150
    assert len({line.split()[0] for line in WRONG}) >= 24


# About a second in all: most end before anything is loaded.
@pytest.mark.parametrize("part", sample(range(20), 3))
def test_a_wrong_input_is_refused_with_a_way_out(part, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    before = {path.name for path in folder.iterdir()}
    found = [check(line, capsys) for line in WRONG[part::20]]
    assert [why for why in found if why] == []
    assert {path.name for path in folder.iterdir()} == before
