"""Prices of NCCL's protocols for small messages, LL and LL128, relative to Simple.

NCCL uses the protocol that its own model predicts to be fastest for each call. Ratios of latency and
bandwidth are those of rings in `cost/network/protocol.py`; a call's start takes 6.6 / 14 / 8.4 us with LL /
LL128 / Simple there. A system's parameters are taken as those of Simple, and scaled for the others. In-switch
reduction exists with Simple only. For a system file that prices protocols itself, the fastest of all is used.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from p2smt.collective import Collective
from p2smt.cost.network.backend import Gloo, Nccl, cost_of
from p2smt.cost.network.cost import Cost, Work
from p2smt.cost.network.pattern import Pattern
from p2smt.cost.network.protocol import protocol_terms
from p2smt.errors import ProgramError
from p2smt.problem.system.algorithm import SIMPLE_ALONE, Algorithm, NcclProtocol, PerAlgorithm
from p2smt.problem.system.link import Link
from p2smt.problem.system.network import System
from p2smt.schedule.cost.machine import Machine, patterns
from p2smt.schedule.cost.price import Price, step_price
from p2smt.tensor.placing import Mesh


class SmallMessages(StrEnum):
    """Protocols that trade bandwidth for latency."""

    LL = "LL"
    LL128 = "LL128"


@dataclass(frozen=True, slots=True)
class Proportions:
    """Parameters of a protocol, relative to those of Simple."""

    launch: float
    inside: float
    between: float
    bandwidth: float


def _of_ring(protocol: SmallMessages, launch: float) -> Proportions:
    place = list(NcclProtocol).index(NcclProtocol(protocol.value))
    inside, between = (protocol_terms(Algorithm.RING, over)[place] for over in (False, True))
    return Proportions(launch=launch, inside=inside.latency, between=between.latency, bandwidth=1 / inside.bytes)


PROPORTIONS = {
    SmallMessages.LL: _of_ring(SmallMessages.LL, 6.6 / 8.4),
    SmallMessages.LL128: _of_ring(SmallMessages.LL128, 14 / 8.4),
}


def by(protocol: SmallMessages, system: System) -> System:
    """Return the system with its parameters scaled to a protocol."""
    share = PROPORTIONS[protocol]
    network, machines = system.network, [level.name for level in system.levels[: system.machine + 1]]
    links = tuple(
        _link(link, share, share.between if link.level in machines else share.inside) for link in network.links
    )
    begun = network.launch * share.launch
    return replace(system, network=replace(network, links=links, launch=begun, protocols=False))


def _link(link: Link, share: Proportions, latency: float) -> Link:
    plain = {algorithm: figure for algorithm, figure in link.flow.items() if algorithm not in SIMPLE_ALONE}
    flow = PerAlgorithm({algorithm: figure * share.bandwidth for algorithm, figure in plain.items()})
    return replace(link, bandwidth=link.bandwidth * share.bandwidth, latency=link.latency * latency, flow=flow)


@dataclass(frozen=True)
class ProtocolCarrier:
    """Offers every collective with the faster of the two small-message protocols (a `Carrier`)."""

    mesh: Mesh
    machine: Machine

    @classmethod
    def on(cls, mesh: Mesh, machine: Machine) -> Machine:
        """Return a machine whose calls take the fastest of all three protocols.

        ProgramError for gloo, which has no protocols, and with measured rates, which already include the
        protocol's choice.
        """
        if machine.rates is not None:
            raise ProgramError(
                "LL and LL128 are priced by a model of NCCL, but --rates by measurements; leave one of the two out"
            )
        match machine.backend:
            case Nccl():
                return replace(machine, carrier=cls(mesh, machine))
            case Gloo():
                raise ProgramError("LL and LL128 are protocols of NCCL; gloo has none, so leave them out")

    @cached_property
    def _costs(self) -> tuple[tuple[SmallMessages, Cost, Cost], ...]:
        """The cost models of each protocol, for AllReduces and for other collectives.

        The others use rings, because PAT needs Simple.
        """
        system, backend = self.machine.cost.system, self.machine.backend
        rings = Nccl(Algorithm.RING)
        return tuple(
            (protocol, cost_of(by(protocol, system), backend), cost_of(by(protocol, system), rings))
            for protocol in SmallMessages
        )

    @cached_property
    def _patterns(self) -> tuple[Pattern, ...]:
        return patterns(self.mesh, self.machine)

    def price(self, collective: Collective, axis: int, held: float) -> Price | None:
        """Return the price with the faster of the two protocols."""
        work = Work(collective, self._patterns[axis], held)
        adds = collective is Collective.ALL_REDUCE  # only: others have rings by these protocols
        prices = [
            step_price(f"{collective} by {protocol}", (reduced if adds else others).work_cost(work))
            for protocol, reduced, others in self._costs
        ]
        return min(prices, key=lambda price: price.seconds)
