"""Run the commands that create a laboratory, and enter its namespaces."""

import ctypes
import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

from p2smt.errors import LabError
from p2smt.run.lab.commands import Command

NAMESPACES = Path("/run/netns")
"""Folder in which `ip netns` keeps its namespaces."""

_CLONE_NEWNET = 0x40000000
_LIMIT_S = 30.0


def require_tools() -> None:
    """Raise LabError unless this process is root on Linux and iproute2 is installed."""
    if not hasattr(os, "geteuid") or not Path("/proc/self/ns/net").exists():
        raise LabError("a laboratory needs Linux with network namespaces, which this system lacks")
    missing = [tool for tool in ("ip", "tc") if shutil.which(tool, path=_path()) is None]
    if missing:
        raise LabError(
            f"a laboratory needs {' and '.join(missing)} of iproute2, which is not installed; "
            "apt-get install iproute2, or dnf install iproute iproute-tc"
        )
    if os.geteuid() != 0:
        raise LabError(
            f"a laboratory needs root, but this is user {os.geteuid()}; run it with sudo, or in a "
            "container started with --privileged"
        )


def run_commands(commands: Iterable[Command]) -> None:
    """Run commands in order; on the first failure raise LabError with the command's error message."""
    for command in commands:
        outcome = run_tool(command)
        if outcome.returncode:
            said = " ".join(outcome.stderr.split()) or f"exit code {outcome.returncode}"
            hint = ""
            if "not permitted" in said or "denied" in said:
                hint = "; root may not make network namespaces here, in a container start it with --privileged"
            elif "qdisc kind is unknown" in said:
                hint = "; the kernel has no token bucket, load it with `modprobe sch_tbf`"
            raise LabError(f"`{' '.join(command)}` failed: {said}{hint}")


def run_tool(command: Command) -> "subprocess.CompletedProcess[str]":
    """Run one iproute2 command. Raises LabError if it cannot be started or does not finish in time."""
    try:
        return subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=_LIMIT_S,
            check=False,
            stdin=subprocess.DEVNULL,
            env=os.environ | {"PATH": _path(), "LC_ALL": "C"},
        )
    except (OSError, subprocess.TimeoutExpired) as cause:
        raise LabError(f"`{' '.join(command)}` could not be run: {cause}") from cause


def enter(namespace: str) -> None:
    """Move the calling thread, and all processes that it starts later, into a namespace."""
    libc = ctypes.CDLL(None, use_errno=True)
    with (NAMESPACES / namespace).open(encoding="utf-8") as file:
        if libc.setns(file.fileno(), _CLONE_NEWNET):
            code = ctypes.get_errno()
            raise OSError(code, f"cannot enter namespace {namespace}: {os.strerror(code)}")


def _path() -> str:
    """Return PATH extended by the folders of system tools, which users' paths often lack."""
    return os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"])
