"""A small store with results."""

import pytest
from study_support import FEW, expanded

from p2smt.sweep.environment import environment
from p2smt.sweep.solve import solve
from p2smt.sweep.store import Store


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    tasks = expanded(tmp_path_factory.mktemp("sweep"), FEW).tasks
    return {key: solve(task) for key, task in tasks.items()}


@pytest.fixture
def filled(tmp_path, outcomes):
    path = tmp_path / "store.sqlite"
    with Store(path, "local") as store:
        store.add(outcomes.values(), environment())
    return path
