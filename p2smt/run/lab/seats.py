"""Process settings of a laboratory's ranks: each rank's namespace, network card and control group."""

from functools import partial
from pathlib import Path

from p2smt.run.lab.laboratory import Laboratory
from p2smt.run.lab.namespaces import enter
from p2smt.run.lab.quotas import sit
from p2smt.run.rank.message import Seat


def lab_seats(laboratory: Laboratory) -> tuple[Seat, ...]:
    """Return the process settings of all ranks, in rank order."""
    first = laboratory.hosts[0].address
    groups = laboratory.groups or (None,) * laboratory.shape.devices
    hosts = map(laboratory.host_of, range(laboratory.shape.devices))
    return tuple(
        Seat(host.interface, first, partial(take, host.namespace, group))
        for host, group in zip(hosts, groups, strict=True)
    )


def take(namespace: str, group: Path | None) -> None:
    """Move the calling process into a namespace and, if given, a control group."""
    if group is not None:
        sit(group)
    enter(namespace)
