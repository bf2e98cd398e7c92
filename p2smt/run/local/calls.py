"""Functions of a Python file, called on all of some joined ranks, wherever their processes run."""

import os
import signal
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

from p2smt.run.local.message import Failure, Start
from p2smt.run.local.modules import load_module
from p2smt.run.local.processes import Processes


@dataclass(frozen=True, slots=True)
class Seat:
    """Where a rank runs: its network card, the address of rank 0, and what its process does before all else.

    `enter` is pickled: a function of a module, or `functools.partial` of one.
    """

    interface: str = "lo"
    first_address: str = "127.0.0.1"
    enter: Callable[[], object] | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """Call a function of the file at `path` with these arguments."""

    path: str
    function: str
    arguments: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Returned:
    """What the function returned."""

    value: Any


class CallRanks(Processes):
    """Joined ranks, one per seat, that call functions; torch.distributed runs on gloo. Use as a context manager.

    After a RunError, for a rank that failed, died or did not answer in time, the processes have ended.
    """

    def __init__(self, seats: Sequence[Seat], *, timeout_s: float = 60.0, debug: bool = False) -> None:
        """Start all processes; raises RunError when one does not join in time."""
        self._seats = tuple(seats)
        super().__init__(len(self._seats), timeout_s, debug)

    def __enter__(self) -> "CallRanks":
        """The ranks themselves, which have joined already."""
        return self

    def __exit__(self, *_: object) -> None:
        """End all processes."""
        self.close()

    def call(self, path: str, function: str, *arguments: Any, timeout_s: float) -> list[Any]:
        """What a function returns on every rank, in the order of ranks; arguments and results are pickled."""
        answers = self.ask(Call(path, function, arguments), Returned, timeout_s)
        return [answer.value for answer in answers]

    def _entry(self, start: Start) -> Callable[[Connection], None]:
        return partial(_enter, start, self._seats[start.rank])


def _enter(start: Start, seat: Seat, pipe: Connection) -> None:
    """Where a process begins: Ctrl-C is the parent's business, what libraries print goes to a file."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with open(start.stderr, "w", encoding="utf-8") as file:
        os.dup2(file.fileno(), 2)
    try:
        if seat.enter is not None:
            seat.enter()
        os.environ["GLOO_SOCKET_IFNAME"] = seat.interface
        from p2smt.run.local.joining import join

        join(start, pipe, seat.first_address)
        while True:
            call = pipe.recv()
            pipe.send(Returned(getattr(load_module(call.path), call.function)(*call.arguments)))
    except EOFError:
        return
    except Exception as error:
        traceback.print_exc()
        pipe.send(Failure(f"{type(error).__name__}: {error}"))
