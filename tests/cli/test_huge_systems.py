"""Systems of two thousand million devices: no command lists them all; where it would have to, it refuses."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

LIMITED = """
import resource
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
from p2smt.cli.main import main
main()
"""
HUGE = ["--system", "2x1073741823", "--axes", "2147483646", "--reduce", "0"]
RINGS = ["--algorithm", "ring"]


def limited(*arguments: str, code: int = 0) -> str:
    """What a command writes in 2 GiB of address space; a list of all devices does not fit in there."""
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, *arguments], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == code, done.stderr
    announced = "--out" in arguments and done.stderr.count("\n") == 1 and "; next: " in done.stderr
    assert announced or (done.stdout if code else done.stderr) == ""
    return done.stderr if code else done.stdout


def test_synth():
    document = json.loads(limited("synth", *HUGE, *RINGS, "--json"))
    assert (document["complete"], document["total_programs"]) == (True, 93)
    groups = {step["group_size"]: step["groups_preview"] for step in document["placements"][0]["best"]["steps"]}
    assert groups == {
        1073741823: [[0, 1, 2, 3, 4, 5, 6, 7], list(range(1073741823, 1073741831))],
        2: [[first, first + 1073741823] for first in range(4)],
    }


@pytest.mark.parametrize(
    "flags",
    [
        "--system 32768x65535 --axes 65535,32768 --reduce 1",
        "--system 32768x65535 --axes 65535,32768 --reduce 0,1 --no-collapse",
        "--system 32768x65535 --axes 65535,32768 --reduce 0 --hierarchy b",
        "--system 2147483647 --axes 2147483647,1 --reduce 0 --hierarchy a --all",
    ],
)
def test_synth_of_other_shapes(flags):
    assert json.loads(limited("synth", *flags.split(), "--limit", "3", "--json"))["complete"] is True


def test_plan_and_emit(tmp_path: Path):
    path = tmp_path / "plan.json"
    assert limited("plan", *HUGE, *RINGS, "--out", str(path)) == ""
    text = limited("emit", str(path))
    assert "2 groups of 1073741823, the first is 0, 1, 2, 3, ...\n" in text
    assert "SIZES = (2, 1073741823)\n" in text
    assert limited("run", str(path), code=2).startswith("p2smt: 2147483646 devices need 2147483646 processes")


def test_place():
    assert limited("place", *HUGE).startswith("1 placement of axis0=2147483646 on level0=2 x level1=1073741823\n")
    for flags in (["--maps"], ["--maps", "--json"]):
        assert limited("place", *HUGE, *flags, code=2) == (
            "p2smt: --maps lists every device, and 2147483646 are too many; "
            "it goes up to 65536, leave it out to list the matrices alone\n"
        )
