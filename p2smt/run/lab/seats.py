"""Places of the ranks of a laboratory: each inside its host's namespace, with its host's network card."""

from functools import partial
from pathlib import Path

from p2smt.run.lab.laboratory import Laboratory
from p2smt.run.lab.namespaces import enter
from p2smt.run.lab.quotas import sit
from p2smt.run.rank.message import Seat


def lab_seats(laboratory: Laboratory) -> tuple[Seat, ...]:
    """The seats of all ranks, in their order."""
    first = laboratory.hosts[0].address
    groups = laboratory.groups or (None,) * laboratory.shape.devices
    hosts = map(laboratory.host_of, range(laboratory.shape.devices))
    return tuple(
        Seat(host.interface, first, partial(take, host.namespace, group))
        for host, group in zip(hosts, groups, strict=True)
    )


def take(namespace: str, group: Path | None) -> None:
    """Move the calling process into a namespace, and into a control group, if it has one."""
    if group is not None:
        sit(group)
    enter(namespace)
