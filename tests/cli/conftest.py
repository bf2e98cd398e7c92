"""What tests of several commands share."""

import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from typing import Any

import pytest

from p2smt.cost.network.cost import Cost
from p2smt.job import optimize
from p2smt.job.optimize import Infeasible, Optimum, Unfinished
from p2smt.problem.workload import Workload


class Here(Executor):
    """Does in this process what it is given, at once."""

    def submit(self, function: Callable[..., object], /, *arguments: object) -> Future[object]:
        future = Future[object]()
        future.set_result(function(*arguments))
        return future


@pytest.fixture(scope="module")
def solved_here() -> Iterator[None]:
    """`local:1` solves in this process: a worker imports for longer than it solves what these tests ask.

    Any other number starts workers.
    """

    def executor(workers: int, *settings: object, **more: object) -> Executor:
        return Here() if workers == 1 else ProcessPoolExecutor(workers, *settings, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("p2smt.sweep.local_pool.ProcessPoolExecutor", executor)
        yield


_OPTIMA: dict[bytes, Optimum | Infeasible | Unfinished] = {}
_PLACEMENT = optimize.JobPricer.placement


@pytest.fixture(scope="module")
def known_optima() -> Iterator[None]:
    """A job is searched once for all commands that ask for its optimum, unless something is to end the search."""
    whole = optimize.optimize

    def known(workload: Workload, cost: Cost, *limits: Any) -> Optimum | Infeasible | Unfinished:
        is_left_alone = not any(limits) and optimize.JobPricer.placement is _PLACEMENT
        if not is_left_alone:
            return whole(workload, cost, *limits)
        asked = pickle.dumps((workload, type(cost), getattr(cost, "algorithm", None)))
        if asked not in _OPTIMA:
            _OPTIMA[asked] = whole(workload, cost)
        return _OPTIMA[asked]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("p2smt.cli.output.solved.optimize", known)
        yield
