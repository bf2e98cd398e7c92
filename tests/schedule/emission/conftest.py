"""Ranks on which the tests of a file run what is emitted."""

import pytest

from p2smt.run.local.calls import CallRanks
from p2smt.run.rank.message import Seat

LIMIT_S = 180.0


@pytest.fixture(scope="module")
def two():
    with CallRanks([Seat()] * 2, timeout_s=LIMIT_S) as running:
        yield running


@pytest.fixture(scope="module")
def three():
    with CallRanks([Seat()] * 3, timeout_s=LIMIT_S) as running:
        yield running


@pytest.fixture(scope="module")
def four():
    with CallRanks([Seat()] * 4, timeout_s=LIMIT_S) as running:
        yield running
