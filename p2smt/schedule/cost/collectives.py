"""Price of a conversion: its cheapest implementation, and the resources it occupies."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from p2smt.collective import Collective, Exchange
from p2smt.cost.bursts import has_bursts
from p2smt.cost.network.all_to_all import all_to_all_cost
from p2smt.cost.network.backend import Gloo
from p2smt.cost.network.cost import StepCost, Work
from p2smt.schedule.cost.along import AxisDevices
from p2smt.schedule.cost.hopped import permuted, program_costs, send_cost
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.cost.price import Price, bringing, in_turn, measured_price, step_price
from p2smt.schedule.cost.program_steps import program_steps
from p2smt.schedule.cost.rates import ELEMENTWISE, Rates
from p2smt.schedule.scheduled import Implementation
from p2smt.tensor.conversion import COMMUNICATION, Conversion

SUMMED, COPIED = "AllToAll and a sum", "AllToAll of copies"
"""The exchanges that can replace a ReduceScatter and an AllGather."""


def price(conversion: Conversion, brought: Sequence[int], along: AxisDevices, machine: Machine) -> Price:
    """Return the price of the cheapest implementation.

    `brought` has the input bytes of each rank. Conversions without communication are free.
    """
    return min(_ways(conversion, brought, along, machine), key=lambda way: way.seconds)


def program_price(noted: Implementation, brought: Sequence[int], along: AxisDevices, machine: Machine) -> Price:
    """Return the price of a collective implemented by a reduction program, whose steps run in sequence."""
    if machine.rates is not None:
        return _program_by_rates(noted, brought, along, machine, machine.rates)
    return in_turn(noted.program, list(program_costs(noted, along, brought, machine.cost.system)))


def _program_by_rates(
    noted: Implementation, brought: Sequence[int], along: AxisDevices, machine: Machine, rates: Rates
) -> Price:
    """Price each step by the measured rates of its collective, for groups of that size, as in emitted files."""
    moved = permuted(noted, brought)
    prices = [Price(way="", fixed=sum(rates.call(ELEMENTWISE, 2 * moved)))] if moved else []
    for collective, pattern, share in program_steps(noted, along.pattern):
        given = [round(share * each) for each in brought]
        if collective is Collective.REDUCE_SCATTER and isinstance(machine.backend, Gloo):  # only: gloo has all others
            way, cost = SUMMED, all_to_all_cost(pattern, float(max(given)), machine.cost.system)
        else:
            way, cost = str(collective), machine.cost.work_cost(Work(collective, pattern, float(max(given))))
        own, receivers = _with_own_burst(rates, cost, machine), along.together_with(bringing(given))
        prices.append(measured_price(way, cost, given, receivers, own, pattern.group_size))
    return Price(
        way=noted.program,
        fixed=sum(each.fixed for each in prices),
        moving=sum(each.seconds - each.fixed for each in prices),
        busy=tuple(busy for each in prices for busy in each.busy),
    )


def _ways(conversion: Conversion, brought: Sequence[int], along: AxisDevices, machine: Machine) -> Iterator[Price]:
    """Yield the implementations: the library's call, the carrier's, and exchanges."""
    pattern, held = along.pattern, float(max(brought))
    match COMMUNICATION[type(conversion)]:
        case None:
            yield Price(way="a view")
        case Collective() as collective:
            carried = machine.cost.work_cost(Work(collective, pattern, held))
            yield _priced(str(collective), carried, along, brought, machine)
            other = None if machine.carrier is None else machine.carrier.price(collective, along.axis, held)
            if other is not None:
                yield other
            yield from _exchanged(collective, held, along, brought, machine)
        case Exchange.ALL_TO_ALL:
            yield _priced("AllToAll", all_to_all_cost(pattern, held, machine.cost.system), along, brought, machine)
        case Exchange.SEND:
            cost = send_cost(along, brought, machine.cost.system)
            yield _priced("Send", cost, along, brought, machine, to_next=True)


def _exchanged(
    collective: Collective, held: float, along: AxisDevices, brought: Sequence[int], machine: Machine
) -> Iterator[Price]:
    """Yield implementations by an all-to-all: of blocks that every rank sums itself, or of copies.

    Copies move the same bytes as the library's AllGather, so they are offered only if they were measured.
    """
    match collective:
        case Collective.REDUCE_SCATTER:
            # Read everything that came, write the sum, which is one block.
            adding = (held + held / along.pattern.group_size) / machine.cost.system.network.memory_bandwidth
            cost = all_to_all_cost(along.pattern, held, machine.cost.system)
            yield _priced(SUMMED, cost, along, brought, machine, adding)
        case Collective.ALL_GATHER if machine.rates is not None and COPIED in machine.rates.ways:
            cost = all_to_all_cost(along.pattern, held * along.pattern.group_size, machine.cost.system)
            yield _priced(COPIED, cost, along, brought, machine)
        case Collective.ALL_GATHER | Collective.ALL_REDUCE | Collective.REDUCE | Collective.BROADCAST:
            pass


def _priced(
    way: str,
    cost: StepCost,
    along: AxisDevices,
    brought: Sequence[int],
    machine: Machine,
    adding: float = 0.0,
    *,
    to_next: bool = False,
) -> Price:
    """Price a call by the machine's measured rates if it has them, else by the cost model; rates include `adding`.

    Receivers are the successors along the axis, or the whole group.
    """
    if machine.rates is None or along.size == 1:
        return step_price(way, cost, adding)
    senders = bringing(brought)
    receivers = along.sent_to(senders) if to_next else along.together_with(senders)
    rates = _with_own_burst(machine.rates, cost, machine)
    return measured_price(way, cost, brought, receivers, rates, along.size)


def _with_own_burst(rates: Rates, cost: StepCost, machine: Machine) -> Rates:
    """Return the rates with the burst of the slowest link, if the system declares bursts."""
    if not cost.loads or not has_bursts(machine.cost.system.network):
        return rates
    slowest = min((load.link for load in cost.loads), key=lambda link: link.bandwidth)
    return replace(rates, burst=float(slowest.burst))
