"""Entry point of a rank's process, which joins the others and serves messages until the leader ends."""

import multiprocessing
import os
import shutil
import signal
import threading
import traceback
from multiprocessing.connection import Connection, wait

from p2smt.run.rank.message import CallTask, Failure, ReturnMessage, Seat, Start, Task
from p2smt.run.rank.modules import load_module

_CLEARING_S = 5.0


def begin(start: Start, seat: Seat, pipe: Connection) -> None:
    """Apply the seat's settings, join, and answer every message.

    Ctrl-C is ignored, as the leader handles it, and stderr goes to a file.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with open(start.stderr, "w", encoding="utf-8") as file:
        os.dup2(file.fileno(), 2)
    if seat.enter is not None:  # before anything has opened a socket
        seat.enter()
    os.environ["GLOO_SOCKET_IFNAME"] = seat.interface
    watch = threading.Thread(target=_end_with_leader, args=(start.folders,), daemon=True)
    watch.start()
    try:
        _serve(start, seat, pipe)
    except EOFError:
        watch.join(_CLEARING_S)
    except Exception as error:
        traceback.print_exc()
        pipe.send(Failure(f"{type(error).__name__}: {error}"))


def _serve(start: Start, seat: Seat, pipe: Connection) -> None:
    from p2smt.run.rank.joining import join
    from p2smt.run.rank.rank import Rank

    join(start, pipe, seat.first_address)
    rank = Rank(start.rank)
    while True:
        match pipe.recv():
            case Task() as task:
                pipe.send(rank.times(task))
            case CallTask(path, function, arguments):
                pipe.send(ReturnMessage(getattr(load_module(path), function)(*arguments)))
            case message:
                raise TypeError(f"{type(message).__name__} is not a task")


def _end_with_leader(folders: tuple[str, ...]) -> None:
    """Wait for the leader's process to end; then remove its files and exit, in case it was killed."""
    leader = multiprocessing.parent_process()
    assert leader is not None
    wait([leader.sentinel])
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(1)
