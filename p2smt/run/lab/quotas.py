"""Limit the ranks of a laboratory to fractions of a core, by cgroups (v1 or v2) with CPU quotas.

A rank with quota q runs for a fraction q of every period. The period is 4 ms, or longer if needed for the
minimum quota of 1 ms; with longer periods, short computations between two messages would run at full speed.
Groups of v1 are created inside the caller's group and so inherit its limits. A v2 group with processes may not
have child groups, so these groups are created beside the caller's.
"""

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from p2smt.errors import LabError
from p2smt.run.lab.names import lab_of, part_name

PROCESS = Path("/proc/self")

_PERIOD_US = 4000
_LEAST_US = 1000
_PATIENCE_S = 10.0


@dataclass(frozen=True, slots=True)
class Hierarchy:
    """The CPU cgroup hierarchy: its mount point, the parent for new groups, and the version (1 or 2)."""

    mount: Path
    around: Path
    version: int


def cpu_hierarchy(process: Path = PROCESS) -> Hierarchy:
    """Return the CPU cgroup hierarchy; `process` is this process's folder in /proc.

    Raises LabError if there is none.
    """
    own = {}
    for line in _lines(process / "cgroup"):
        _, controllers, path = line.split(":", 2)
        own.update(dict.fromkeys(controllers.split(","), path))
    second: Hierarchy | None = None
    for line in _lines(process / "mountinfo"):
        before, _, after = line.partition(" - ")
        root, mount = before.split()[3], Path(before.split()[4])
        kind, _, options = after.split(" ", 2)
        if kind == "cgroup" and "cpu" in options.split(",") and "cpu" in own:
            return Hierarchy(mount, _inside(mount, root, own["cpu"]), 1)
        if kind == "cgroup2" and "" in own:
            group = _inside(mount, root, own[""])
            second = Hierarchy(mount, group if group == mount else group.parent, 2)
    if second is None:
        raise LabError(
            "ranks with a quota need the cgroup controller 'cpu', which is not mounted here; leave the quotas out"
        )
    return second


def make_groups(lab: str, quotas: Sequence[float], process: Path = PROCESS) -> tuple[Path, ...]:
    """Create a group for each rank, limited to its fraction of a core; on LabError none is left behind."""
    hierarchy = cpu_hierarchy(process)
    made: list[Path] = []
    try:
        if hierarchy.version == 2:
            _write(hierarchy.around / "cgroup.subtree_control", "+cpu")
        for rank, quota in enumerate(quotas):
            group = hierarchy.around / part_name(lab, f"q{rank}")
            group.mkdir()
            made.append(group)
            _limit(group, quota, hierarchy.version)
    except OSError as cause:
        for group in made:
            with suppress(OSError):
                group.rmdir()
        raise LabError(f"cannot limit ranks to fractions of a core: {_why(cause, hierarchy)}") from cause
    return tuple(made)


def sit(group: Path) -> None:
    """Move the calling process, and all processes that it starts later, into a group."""
    _write(group / "cgroup.procs", str(os.getpid()))


def find_groups(process: Path = PROCESS) -> tuple[Path, ...]:
    """Return the groups of all laboratories, wherever in the hierarchy they were created."""
    try:
        mount = cpu_hierarchy(process).mount
    except LabError:
        return ()
    return tuple(sorted(_laboratory_groups(mount)))


def remove_groups(lab: str, process: Path = PROCESS) -> None:
    """Remove a laboratory's groups, whose processes must have ended. Raises LabError if a group stays."""
    until = time.monotonic() + _PATIENCE_S
    for group in find_groups(process):
        # A group can be removed only once the kernel has reaped its processes, which takes a
        # moment.
        while lab_of(group.name) == lab and group.exists():
            try:
                group.rmdir()
            except FileNotFoundError:
                break
            except OSError as cause:
                if time.monotonic() > until:
                    raise LabError(f"cgroup {group} cannot be removed: {cause.strerror}") from cause
                time.sleep(0.02)


def period_us(quota: float) -> int:
    """Return the scheduling period in microseconds for a quota, given as a fraction of a core.

    >>> period_us(0.5), period_us(0.1)
    (4000, 10000)
    """
    return max(_PERIOD_US, round(_LEAST_US / quota))


def _limit(group: Path, quota: float, version: int) -> None:
    period = period_us(quota)
    allowed = max(_LEAST_US, round(quota * period))
    if version == 2:
        _write(group / "cpu.max", f"{allowed} {period}")
        return
    _write(group / "cpu.cfs_period_us", str(period))
    _write(group / "cpu.cfs_quota_us", str(allowed))


def _laboratory_groups(mount: Path) -> Iterator[Path]:
    for folder, names, _ in os.walk(mount):
        yield from (Path(folder, name) for name in names if lab_of(name) is not None)


def _inside(mount: Path, root: str, path: str) -> Path:
    """Return the folder of a group under a mount that shows the hierarchy from `root` on."""
    with suppress(ValueError):
        return mount / Path(path).relative_to(root)
    return mount


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError as cause:
        raise LabError(f"ranks with a quota need cgroups: {path} cannot be read, {cause.strerror}") from cause


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")


def _why(cause: OSError, hierarchy: Hierarchy) -> str:
    said = f"{cause.filename}: {cause.strerror}"
    if isinstance(cause, FileExistsError):
        return f"{said}; `p2smt lab down` removes what a crash left"
    if hierarchy.version == 2:
        return f"{said}; run as root in a group whose parent has the controller cpu, say by `systemd-run --scope`"
    return f"{said}; run as root, in a container with cgroups that can be written (--privileged)"
