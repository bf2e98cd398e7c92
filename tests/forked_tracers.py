"""Tracers of users' torch code, forked.

`subprocess.run` is given to tests' code so that the tracers of p2smt, which are started as `python -P -m`, are forked;
all other commands are started as ever, and so are tracers in commands that are processes themselves.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from forked_torch import SERVER, TRACERS

_ASKED = {"input", "capture_output", "timeout", "check", "env"}


@contextmanager
def forked_tracers() -> Iterator[None]:
    """While this is entered, tracers are forked."""
    real = subprocess.run

    def run(command: Any, *arguments: Any, **how: Any) -> subprocess.CompletedProcess[Any]:
        is_tracer = isinstance(command, list) and command[:-1] == [sys.executable, "-P", "-m"]
        if not (is_tracer and how.keys() == _ASKED and not arguments):
            return real(command, *arguments, **how)
        assert command[-1] in TRACERS, f"forked_torch.TRACERS lacks {command[-1]}"
        try:
            ended = SERVER.run(command[-1], given=how["input"], timeout=how["timeout"])
        except TimeoutError:
            raise subprocess.TimeoutExpired(command, how["timeout"] or 0.0) from None
        return subprocess.CompletedProcess(command, ended.codes[0], ended.out, ended.err)

    subprocess.run = run
    try:
        yield
    finally:
        subprocess.run = real
        SERVER.close()
