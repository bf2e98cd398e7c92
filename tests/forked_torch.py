"""Processes forked from one that has torch and p2smt's tracers already: to load them takes seconds.

The server is started when it is first asked, one per process of pytest; `SERVER.close()` ends it. It is forked from the
server of p2smt's own ranks, which has loaded torch as well.
"""

import importlib
import json
import multiprocessing
import os
import runpy
import select
import signal
import socket
import sys
import tempfile
import time
import traceback
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, NamedTuple

from paths import TESTS

from p2smt.run.local import processes

TRACERS = (
    "p2smt.frontend.torch_function.trace",
    "p2smt.frontend.torch_ranks.trace",
    "p2smt.frontend.torch_graph.process",
)
_MOST_BYTES = 1 << 20
START_S = 300.0
"""The limit of what takes the server no time but that of loading torch: to fork, or to wait for killed processes."""


def _serve(channel: socket.socket) -> None:
    """Loop of the server: fork what is asked for, and answer with process numbers, then with exit codes."""
    sys.path[:] = ["", *(path for path in sys.path if path != str(TESTS))]
    modules = {name: importlib.import_module(name) for name in (*TRACERS, "torch", "torch.nn.parallel")}
    importlib.import_module("p2smt.frontend.torch_graph.trace")  # which its process loads when it is asked
    importlib.import_module("torch._dynamo")  # which optimizers load when they are made: a second in every process
    assert len(os.listdir("/proc/self/task")) == 1, "a process with threads must not be forked"
    while True:
        data, files, *_ = socket.recv_fds(channel, _MOST_BYTES, 3)
        if not data:
            break
        asked = json.loads(data)
        children = [_forked(asked, environment, files, channel, modules) for environment in asked["environments"]]
        for file in files:
            os.close(file)
        channel.sendall(json.dumps(children).encode() + b"\n")
        codes = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
        channel.sendall(json.dumps(codes).encode() + b"\n")


def _forked(
    asked: Mapping[str, str],
    environment: Mapping[str, str],
    files: Sequence[int],
    channel: socket.socket,
    modules: Mapping[str, Any],
) -> int:
    """Number of a new process, which does what was asked and ends."""
    child = os.fork()
    if child == 0:
        code = 70
        try:
            channel.close()
            code = _run(asked, environment, files, modules)
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(code)
    return child


def _run(
    asked: Mapping[str, str], environment: Mapping[str, str], files: Sequence[int], modules: Mapping[str, Any]
) -> int:
    """Exit code of a tracer or a file, with the files as its standard streams."""
    for number, file in enumerate(files):
        os.dup2(file, number)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)  # multiprocessing has put /dev/null there
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(environment)
    sys.path[0], sys.argv = asked["folder"], [asked["name"]]
    modules["torch"].distributed.set_debug_level_from_env()
    try:
        if asked["name"] in modules:
            del sys.path[0]
            modules[asked["name"]].main()
        else:
            if "PYTHONPATH" not in environment:  # a file that may import p2smt imports what is there
                for name in [name for name in sys.modules if name.partition(".")[0] == "p2smt"]:
                    del sys.modules[name]
            runpy.run_path(asked["name"], run_name="__main__")
        return 0
    except SystemExit as end:
        if isinstance(end.code, str):
            print(end.code, file=sys.stderr)
        return 1 if isinstance(end.code, str) else end.code or 0
    except BaseException:
        traceback.print_exc()
        return 1


class Ended(NamedTuple):
    """Exit codes in the order of processes, and what all of them wrote."""

    codes: list[int]
    out: bytes
    err: bytes


class Server:
    """A process that has imported torch and all tracers, and forks."""

    def __init__(self) -> None:
        self._server: BaseProcess | None = None
        self._channel: socket.socket | None = None
        self._read = b""

    def run(
        self,
        name: str,
        *,
        folder: str | Path | None = None,
        environments: Sequence[Mapping[str, str]] | None = None,
        given: bytes = b"",
        timeout: float | None = None,
    ) -> Ended:
        """What a tracer or the file of this name does in one process for each environment.

        A file finds p2smt where PYTHONPATH says where it is. Raises TimeoutError, after all of them were killed.
        """
        channel = self._started()
        request = {
            "name": name,
            "folder": os.getcwd() if folder is None else str(folder),
            "environments": [dict(os.environ)] if environments is None else [dict(each) for each in environments],
        }
        data = json.dumps(request).encode()
        assert len(data) < _MOST_BYTES
        with tempfile.TemporaryFile() as read, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            read.write(given)
            read.seek(0)
            socket.send_fds(channel, [data], [file.fileno() for file in (read, out, err)])
            children = json.loads(self._line(channel, START_S))
            try:
                codes = json.loads(self._line(channel, timeout))
            except TimeoutError:
                for child in children:
                    with suppress(ProcessLookupError):  # some have ended
                        os.kill(child, signal.SIGKILL)
                self._line(channel, START_S)
                raise
            out.seek(0)
            err.seek(0)
            return Ended(codes, out.read(), err.read())

    def close(self) -> None:
        """End the process; it would end by itself when nobody can ask it any more, but slowly."""
        if self._server is not None and self._channel is not None:
            self._channel.close()
            self._server.kill()
            self._server.join()
        self._server = self._channel = None
        self._read = b""

    def _line(self, channel: socket.socket, timeout: float | None) -> bytes:
        """The next line of the server. A line that came together with the one before it is here already."""
        until = None if timeout is None else time.monotonic() + timeout
        while b"\n" not in self._read:
            left = None if until is None else max(0.0, until - time.monotonic())
            if not select.select([channel], [], [], left)[0]:
                raise TimeoutError
            data = channel.recv(1 << 16)
            if not data:
                raise EOFError("the process that forks ended")
            self._read += data
        line, _, self._read = self._read.partition(b"\n")
        return line

    def _started(self) -> socket.socket:
        if self._channel is None:
            context = multiprocessing.get_context("forkserver")
            context.set_forkserver_preload([*processes.PRELOADED])
            self._channel, theirs = socket.socketpair()
            self._server = context.Process(target=_serve, args=(theirs,), name="p2smt tracers", daemon=True)
            self._server.start()
            theirs.close()
        return self._channel


SERVER = Server()
