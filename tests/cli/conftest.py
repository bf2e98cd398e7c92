"""What tests of several commands share."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor

import pytest


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
