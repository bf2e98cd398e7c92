"""A small store with results, and what a run of many problems and jobs leaves that nothing happens to."""

import pytest
from study_support import FEW, MANY, expanded, exported

from p2smt.sweep.environment import environment
from p2smt.sweep.solve import solve
from p2smt.sweep.store import ResultStore


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory):
    tasks = expanded(tmp_path_factory.mktemp("sweep"), FEW).tasks
    return {key: solve(task) for key, task in tasks.items()}


@pytest.fixture
def filled(tmp_path, outcomes):
    path = tmp_path / "store.sqlite"
    with ResultStore(path, "local") as store:
        store.add(outcomes.values(), environment())
    return path


@pytest.fixture(scope="session")
def whole(tmp_path_factory):
    """How many problems and jobs there are, and the tables of all of them solved one after the other."""
    folder = tmp_path_factory.mktemp("whole")
    tasks = expanded(folder, MANY).tasks
    with ResultStore(folder / "whole.sqlite", "local") as store:
        store.add(map(solve, tasks.values()), environment())
    return len(tasks), exported(folder / "whole.sqlite", folder)
