"""DistributedDataParallel as sharded steps are compared with it: uneven rows, the gradients of one device."""

from pathlib import Path

import pytest
from scripts.loading import SCRIPTS

from p2smt.run.local.calls import CallRanks
from p2smt.run.rank.message import Seat

pytestmark = pytest.mark.slow

RANK = str(Path(__file__).with_name("ddp_steps.py"))


def test_uneven_rows_train_as_one_device(monkeypatch):
    monkeypatch.syspath_prepend(str(SCRIPTS))
    with CallRanks([Seat()] * 2, timeout_s=120.0) as ranks:
        for rows in ((3, 3), (5, 1)):
            for loss, parameters in ranks.call(RANK, "trains", rows, 4, timeout_s=120.0):
                assert max(loss, parameters) < 1e-12
