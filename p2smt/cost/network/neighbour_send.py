"""The price of a send: every member of every group sends to the next member at the same time.

A send is one connection with few channels. A link's `send_flow` is the rate it reaches, however fast the port is.
"""

from dataclasses import replace
from typing import assert_never

from p2smt.collective import NeighbourSend
from p2smt.cost.network.cost import PerByte, StepCost
from p2smt.cost.network.levels import pattern_loads, port_shares, sender_shares
from p2smt.cost.network.load import LinkLoad, links_seconds
from p2smt.cost.network.pattern import Pattern
from p2smt.cost.network.traffic import HopShape, RingShape
from p2smt.problem.system.network import System


def neighbour_send_cost(send: NeighbourSend, pattern: Pattern, held: float, system: System) -> StepCost:
    """Return the cost until every member has received the `held` bytes that the previous one sends.

    The links carry one hop of a chain or ring of the members in rank order, in all groups at once. Sends do not wait
    for each other, so the slowest hop's latency counts once. Every device reads what it sends and writes what it
    receives.
    """
    names = [level.name for level in system.levels]
    shared = pattern_loads(pattern, system, _shape(send))
    loads = tuple(_from_own_card(load, pattern, names.index(load.link.level)) for load in shared)
    slowest = max((load.link.latency for load in loads if load.hops), default=0.0)
    network = system.network
    per_byte = PerByte(loads, links_seconds(loads, network), slowest)
    if pattern.group_size == 1:
        return StepCost(per_byte, held, 0.0, 0.0)
    return StepCost(per_byte, held, 1.0, 2 * held / network.memory_bandwidth, network.launch)


def _from_own_card(load: LinkLoad, pattern: Pattern, level: int) -> LinkLoad:
    """Return the load with each group's bytes on one card, the one next to the sending device.

    NCCL's collectives spread a group's bytes over the cards next to all its members; a send does not.
    """
    if load.link.count == 1 or not load.busiest:
        return replace(load, is_send=True)
    together, largest = port_shares(pattern, level, load.link)
    own = sender_shares(pattern, level, load.link) / together
    return replace(
        load,
        incoming=load.incoming * own,
        outgoing=load.outgoing * own,
        busiest=load.busiest * own,
        flow=load.flow / largest,
        is_send=True,
    )


def _shape(send: NeighbourSend) -> RingShape:
    match send:
        case NeighbourSend.NEXT:
            return HopShape.FROM_ROOT
        case NeighbourSend.AROUND:
            return HopShape.CYCLE
        case _:
            assert_never(send)
