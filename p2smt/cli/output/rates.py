"""Text and JSON output about the measured rates that priced schedules."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from p2smt.cli.output.document import Document
from p2smt.cli.output.prose import labelled
from p2smt.problem.quantity import format_decimal
from p2smt.problem.system.link import Link
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.cost.rates import Rates

NEAR = 2.0
"""Two bandwidths are near each other if their ratio is at most this."""


@dataclass(frozen=True, slots=True)
class PricedByRates:
    """A file of measured rates, and the machine that uses those for its number of ranks."""

    path: Path
    machine: Machine

    @property
    def rates(self) -> Rates:
        """Return the rates for the machine's number of ranks."""
        assert self.machine.rates is not None
        return self.machine.rates

    def far(self) -> Iterator[Link]:
        """Yield the links in use whose bandwidth is far from all measured ones; none if the file has no bandwidths."""
        known, system = self.rates.bandwidths, self.machine.cost.system
        joining = {level.name for level in system.levels if level.size > 1} if known else set()
        for link in system.network.links:
            if link.level in joining and not known[0] / NEAR <= link.bandwidth <= known[-1] * NEAR:
                yield link


def rates_text(priced: PricedByRates) -> str:
    """Return a line with the file, the number of ranks, and the links whose bandwidth is far from all measured ones."""
    return "\n".join(labelled("", _said(priced))) + "\n"


def _said(priced: PricedByRates) -> str:
    rates = priced.rates
    said = f"prices are by the rates of {priced.path}, measured on {rates.ranks} ranks"
    far = ", ".join(f"{link.name} with {format_decimal(link.bandwidth)}B/s" for link in priced.far())
    if not far:
        return said
    measured = " and ".join(f"{format_decimal(bandwidth)}B/s" for bandwidth in rates.bandwidths)
    return f"{said} with links of {measured}; taken to be like these, though far from them: {far}"


def rates_document(priced: PricedByRates) -> Document:
    """Return the same content as a document."""
    return {
        "file": str(priced.path),
        "ranks": priced.rates.ranks,
        "bandwidths": list(priced.rates.bandwidths),
        "far_links": [link.name for link in priced.far()],
    }
