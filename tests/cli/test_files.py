"""Files that commands write are whole or not there, whatever ends the writing."""

import subprocess
import sys
from pathlib import Path

import pytest

from p2smt.cli.main import run
from p2smt.cli.output.files import whole_file, write_result
from p2smt.errors import OutputError


@pytest.mark.parametrize("older", [None, b"older"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError, ValueError])
def test_a_write_that_fails_leaves_nothing_behind(tmp_path, older, error):
    path = tmp_path / "plan.json"
    if older is not None:
        path.write_bytes(older)

    def half():
        with whole_file(path) as file:
            file.write(b"half")
            raise error

    with pytest.raises(OutputError if error is OSError else error):
        half()
    assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == ({} if older is None else {"plan.json": older})


def test_what_is_written_takes_the_place_of_what_was_there(tmp_path):
    path = tmp_path / "plan.json"
    for text in ("first", "second"):
        write_result(path, text)
        assert {one.name: one.read_bytes() for one in tmp_path.iterdir()} == {"plan.json": text.encode()}


WRITTEN = {
    "example": (["example", "job"], "an example of a job; next: edit it, then p2smt optimize {path}"),
    "system": (["system", "dgx-h100"], "the system dgx-h100; next: give --system {path} to any command"),
    "advise": (
        ["advise", "--model", "llama-8b", "--system", "dgx-h100:2x8", "--tp", "8", "--json"],
        "the job; next: p2smt mesh {path} --to devicemesh",
    ),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_file_to_edit_is_announced_and_not_overwritten(name, tmp_path, capsys):
    arguments, said = WRITTEN[name]
    path = tmp_path / "mine.toml"
    asked = [*arguments, "--out", str(path)]
    for _ in range(2):  # the same bytes once more are no loss
        assert run(asked) == 0
        assert capsys.readouterr().err == f"p2smt: {path}: {said.format(path=path)}\n"
    path.write_text(f"{path.read_text(encoding='utf-8')}# edited\n", encoding="utf-8")
    assert run(asked) == 2
    assert "give --force to overwrite it, or another name" in capsys.readouterr().err
    assert path.read_text(encoding="utf-8").endswith("# edited\n")
    assert run([*asked, "--force"]) == 0
    assert not path.read_text(encoding="utf-8").endswith("# edited\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has it")
@pytest.mark.parametrize("command", [["system"], ["plan", "--system", "2x4", "--axes", "8", "--reduce", "0"]])
def test_a_full_disk_is_one_line(command):
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        done = subprocess.run(
            [sys.executable, "-m", "p2smt", *command], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr == "p2smt: cannot write the output: No space left on device; make room, or send it elsewhere\n"
