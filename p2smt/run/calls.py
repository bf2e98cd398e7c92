"""Functions of a Python file, called on all of some joined ranks, wherever their processes run."""

import importlib.util
import multiprocessing
import os
import signal
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from multiprocessing.connection import Connection
from types import ModuleType
from typing import Any

from p2smt.run.message import Failure, Joined, Start
from p2smt.run.processes import Processes


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

    def _start(self, ranks: int, timeout_s: float, debug: bool) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload(["torch", "torch.distributed"])
        for rank, seat in enumerate(self._seats):
            ours, theirs = context.Pipe()
            start = Start(rank, ranks, str(self._stderr(rank)), timeout_s, debug)
            process = context.Process(target=_enter, args=(start, seat, theirs), name=f"p2smt rank {rank}", daemon=True)
            self._pipes.append(ours)
            self._processes.append(process)
            process.start()
            theirs.close()
        deadline = time.monotonic() + timeout_s
        (first,) = self._answers([0], deadline, Joined)
        for pipe in self._pipes[1:]:
            pipe.send(first.port)
        self._answers(range(ranks), deadline, Joined)
        self.torch_version = first.torch_version


def load_module(path: str) -> ModuleType:
    """The module in a file, loaded anew."""
    sys.dont_write_bytecode = True
    spec = importlib.util.spec_from_file_location("called", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _enter(start: Start, seat: Seat, pipe: Connection) -> None:
    """Where a process begins: Ctrl-C is the parent's business, what libraries print goes to a file."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with open(start.stderr, "w") as file:
        os.dup2(file.fileno(), 2)
    try:
        if seat.enter is not None:
            seat.enter()
        os.environ["GLOO_SOCKET_IFNAME"] = seat.interface
        _join(start, seat, pipe)
        while True:
            call = pipe.recv()
            pipe.send(Returned(getattr(load_module(call.path), call.function)(*call.arguments)))
    except EOFError:
        return
    except Exception as error:
        traceback.print_exc()
        pipe.send(Failure(f"{type(error).__name__}: {error}"))


def _join(start: Start, seat: Seat, pipe: Connection) -> None:
    """Rank 0 picks a free port and tells it; the others are told, so no port can be taken in between."""
    import torch
    import torch.distributed as dist

    undeclared: Any = dist
    torch.set_num_threads(1)
    if start.debug:
        os.environ["TORCH_DISTRIBUTED_DEBUG"] = "DETAIL"
        undeclared.set_debug_level(undeclared.DebugLevel.DETAIL)
    timeout = timedelta(seconds=start.timeout_s)
    first = start.rank == 0
    port = 0 if first else pipe.recv()
    store = undeclared.TCPStore(seat.first_address, port, start.ranks, first, timeout, wait_for_workers=False)
    if first:
        pipe.send(Joined(store.port, str(torch.__version__)))
    dist.init_process_group("gloo", store=store, rank=start.rank, world_size=start.ranks, timeout=timeout)
    pipe.send(Joined(store.port, str(torch.__version__)))
