"""Tracers of users' torch code, in processes forked from one that has torch already: to load it takes seconds.

`subprocess.run` is given to tests' code so that the tracers of p2smt, which are started as `python -m`, are forked; all
other commands are started as ever, and so are tracers in commands that are processes themselves.
"""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any

TRACERS = tuple(f"p2smt.frontend.{room}.trace" for room in ("torch_function", "torch_ranks", "torch_graph"))
_MOST_BYTES = 1 << 20
_ASKED = {"input", "capture_output", "timeout", "check"}

SERVER = """
import importlib, json, os, socket, sys, traceback
modules = {name: importlib.import_module(name) for name in sys.argv[2:]}
importlib.import_module("torch._dynamo")  # which optimizers load when they are made: a second in every tracer
assert len(os.listdir("/proc/self/task")) == 1, "a process with threads must not be forked"
channel = socket.socket(fileno=int(sys.argv[1]))

def run(asked, files):
    channel.close()
    for number, file in enumerate(files):
        os.dup2(file, number)
    os.chdir(asked["folder"])
    os.environ.clear()
    os.environ.update(asked["environment"])
    sys.path[0], sys.argv = asked["folder"], [asked["name"]]
    try:
        modules[asked["name"]].main()
        return 0
    except SystemExit as end:
        return end.code or 0
    except BaseException:
        traceback.print_exc()
        return 1

while True:
    data, files, *_ = socket.recv_fds(channel, 1 << 20, 3)
    if not data:
        break
    child = os.fork()
    if child == 0:
        code = 70
        try:
            code = run(json.loads(data), files)
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(code)
    for file in files:
        os.close(file)
    channel.sendall(json.dumps(child).encode() + b"\\n")
    _, status = os.waitpid(child, 0)
    channel.sendall(json.dumps(os.waitstatus_to_exitcode(status)).encode() + b"\\n")
"""


class Tracers:
    """A process that has imported all tracers; started when it is first asked."""

    def __init__(self) -> None:
        self._server: subprocess.Popen[bytes] | None = None
        self._channel: socket.socket | None = None
        self._answers: IO[bytes] | None = None

    def run(self, name: str, given: bytes, timeout: float | None) -> subprocess.CompletedProcess[bytes]:
        """What `subprocess.run` gives for `python -m NAME`, with these bytes as its input."""
        channel, answers = self._started()
        request = {"name": name, "folder": os.getcwd(), "environment": dict(os.environ)}
        data = json.dumps(request).encode()
        assert len(data) < _MOST_BYTES
        with tempfile.TemporaryFile() as read, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            read.write(given)
            read.seek(0)
            socket.send_fds(channel, [data], [file.fileno() for file in (read, out, err)])
            child = int(answers.readline())
            late = not select.select([channel], [], [], timeout)[0]
            if late:
                os.kill(child, signal.SIGKILL)
            code = int(answers.readline())
            if late:
                raise subprocess.TimeoutExpired([sys.executable, "-m", name], timeout or 0.0)
            out.seek(0)
            err.seek(0)
            return subprocess.CompletedProcess([sys.executable, "-m", name], code, out.read(), err.read())

    def close(self) -> None:
        """End the process; it would end by itself when nobody can ask it any more, but slowly."""
        if self._server is not None and self._channel is not None and self._answers is not None:
            self._answers.close()
            self._channel.close()
            self._server.kill()
            self._server.wait()
        self._server = self._channel = self._answers = None

    def _started(self) -> tuple[socket.socket, IO[bytes]]:
        if self._channel is None or self._answers is None:
            self._channel, theirs = socket.socketpair()
            command = [sys.executable, "-c", SERVER, str(theirs.fileno()), *TRACERS]
            alone = os.environ | {"OPENBLAS_NUM_THREADS": "1"}  # numpy starts threads otherwise
            self._server = subprocess.Popen(command, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, env=alone)
            theirs.close()
            self._answers = self._channel.makefile("rb")
        return self._channel, self._answers


TRACED = Tracers()


@contextmanager
def forked_tracers() -> Iterator[None]:
    """While this is entered, tracers are forked."""
    real = subprocess.run

    def run(command: Any, *arguments: Any, **how: Any) -> subprocess.CompletedProcess[Any]:
        is_tracer = isinstance(command, list) and len(command) == 3 and command[:2] == [sys.executable, "-m"]
        if is_tracer and command[2] in TRACERS and how.keys() == _ASKED and not arguments:
            return TRACED.run(command[2], how["input"], how["timeout"])
        return real(command, *arguments, **how)

    subprocess.run = run
    try:
        yield
    finally:
        subprocess.run = real
        TRACED.close()
