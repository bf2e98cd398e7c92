"""Training scripts as users write them equal the plain loop of one process, or are refused."""

import json
import sys
from pathlib import Path

import pytest
import torch
from paths import ROOT

from p2smt.run.local.calls import CallRanks
from p2smt.run.rank.message import Seat

sys.path.insert(0, str(ROOT / "scripts"))
import check_cuda
import training_habits
import training_scripts

RANK = str(Path(__file__).with_name("script_rank.py"))
LIMIT_S = 300.0
"""Of one script."""


@pytest.mark.thorough  # a loss that is scaled: tests/frontend/torch_graph/test_devices.py
def test_a_scaled_loss_is_refused(alone):
    assert training_scripts.verdict("scaler", torch.device("cpu"))["right"]


@pytest.mark.thorough  # small siblings of all scripts are in test_sharded.py
@pytest.mark.slow
def test_all_scripts_on_two_ranks():
    with CallRanks([Seat()] * 2, timeout_s=LIMIT_S) as ranks:
        for name in (*training_scripts.SCRIPTS, *training_habits.HABITS):
            for found in ranks.call(RANK, "judged", name, timeout_s=LIMIT_S):
                assert found["right"], name


def test_a_check_that_fails_on_one_rank_is_no_right_one_and_rows_are_read_as_they_come(tmp_path):
    written = tmp_path / "out"
    rows = [{"number": 0, "right": True}, {"number": 1, "right": False, "raised": "x"}]
    text = "".join(f"ROW {json.dumps(row)}\n" for row in rows) + 'said\nROW {"number": 2, "ri'
    written.write_text(text, encoding="utf-8")
    assert check_cuda._rows_of(written) == dict(enumerate(rows))
    assert check_cuda._together(rows) == {"number": 1, "right": False, "raised": "x"}
    assert check_cuda._together(rows[:1]) == {"number": 0, "right": True}
