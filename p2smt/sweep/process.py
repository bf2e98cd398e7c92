"""Identify processes that work on a store, and detect dead ones by heartbeats."""

import os
import platform
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

UNSEEN_S = 300.0
"""Seconds without a heartbeat after which a run counts as dead, on any machine."""


@dataclass(frozen=True, slots=True)
class Process:
    """A process of a machine, identified uniquely, also among later processes with the same number."""

    machine: str
    process: str


def this_process() -> Process:
    """Return the identity of the current process."""
    return Process(_machine(), _process(os.getpid()))


def is_alive(run: Process, unseen_s: float) -> bool:
    """True if a process with its last heartbeat `unseen_s` seconds ago still exists; exact on its own machine."""
    if unseen_s > UNSEEN_S:
        return False
    if run.machine != _machine():
        return True
    number = run.process.partition("/")[0]
    return number.isdecimal() and len(number) < 10 and _process(int(number)) == run.process


def _machine() -> str:
    """Return the machine's name and, on Linux, an id that changes with every boot and container."""
    parts = [platform.node()]
    with suppress(OSError):
        parts.append(Path("/proc/sys/kernel/random/boot_id").read_text(encoding="utf-8").strip())
        parts.append(os.readlink("/proc/self/ns/pid"))
    return "/".join(parts)


def _process(number: int) -> str:
    """Return the process number and, on Linux, its start time; empty if there is no such process."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return ""
    except OSError:
        pass  # it belongs to somebody else
    try:
        state = Path(f"/proc/{number}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:
        return str(number)
    return "" if state[0] in "ZX" else f"{number}/{state[19]}"
