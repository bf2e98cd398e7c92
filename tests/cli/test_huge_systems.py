"""Systems of two thousand million devices: no command lists them all; where it would have to, it refuses."""

import json
import subprocess
import sys
from pathlib import Path

LIMITED = """
import io, json, resource, sys
from contextlib import redirect_stderr, redirect_stdout
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
from p2smt.cli.main import run
answers = []
for command in json.loads(sys.argv[1]):
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        code = run(command)
    answers.append((code, out.getvalue(), err.getvalue()))
print(json.dumps(answers))
"""
HUGE = ["--system", "2x1073741823", "--axes", "2147483646", "--reduce", "0"]
RINGS = ["--algorithm", "ring"]


def limited(*commands: list[str], codes: tuple[int, ...] | None = None) -> list[str]:
    """What commands write, one after the other, in 2 GiB of address space; a list of all devices does not fit there."""
    command = [sys.executable, "-c", LIMITED, json.dumps(commands)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    answers = json.loads(done.stdout)
    assert [code for code, *_ in answers] == list(codes or [0] * len(commands)), answers
    for arguments, (code, out, err) in zip(commands, answers, strict=True):
        announced = "--out" in arguments and err.count("\n") == 1 and "; next: " in err
        assert announced or (out if code else err) == "", arguments
    return [err if code else out for code, out, err in answers]


def test_synth():
    (printed,) = limited(["synth", *HUGE, *RINGS, "--json"])
    document = json.loads(printed)
    assert (document["complete"], document["total_programs"]) == (True, 93)
    groups = {step["group_size"]: step["groups_preview"] for step in document["placements"][0]["best"]["steps"]}
    assert groups == {
        1073741823: [[0, 1, 2, 3, 4, 5, 6, 7], list(range(1073741823, 1073741831))],
        2: [[first, first + 1073741823] for first in range(4)],
    }


def test_synth_of_other_shapes():
    shapes = [
        "--system 32768x65535 --axes 65535,32768 --reduce 1",
        "--system 32768x65535 --axes 65535,32768 --reduce 0,1 --no-collapse",
        "--system 32768x65535 --axes 65535,32768 --reduce 0 --hierarchy b",
        "--system 2147483647 --axes 2147483647,1 --reduce 0 --hierarchy a --all",
    ]
    for printed in limited(*(["synth", *flags.split(), "--limit", "3", "--json"] for flags in shapes)):
        assert json.loads(printed)["complete"] is True


def test_plan_and_emit(tmp_path: Path):
    path = str(tmp_path / "plan.json")
    planning = ["plan", *HUGE, *RINGS, "--out", path]
    planned, text, refused = limited(planning, ["emit", path], ["run", path], codes=(0, 0, 2))
    assert planned == ""
    assert "2 groups of 1073741823, the first is 0, 1, 2, 3, ...\n" in text
    assert "SIZES = (2, 1073741823)\n" in text
    assert refused.startswith("p2smt: 2147483646 devices need 2147483646 processes")


def test_place():
    asked = [["place", *HUGE, *flags] for flags in ([], ["--maps"], ["--maps", "--json"])]
    placed, *refusals = limited(*asked, codes=(0, 2, 2))
    assert placed.startswith("1 placement of axis0=2147483646 on level0=2 x level1=1073741823\n")
    for refusal in refusals:
        assert refusal == (
            "p2smt: --maps lists every device, and 2147483646 are too many; "
            "it goes up to 65536, leave it out to list the matrices alone\n"
        )
