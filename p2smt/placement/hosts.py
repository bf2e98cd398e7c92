"""Machines of a system and their names; a host is a unit of the level `System.machine`."""

import re
from math import prod
from pathlib import Path

from p2smt.errors import ProblemError
from p2smt.problem.system.network import System
from p2smt.problem.typed import read_bounded

_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9._-]{0,252})")
_MAX_BYTES = 20_000_000


def host_size(system: System) -> int:
    """Return the number of devices per host; device `d` is slot `d % host_size` of host `d // host_size`."""
    return prod(level.size for level in system.levels[system.machine + 1 :])


def read_hosts(path: Path, system: System) -> tuple[str, ...]:
    """Read the names of a system's hosts, one per line in device order, ignoring blank lines and # comments.

    Raises ProblemError for an invalid or repeated name, and if the number of names is not the number of hosts.
    """
    try:
        lines = read_bounded(path, _MAX_BYTES, ProblemError).decode().splitlines()
    except UnicodeDecodeError as cause:
        raise ProblemError(f"{path} is not UTF-8 text; write one host name per line") from cause
    entries = [(number, line.strip()) for number, line in enumerate(lines, 1)]
    named = [(number, name) for number, name in entries if name and not name.startswith("#")]
    seen: dict[str, int] = {}
    for number, name in named:
        if not _NAME.fullmatch(name):
            raise ProblemError(
                f"{path}, line {number}: {name[:80]!r} is not a host name; write letters, digits, . _ and -"
            )
        if name in seen:
            raise ProblemError(
                f"{path}, line {number}: host {name} is already on line {seen[name]}; name every host once"
            )
        seen[name] = number
    wanted = system.devices // host_size(system)
    if len(seen) != wanted:
        raise ProblemError(
            f"{path} names {len(seen)} hosts, but the system has {wanted}; name each on a line of its own"
        )
    return tuple(seen)
