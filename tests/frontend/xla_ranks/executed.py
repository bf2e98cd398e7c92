"""Texts that JAX wrote, what came of running them, and what p2smt says of them."""

import json
import os
import subprocess
import sys
from pathlib import Path

from p2smt.frontend.xla_ranks.module import single_program
from p2smt.frontend.xla_ranks.ranks import UserStatements, verify_text

TEXTS = Path(__file__).with_name("texts")
EXECUTED = json.loads((TEXTS / "executed.json").read_text(encoding="utf-8"))
"""The largest relative difference between what devices gave and the function for one device, by case and fault."""
EQUAL = 1e-9


def judged(path, said=None):
    """The verdict on a text of a case, beside the one for one device."""
    return verify_text(path, single_program(path.parent / "single.mlir"), said or UserStatements(layouts={})).verdict


def written_again(folder, *cases):
    """The texts of cases as JAX writes them today, and what comes of running them."""
    environment = os.environ | {"JAX_PLATFORMS": "cpu", "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, str(Path(__file__).with_name("jax_texts.py")), str(folder), *cases]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads((folder / "executed.json").read_text(encoding="utf-8"))
