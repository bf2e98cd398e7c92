"""Find laboratories and remove them in any state, relying on names only."""

import os
import shutil
import signal
import socket
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from p2smt.errors import LabError
from p2smt.run.lab.names import host_namespace, lab_of, part_name
from p2smt.run.lab.namespaces import NAMESPACES, run_commands
from p2smt.run.lab.quotas import find_groups, remove_groups

_PATIENCE_S = 10.0


class Claim:
    """A lock on a laboratory's id, held by this process until `release` or until the process ends.

    The lock is a socket with an abstract name: the kernel grants it to one process, and no file is left behind.
    """

    def __init__(self, lab: str) -> None:
        """Acquire the lock. Raises LabError if another process holds it."""
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        try:
            self._socket.bind(f"\0{part_name(lab, 'lab')}")
        except OSError as cause:
            self._socket.close()
            raise LabError(
                f"laboratory {lab} is in use by another process; wait for it or choose another id"
            ) from cause

    def release(self) -> None:
        """Release the lock. Calling it twice is harmless."""
        self._socket.close()


@dataclass(frozen=True, slots=True)
class LabStatus:
    """A laboratory on this machine: its hosts, the processes inside, and whether a process holds its lock."""

    lab: str
    hosts: int
    processes: tuple[int, ...]
    in_use: bool


def find_labs() -> tuple[LabStatus, ...]:
    """Return all laboratories on this machine, sorted by id, including leftovers such as a folder or a group."""
    spaces = _namespaces()
    left = [*_folders("*"), *find_groups()]
    labs = {lab_of(name) for name in [*spaces, *(each.name for each in left)]} - {None}
    return tuple(
        LabStatus(lab, sum(_is_host(lab, space) for space in spaces), processes_inside(lab), _in_use(lab))
        for lab in sorted(filter(None, labs))
    )


def lab_exists(lab: str) -> bool:
    """True if any namespace of a laboratory exists."""
    return any(lab_of(space) == lab for space in _namespaces())


def sweep(lab: str, *, force: bool = False) -> bool:
    """Remove a laboratory unless another process holds its lock; `force` removes it regardless.

    True if it was removed.
    """
    try:
        claim = Claim(lab)
    except LabError:
        if force:
            remove_lab(lab)
        return force
    try:
        remove_lab(lab)
    finally:
        claim.release()
    return True


def remove_lab(lab: str) -> None:
    """Kill the processes in a laboratory and remove its namespaces, control groups and temporary folders.

    Missing parts are ignored. The calling process is never killed. Raises LabError if anything cannot be
    removed.
    """
    _end_processes(lab)
    for space in _namespaces():
        if lab_of(space) == lab:
            _remove_namespace(space)
    for folder in _folders(lab):
        shutil.rmtree(folder, ignore_errors=True)
    remove_groups(lab)


def processes_inside(lab: str) -> tuple[int, ...]:
    """Return the ids of processes in a laboratory's namespaces, excluding the caller."""
    inside = set()
    for space in _namespaces():
        if lab_of(space) == lab:
            with suppress(OSError):
                inside.add(_identity(NAMESPACES / space))
    inside.discard(_identity(Path("/proc/self/ns/net")))  # whatever its name: nothing of the user's is ended
    processes = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with suppress(OSError):
                if _identity(entry / "ns" / "net") in inside:
                    processes.append(int(entry.name))
    return tuple(sorted(processes))


def _remove_namespace(space: str) -> None:
    try:
        run_commands([("ip", "netns", "del", space)])
    except LabError:
        if space in _namespaces():  # otherwise another process was faster
            raise


def _end_processes(lab: str) -> None:
    until = time.monotonic() + _PATIENCE_S
    while inside := processes_inside(lab):
        if time.monotonic() > until:
            raise LabError(
                f"processes {', '.join(map(str, inside))} inside laboratory {lab} do not end; end them, then "
                f"run p2smt lab down {lab} again"
            )
        for process in inside:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.02)


def _identity(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_dev, status.st_ino


def _namespaces() -> list[str]:
    """Return all `ip netns` names, switches last, so that a partially removed laboratory keeps its id reserved."""
    with suppress(FileNotFoundError):
        # False sorts before True, so the switch's namespace is last.
        return sorted((path.name for path in NAMESPACES.iterdir()), key=lambda name: (name.endswith("-net"), name))
    return []


def _is_host(lab: str, space: str) -> bool:
    return lab_of(space) == lab and space.startswith(host_namespace(lab, 0)[:-1])


def _folders(lab: str) -> list[Path]:
    folders = Path(tempfile.gettempdir()).glob(part_name(lab, "run-*"))
    return [path for path in folders if lab_of(path.name) is not None and path.is_dir() and not path.is_symlink()]


def _in_use(lab: str) -> bool:
    try:
        Claim(lab).release()
    except LabError:
        return True
    return False
