"""Where the ranks of a laboratory run: each inside its host's namespace, with its host's network card."""

from functools import partial

from p2smt.run.lab.laboratory import Laboratory
from p2smt.run.lab.namespaces import enter
from p2smt.run.rank.message import Seat


def lab_seats(laboratory: Laboratory) -> tuple[Seat, ...]:
    """The seats of all ranks, in their order."""
    first = laboratory.hosts[0].address
    hosts = map(laboratory.host_of, range(laboratory.shape.devices))
    return tuple(Seat(host.interface, first, partial(enter, host.namespace)) for host in hosts)
