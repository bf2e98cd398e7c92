"""Prices of conversions, and implementations of collectives other than the library's."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from p2smt.collective import Collective
from p2smt.cost.network.cost import StepCost
from p2smt.schedule.cost.rates import LinkTransfer, Rates, least_factor

COMPUTATION = "computation"
MEMORY = "memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """Seconds of one call: `fixed` whatever is sent, the rest in proportion to it.

    `busy` are the seconds that each resource (links by name, the device's memory) is kept busy; `way` says how it is
    carried out. `wire` is what was measured of its links, if anything was; then `moving` is what they take.
    """

    way: str
    fixed: float = 0.0
    moving: float = 0.0
    busy: tuple[tuple[str, float], ...] = ()
    wire: LinkTransfer | None = None

    @property
    def seconds(self) -> float:
        """All seconds of the call."""
        return self.fixed + self.moving - (0.0 if self.wire is None else self.wire.saved())


class Carrier(Protocol):
    """Carries collectives by other ways than the library's own call, such as programs that are found for them."""

    def price(self, collective: Collective, axis: int, held: float) -> Price | None:
        """The fastest way, where `held` are the bytes that the rank brings that brings most; None if there is none."""
        ...


def step_price(way: str, cost: StepCost, adding: float = 0.0) -> Price:
    """The price of a step; `adding` are seconds that the device's memory is busy with besides."""
    links = [(load.link.name, load.seconds) for load in cost.loads]
    busy = (*links, (MEMORY, cost.memory_s + adding))
    return Price(way=way, fixed=cost.fixed_s, moving=cost.bytes_s + adding, busy=busy)


def measured_price(
    way: str, cost: StepCost, brought: Sequence[int], receivers: frozenset[int], rates: Rates, ranks: int
) -> Price:
    """The price of a step among so many ranks by the rates of its implementation; the links' bytes are the model's."""
    # A transfer is bound by the slowest link on its way.
    slowest = min((load.link.bandwidth for load in cost.loads), default=1.0)
    carrying = rates.way(way, ranks)
    senders = bringing(brought)
    wire = LinkTransfer(cost.links_s, senders, receivers, float(max(brought)), slowest, carrying, rates.burst / slowest)
    # Resources count at the best rate measured, so that a lower bound made of them stays one.
    share = min(map(least_factor, (carrying.cards, rates.cards)))
    some = "" if len(senders) == len(brought) else f" of ranks {', '.join(map(str, sorted(senders)))}"
    links = tuple((load.link.name + some, load.seconds * share) for load in cost.loads)
    return Price(way=way, fixed=carrying.begin, moving=wire.moving(), busy=links, wire=wire)


def bringing(brought: Sequence[int]) -> frozenset[int]:
    """The ranks that bring bytes."""
    return frozenset(rank for rank, held in enumerate(brought) if held)


def in_turn(way: str, steps: Sequence[StepCost]) -> Price:
    """The price of a sequence of steps."""
    prices = [step_price("", cost) for cost in steps]
    return Price(
        way=way,
        fixed=sum(price.fixed for price in prices),
        moving=sum(price.moving for price in prices),
        busy=tuple(each for price in prices for each in price.busy),
    )
