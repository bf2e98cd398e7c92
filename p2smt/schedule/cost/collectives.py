"""The price of a conversion: the cheapest way to carry it out, and which resources it keeps busy."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from p2smt.collective import Collective, Exchange
from p2smt.cost.network.all_to_all import all_to_all_cost
from p2smt.cost.network.cost import StepCost, Work
from p2smt.cost.network.pattern import Pattern
from p2smt.schedule.cost.hopped import program_costs, send_cost
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.scheduled import Implementation
from p2smt.tensor.conversion import COMMUNICATION, Conversion
from p2smt.tensor.placing import Mesh

MEMORY = "memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """Seconds of one call: `fixed` whatever is sent, the rest in proportion to it.

    `busy` are the seconds that each resource (links by name, the device's memory) is kept busy; `way` says how it is
    carried out.
    """

    way: str
    fixed: float = 0.0
    moving: float = 0.0
    busy: tuple[tuple[str, float], ...] = ()

    @property
    def seconds(self) -> float:
        """All of it."""
        return self.fixed + self.moving


@dataclass(frozen=True, slots=True)
class Along:
    """An axis of a mesh, and its groups of devices."""

    mesh: Mesh
    axis: int
    pattern: Pattern


def price(conversion: Conversion, brought: Sequence[int], along: Along, machine: Machine) -> Price:
    """The cheapest way; `brought` are the bytes of each rank. What sends nothing is free."""
    return min(_ways(conversion, brought, along, machine), key=lambda way: way.seconds)


def program_price(noted: Implementation, brought: Sequence[int], along: Along, machine: Machine) -> Price:
    """An AllReduce by the reduction program that is noted beside it, its steps one behind the other."""
    steps = [_price("", cost) for cost in program_costs(noted, along.mesh, along.axis, brought, machine.cost.system)]
    return Price(
        way=noted.program,
        fixed=sum(step.fixed for step in steps),
        moving=sum(step.moving for step in steps),
        busy=tuple(each for step in steps for each in step.busy),
    )


def _ways(conversion: Conversion, brought: Sequence[int], along: Along, machine: Machine) -> Iterator[Price]:
    """The library's own; a ReduceScatter also by an all-to-all of blocks, which every rank adds up by itself."""
    network, pattern, held = machine.cost.system.network, along.pattern, float(max(brought))
    match COMMUNICATION[type(conversion)]:
        case None:
            yield Price(way="a view")
        case Collective() as collective:
            yield _price(str(collective), machine.cost.work_cost(Work(collective, pattern, held)))
            if collective is Collective.REDUCE_SCATTER:
                size = pattern.group_size
                adding = (held + held / size) / network.memory_bandwidth
                cost = all_to_all_cost(pattern, held, machine.cost.system)
                yield _price("AllToAll and a sum", cost, adding)
        case Exchange.ALL_TO_ALL:
            yield _price("AllToAll", all_to_all_cost(pattern, held, machine.cost.system))
        case Exchange.SEND:
            yield _price("Send", send_cost(along.mesh, along.axis, brought, machine.cost.system))


def _price(way: str, cost: StepCost, adding: float = 0.0) -> Price:
    links = [(load.link.name, load.seconds) for load in cost.loads]
    return Price(
        way=way,
        fixed=cost.fixed_s,
        moving=cost.bytes_s + adding,
        busy=(*links, (MEMORY, cost.memory_s + adding)),
    )
