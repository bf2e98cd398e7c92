"""What tests of laboratories look at: the machine's own network, and what carries a laboratory's name."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from p2smt.run.lab.shape import LabShape, Tier

FLAT = LabShape((Tier("host", 2, 100e6 / 8),), 2)


def said(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def surroundings() -> tuple[str, ...]:
    """What of the machine's own network must never change; names and addresses without counters."""
    return (
        said("ip", "-brief", "link"),
        said("ip", "-brief", "addr"),
        said("ip", "rule"),
        said("ip", "route", "show", "table", "all"),
        said("tc", "qdisc", "show"),
    )


def left_of(lab: str) -> list[str]:
    """Everything that has the laboratory's name: namespaces, folders, sockets, control groups, command lines."""
    spaces = [line for line in said("ip", "netns", "list").splitlines() if line.startswith(f"p2l-{lab}-")]
    folders = [str(path) for path in Path(tempfile.gettempdir()).glob(f"p2l-{lab}-*")]
    sockets = [
        line for line in Path("/proc/net/unix").read_text(encoding="utf-8").splitlines() if f"@p2l-{lab}-" in line
    ]
    return spaces + folders + sockets + groups_of(lab) + marked(lab)


def left_in_the_end(lab: str, patience_s: float = 30.0) -> list[str]:
    """The same once all processes have had time to end: a fork server notices only when it has loaded torch."""
    until = time.monotonic() + patience_s
    while marked(lab) and time.monotonic() < until:
        time.sleep(0.1)
    return left_of(lab)


def groups_of(lab: str) -> list[str]:
    """The control groups that have the laboratory's name."""
    return [folder for folder, _, _ in os.walk("/sys/fs/cgroup") if Path(folder).name.startswith(f"p2l-{lab}-")]


def clear(lab: str) -> None:
    """Remove what a test left of its laboratories, with `ip` alone: those of its id, and of ids that begin alike."""
    spaces = [line.split()[0] for line in said("ip", "netns", "list").splitlines() if line.startswith(f"p2l-{lab[:5]}")]
    for space in spaces:
        own = os.stat("/proc/self/ns/net")
        inside = os.stat(f"/run/netns/{space}")
        if (inside.st_dev, inside.st_ino) != (own.st_dev, own.st_ino):
            for process in said("ip", "netns", "pids", space).split():
                with suppress(ProcessLookupError):
                    os.kill(int(process), signal.SIGKILL)
        subprocess.run(["ip", "netns", "del", space], check=False, capture_output=True)
    for group in groups_of(lab):
        with suppress(OSError):
            os.rmdir(group)
    for folder in Path(tempfile.gettempdir()).glob(f"p2l-{lab[:5]}*"):
        shutil.rmtree(folder, ignore_errors=True)


def marked(lab: str) -> list[str]:
    """Processes that were started with the laboratory's id in their environment."""
    found = []
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and f"P2SMT_TEST_LAB={lab}\0".encode() in (entry / "environ").read_bytes():
                found.append(f"{entry.name} {(entry / 'cmdline').read_bytes()!r}")
        except OSError:
            continue
    return found
