"""Processes that run users' Python code to trace it, so that it can neither change nor end this one."""

import subprocess
import sys
from dataclasses import dataclass

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
        command = [sys.executable, "-m", f"p2smt.frontend.{self.module}"]
        try:
            done = subprocess.run(command, input=request, capture_output=True, timeout=timeout_s, check=False)
        except subprocess.TimeoutExpired as cause:
            message = f"{what}: not traced within {timeout_s:g} s; give --timeout or {self.smaller}"
            raise self.error(message) from cause
        if done.returncode or not done.stdout:
            last = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
            need = f"; install torch to {self.purpose}" if "No module named 'torch'" in last[0] else ""
            raise self.error(f"{what}: could not be traced: {last[0][:300]}{need}")
        return done.stdout
