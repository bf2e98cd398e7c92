"""Prices of conversions, and the interface of alternative implementations of collectives."""

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
    """The time of one call in seconds: `fixed` start-up, and `moving`, which grows with the bytes sent.

    `busy` has the seconds for which each resource (links by name, device memory) is occupied; `way` names the
    implementation. `wire` is a measured link transfer, if rates exist; `moving` is then its time.
    """

    way: str
    fixed: float = 0.0
    moving: float = 0.0
    busy: tuple[tuple[str, float], ...] = ()
    wire: LinkTransfer | None = None

    @property
    def seconds(self) -> float:
        """The total seconds of the call."""
        return self.fixed + self.moving - (0.0 if self.wire is None else self.wire.saved())


class Carrier(Protocol):
    """Offers implementations of collectives besides the library's call, such as synthesised programs."""

    def price(self, collective: Collective, axis: int, held: float) -> Price | None:
        """Return the fastest such implementation; None if there is none.

        `held` is the largest input of a rank in bytes.
        """
        ...


def step_price(way: str, cost: StepCost, adding: float = 0.0) -> Price:
    """Return the price of a modelled step; `adding` is additional memory time in seconds."""
    links = [(load.link.name, load.seconds) for load in cost.loads]
    busy = (*links, (MEMORY, cost.memory_s + adding))
    return Price(way=way, fixed=cost.fixed_s, moving=cost.bytes_s + adding, busy=busy)


def measured_price(
    way: str, cost: StepCost, brought: Sequence[int], receivers: frozenset[int], rates: Rates, ranks: int
) -> Price:
    """Return the price of a step among `ranks` ranks by measured rates; the bytes on links come from the model."""
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
    """Return the ranks that contribute bytes."""
    return frozenset(rank for rank, held in enumerate(brought) if held)


def in_turn(way: str, steps: Sequence[StepCost]) -> Price:
    """Return the price of steps in sequence."""
    prices = [step_price("", cost) for cost in steps]
    return Price(
        way=way,
        fixed=sum(price.fixed for price in prices),
        moving=sum(price.moving for price in prices),
        busy=tuple(each for price in prices for each in price.busy),
    )
