"""Systems of two thousand million devices: no command lists them all; where it would have to, it refuses."""

import json
import subprocess
import sys

import pytest

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


SHAPES = [
    "--system 32768x65535 --axes 65535,32768 --reduce 1",
    "--system 32768x65535 --axes 65535,32768 --reduce 0,1 --no-collapse",
    "--system 32768x65535 --axes 65535,32768 --reduce 0 --hierarchy b",
    "--system 2147483647 --axes 2147483647,1 --reduce 0 --hierarchy a --all",
]


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """What all commands below print, of one process."""
    path = str(tmp_path_factory.mktemp("huge") / "plan.json")
    asked = {
        "synth": (["synth", *HUGE, *RINGS, "--json"], 0),
        **{flags: (["synth", *flags.split(), "--limit", "3", "--json"], 0) for flags in SHAPES},
        "plan": (["plan", *HUGE, *RINGS, "--out", path], 0),
        "emit": (["emit", path], 0),
        "run": (["run", path], 2),
        "place": (["place", *HUGE], 0),
        "maps": (["place", *HUGE, "--maps"], 2),
        "maps as a document": (["place", *HUGE, "--maps", "--json"], 2),
    }
    commands, codes = zip(*asked.values(), strict=True)
    return dict(zip(asked, limited(*commands, codes=codes), strict=True))


def test_synth(printed):
    document = json.loads(printed["synth"])
    assert (document["complete"], document["total_programs"]) == (True, 93)
    groups = {step["group_size"]: step["groups_preview"] for step in document["placements"][0]["best"]["steps"]}
    assert groups == {
        1073741823: [[0, 1, 2, 3, 4, 5, 6, 7], list(range(1073741823, 1073741831))],
        2: [[first, first + 1073741823] for first in range(4)],
    }


@pytest.mark.parametrize("flags", SHAPES)
def test_synth_of_other_shapes(flags, printed):
    assert json.loads(printed[flags])["complete"] is True


def test_plan_and_emit(printed):
    text = printed["emit"]
    assert printed["plan"] == ""
    assert "2 groups of 1073741823, the first is 0, 1, 2, 3, ...\n" in text
    assert "SIZES = (2, 1073741823)\n" in text
    assert printed["run"].startswith("p2smt: 2147483646 ranks need 2147483646 processes")


def test_place(printed):
    assert printed["place"].startswith("1 placement of axis0=2147483646 on level0=2 x level1=1073741823\n")
    for name in ("maps", "maps as a document"):
        assert printed[name] == (
            "p2smt: --maps lists every device, and 2147483646 are too many; the limit is 65536, leave "
            "it out to list the matrices alone\n"
        )
