"""Tracers of users' torch code, forked.

`subprocess.run` is given to tests' code so that the tracers of p2smt, which are started as `python -m`, are forked; all
other commands are started as ever, and so are tracers in commands that are processes themselves.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from forked_torch import SERVER, TRACERS

_ASKED = {"input", "capture_output", "timeout", "check"}


@contextmanager
def forked_tracers() -> Iterator[None]:
    """While this is entered, tracers are forked."""
    real = subprocess.run

    def run(command: Any, *arguments: Any, **how: Any) -> subprocess.CompletedProcess[Any]:
        is_tracer = isinstance(command, list) and len(command) == 3 and command[:2] == [sys.executable, "-m"]
        if not (is_tracer and how.keys() == _ASKED and not arguments):
            return real(command, *arguments, **how)
        assert command[2] in TRACERS, f"forked_torch.TRACERS lacks {command[2]}"
        try:
            ended = SERVER.run(command[2], given=how["input"], timeout=how["timeout"])
        except TimeoutError:
            raise subprocess.TimeoutExpired(command, how["timeout"] or 0.0) from None
        return subprocess.CompletedProcess(command, ended.codes[0], ended.out, ended.err)

    subprocess.run = run
    try:
        yield
    finally:
        subprocess.run = real
        SERVER.close()
