"""Start local processes, one per rank, exchange messages with them, and always end them."""

import importlib.util
import multiprocessing
import multiprocessing.util
import shutil
import signal
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TypeVar

from p2smt.errors import RunError
from p2smt.run.local.safe_path import safe_path
from p2smt.run.rank.entry import begin
from p2smt.run.rank.message import Failure, JoinMessage, Seat, Start

Answer = TypeVar("Answer")

PRELOADED = ("torch", "torch.distributed", "p2smt.run.rank.joining", "p2smt.run.rank.rank")
"""Modules that the fork server imports before it forks ranks."""

_GRACE_S = 0.5
_MISSED = ("Connection closed by peer", "Connection reset by peer", "Broken pipe", "Timed out waiting")
"""Phrases in gloo's messages from a rank that lost its connection to another rank."""

_END_S = 5.0


class Processes:
    """Joined processes, one per seat, and a temporary folder; `close` ends the processes and removes the folder."""

    def __init__(
        self, seats: Sequence[Seat], *, timeout_s: float, debug: bool = False, prefix: str = "p2smt-run-"
    ) -> None:
        """Start all processes. Raises RunError if one does not join in time. `prefix` begins the folder's name."""
        if importlib.util.find_spec("torch") is None:
            raise RunError("running a plan needs torch, which is not installed: pip install torch")
        self.folder = Path(tempfile.mkdtemp(prefix=prefix))
        self.torch_version = ""
        self._pipes: list[Connection] = []
        self._processes: list[BaseProcess] = []
        try:
            self._start(seats, timeout_s, debug)
        except BaseException:
            self.close()
            raise

    def _start(self, seats: Sequence[Seat], timeout_s: float, debug: bool) -> None:
        context = multiprocessing.get_context("forkserver")
        context.set_forkserver_preload([*PRELOADED])
        folders = (str(self.folder), multiprocessing.util.get_temp_dir())
        for rank, seat in enumerate(seats):
            ours, theirs = context.Pipe()
            start = Start(
                rank=rank,
                ranks=len(seats),
                stderr=str(self._stderr(rank)),
                folders=folders,
                timeout_s=timeout_s,
                debug=debug,
            )
            process = context.Process(target=begin, args=(start, seat, theirs), name=f"p2smt rank {rank}", daemon=True)
            self._pipes.append(ours)
            self._processes.append(process)
            with safe_path():
                process.start()
            theirs.close()
        deadline = time.monotonic() + timeout_s
        (first,) = self._answers([0], deadline, JoinMessage)
        for pipe in self._pipes[1:]:
            _send(pipe, first.port)
        self._answers(range(len(seats)), deadline, JoinMessage)
        self.torch_version = first.torch_version

    def ask(self, message: object, answer: type[Answer], timeout_s: float) -> list[Answer]:
        """Send a message to all ranks and return their answers, in rank order.

        If a rank fails, dies or times out, end all processes and raise RunError.
        """
        try:
            for pipe in self._pipes:
                _send(pipe, message)
            return self._answers(range(len(self._pipes)), time.monotonic() + timeout_s, answer)
        except BaseException:
            self.close()
            raise

    @property
    def ended(self) -> bool:
        """True if the processes were ended, by `close` or after a failure."""
        return not self._processes

    def close(self) -> None:
        """End all processes and remove the folder. Calling it twice is harmless."""
        processes, self._processes = self._processes, []
        pipes, self._pipes = self._pipes, []
        for process in processes:
            if process.pid is not None:
                process.terminate()
        for process in processes:
            if process.pid is not None:
                process.join(_END_S)
                if process.is_alive():
                    process.kill()
                    process.join()
            process.close()
        for pipe in pipes:
            pipe.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _answers(self, ranks: Sequence[int], deadline: float, answer: type[Answer]) -> list[Answer]:
        """Return one answer from each of the given ranks, in their order."""
        answers: dict[int, Answer] = {}
        while missing := [rank for rank in ranks if rank not in answers]:
            ready = self._ready(deadline - time.monotonic())
            if not ready:
                raise RunError(f"rank {', '.join(map(str, missing))} did not finish in time; raise the timeout")
            for rank in ready:
                message = self._message(rank)
                if not isinstance(message, answer):
                    raise RunError(self._why(rank, message))
                answers[rank] = message
        return [answers[rank] for rank in ranks]

    def _ready(self, seconds: float) -> list[int]:
        """Return the ranks that sent a message or ended, after waiting at most `seconds`."""
        wait([*self._pipes, *(process.sentinel for process in self._processes)], max(0.0, seconds))
        return [
            rank
            for rank, (pipe, process) in enumerate(zip(self._pipes, self._processes, strict=True))
            if pipe.poll() or not process.is_alive()
        ]

    def _message(self, rank: int) -> object:
        """Return the next message of a rank, or None if its process has ended."""
        try:
            return self._pipes[rank].recv() if self._pipes[rank].poll() else None
        except (EOFError, OSError):
            return None

    def _why(self, rank: int, message: object) -> str:
        """Return the cause of a failure.

        A rank that died or failed by itself explains others that only lost their connection to it.
        """
        until = time.monotonic() + _GRACE_S
        reported = {rank: message.reason} if isinstance(message, Failure) else {}
        while time.monotonic() < until:
            for other, process in enumerate(self._processes):
                said = self._message(other)
                if isinstance(said, Failure):
                    reported[other] = said.reason
                elif not process.is_alive() and other not in reported:
                    return f"rank {other} {_end(process.exitcode)}{self._last_words(other)}"
            time.sleep(0.02)
        own = [other for other, reason in reported.items() if not _missed_another(reason)]
        first = next(iter(own or reported), rank)
        return f"rank {first} failed: {_one_line(reported.get(first, 'ended without an answer'))}"

    def _stderr(self, rank: int) -> Path:
        return self.folder / f"rank{rank}.stderr"

    def _last_words(self, rank: int) -> str:
        try:
            lines = self._stderr(rank).read_text(errors="replace", encoding="utf-8").strip().splitlines()
        except OSError:
            return ""
        return f": {_one_line(lines[-1])}" if lines else ""


def _send(pipe: Connection, message: object) -> None:
    """Send a message, ignoring a closed pipe; a dead process is detected when its answer is missing."""
    with suppress(OSError):
        pipe.send(message)


def _end(code: int | None) -> str:
    if code is not None and code < 0:
        return f"was ended by {signal.Signals(-code).name}"
    return f"ended with exit code {code}"


def _missed_another(reason: str) -> bool:
    return any(words in reason for words in _MISSED)


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 400 else f"{line[:400]}..."
