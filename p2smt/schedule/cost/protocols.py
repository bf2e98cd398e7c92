"""NCCL's protocols for small messages, LL and LL128, beside Simple, whose latencies and rates systems have.

NCCL takes for every call the protocol that its own model says is fastest. That model (`src/graph/tuning.cc`, NCCL 2.10
to 2.18) has for rings, as LL / LL128 / Simple: to begin 6.6 / 14 / 8.4 us, a hop over NVLink 0.6 / 1.9 / 3.4 us, over
the network 2.7 / 4 / 14 us; of the bandwidth LL gets a quarter, LL128 0.92. Here a system's figures are taken to be
those of Simple, and the others have the same proportions; switches add by Simple alone.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from p2smt.collective import Collective
from p2smt.cost.network.backend import Cost, Gloo, Nccl, cost_of
from p2smt.cost.network.cost import Work
from p2smt.cost.network.pattern import Pattern
from p2smt.errors import ProgramError
from p2smt.problem.system.algorithm import SWITCHED, PerAlgorithm
from p2smt.problem.system.network import Link, System
from p2smt.schedule.cost.machine import Machine, patterns
from p2smt.schedule.cost.price import Price, step_price
from p2smt.tensor.placing import Mesh


class SmallMessages(StrEnum):
    """The protocols that trade bandwidth for latency."""

    LL = "LL"
    LL128 = "LL128"


@dataclass(frozen=True, slots=True)
class Proportions:
    """Parameters of a protocol in proportion to those of Simple."""

    launch: float
    inside: float
    between: float
    bandwidth: float


PROPORTIONS = {
    SmallMessages.LL: Proportions(launch=6.6 / 8.4, inside=0.6 / 3.4, between=2.7 / 14, bandwidth=1 / 4),
    SmallMessages.LL128: Proportions(launch=14 / 8.4, inside=1.9 / 3.4, between=4 / 14, bandwidth=0.92),
}


def by(protocol: SmallMessages, system: System) -> System:
    """The system as a protocol sees it."""
    share = PROPORTIONS[protocol]
    network, machines = system.network, [level.name for level in system.levels[: system.machine + 1]]
    links = tuple(_link(link, share, share.between if link.level in machines else share.inside)
                  for link in network.links)  # fmt: skip
    return replace(system, network=replace(network, links=links, launch=network.launch * share.launch))


def _link(link: Link, share: Proportions, latency: float) -> Link:
    plain = {algorithm: figure for algorithm, figure in link.flow.items() if algorithm not in SWITCHED}
    flow = PerAlgorithm({algorithm: figure * share.bandwidth for algorithm, figure in plain.items()})
    return replace(link, bandwidth=link.bandwidth * share.bandwidth, latency=link.latency * latency, flow=flow)


@dataclass(frozen=True)
class ProtocolCarrier:
    """Carries every call by the faster of the protocols for small messages (a `Carrier`)."""

    mesh: Mesh
    machine: Machine

    @classmethod
    def on(cls, mesh: Mesh, machine: Machine) -> Machine:
        """A machine whose calls take the fastest of all three protocols.

        ProgramError for gloo, which has none, and beside rates, which are of calls whatever protocol they took.
        """
        if machine.rates is not None:
            raise ProgramError("LL and LL128 are priced by a model of NCCL's, and rates were measured; leave one out")
        match machine.backend:
            case Nccl():
                return replace(machine, carrier=cls(mesh, machine))
            case Gloo():
                raise ProgramError("LL and LL128 are protocols of NCCL; leave them out for gloo")

    @cached_property
    def _costs(self) -> tuple[tuple[SmallMessages, Cost], ...]:
        system, backend = self.machine.cost.system, self.machine.backend
        return tuple((protocol, cost_of(by(protocol, system), backend)) for protocol in SmallMessages)

    @cached_property
    def _patterns(self) -> tuple[Pattern, ...]:
        return patterns(self.mesh, self.machine)

    def price(self, collective: Collective, axis: int, held: float) -> Price | None:
        """The faster of the two."""
        work = Work(collective, self._patterns[axis], held)
        prices = [step_price(f"{collective} by {protocol}", cost.work_cost(work)) for protocol, cost in self._costs]
        return min(prices, key=lambda price: price.seconds)
