"""Hundreds of broken files of every kind: each ends in a verdict or a message, in bounded time and memory."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tiers import is_full

from p2smt.cli.main import run

FUZZING = Path(__file__).with_name("fuzzing.py")
MOST_MEMORY = 2**30
FILES = 250 if is_full() else 25


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.thorough)])  # drawn as with 0
def test_broken_files_end_in_a_verdict_or_a_message(seed, tmp_path):
    own = tmp_path / "plan.json"
    assert run(["plan", "--system", "2x4", "--axes", "8", "--reduce", "0", "--out", str(own)]) == 0
    command = [sys.executable, FUZZING, str(seed), str(FILES), tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads(done.stdout)
    assert sum(found["outcomes"].values()) == FILES
    assert set(found["outcomes"]) <= {"VerifyError", "PlanError", "valid", "invalid", "vacuous", "unknown"}
    assert min(found["outcomes"][kind] for kind in ("VerifyError", "PlanError", "valid", "invalid")) > 0
    assert found["peak"] < MOST_MEMORY
    assert list(tmp_path.iterdir()) == [own]
