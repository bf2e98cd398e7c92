"""Processes that run users' Python code to trace it, so that it can neither change nor end this one.

The current folder is not on their path (-P), so that torch does not import a user's `random.py` from there.
"""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from p2smt.errors import P2Error


@dataclass(frozen=True, slots=True, kw_only=True)
class TracingProcess:
    """A module that reads a request from stdin and writes its answer to stdout, and the words of its errors.

    `purpose` is the reason to install torch, `smaller` what takes less time to trace.
    """

    module: str
    error: type[P2Error]
    purpose: str
    smaller: str

    def answer(self, request: bytes, what: str, timeout_s: float) -> bytes:
        """Return the answer to a request on `what`. Raises `error` if there is none, or none in time."""
        command = [sys.executable, "-P", "-m", f"p2smt.frontend.{self.module}"]
        try:
            done = subprocess.run(
                command, input=request, capture_output=True, timeout=timeout_s, check=False, env=_environment()
            )
        except subprocess.TimeoutExpired as cause:
            message = f"{what}: not traced within {timeout_s:g} s; give --timeout or {self.smaller}"
            raise self.error(message) from cause
        except OSError as cause:
            raise self.error(
                f"{what}: cannot start {sys.executable}: {cause.strerror}; call p2smt by a Python that you may run"
            ) from cause
        if done.returncode or not done.stdout:
            last = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
            need = f"; install torch to {self.purpose}" if "No module named 'torch'" in last[0] else ""
            raise self.error(f"{what}: could not be traced: {last[0][:300]}{need}")
        return done.stdout


def _environment() -> dict[str, str]:
    """Return this process's environment, with p2smt on the path if it is imported from a clone's folder."""
    root = Path(__file__).parents[2]
    if root.name in ("site-packages", "dist-packages"):
        return dict(os.environ)
    paths = [*filter(None, [os.environ.get("PYTHONPATH")]), str(root)]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}
