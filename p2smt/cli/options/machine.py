"""Options for the machine model that prices schedules: a system, the speed of its devices, or measured rates."""

from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import click

from p2smt.cli.options.paths import SYSTEM_TEXT, InputPath
from p2smt.cli.options.shared import backend_options
from p2smt.cli.options.speed import FLOPS, SPEED
from p2smt.cli.options.values import Command, take, with_options
from p2smt.cost.network.backend import Backend, check_backend
from p2smt.errors import ProgramError
from p2smt.problem.quantity import parse_speed
from p2smt.problem.system.text import SYSTEM_FORMS, find_system

if TYPE_CHECKING:
    from p2smt.cli.output.rates import PricedByRates
    from p2smt.schedule.cost.machine import Machine
    from p2smt.tensor.program import Program

RATES = click.option(
    "--rates",
    "rates_file",
    type=InputPath(),
    metavar="FILE",
    help="With --system: what calls and collectives take as measured, in place of models.",
)
_OPTIONS = (
    click.option(
        "--system",
        type=SYSTEM_TEXT,
        metavar="SYSTEM",
        help=f"Without --steps, search schedules for it. {SYSTEM_FORMS}.",
    ),
    click.option("--protocols", is_flag=True, help="Small messages by NCCL's LL and LL128, where those are faster."),
    SPEED,
    FLOPS,
    RATES,
    backend_options,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PricingOptions:
    """The options for pricing schedules; None if an option is not given."""

    system: str | None
    protocols: bool
    speed: str | None
    rates_file: Path | None
    backend: Backend

    def machine(self, program: "Program", ranks: int | None) -> "Machine | None":
        """Return the machine that prices a program on `ranks` ranks; None without a system; raises as `machine_of`."""
        from p2smt.schedule.check import on_ranks
        from p2smt.schedule.cost.protocols import ProtocolCarrier

        machine = machine_of(self.system, self.backend, self.rates_file, self.speed)
        if machine is None or not self.protocols:
            return machine
        return ProtocolCarrier.on(on_ranks(program, ranks).mesh, machine)

    def by_rates(self, machine: "Machine | None") -> "PricedByRates | None":
        """Return the measured rates with their file, for output; None if the machine has no measured rates."""
        from p2smt.cli.output.rates import PricedByRates

        return None if machine is None or self.rates_file is None else PricedByRates(self.rates_file, machine)


def pricing_options(command: Command) -> Command:
    """Add the pricing options to a command, which receives them as one `PricingOptions` argument, `pricing`."""

    @wraps(command)
    def with_pricing(**values: object) -> int:
        return command(pricing=take(PricingOptions, values), **values)

    return with_options(with_pricing, _OPTIONS)


def machine_of(system: str | None, backend: Backend, rates: Path | None, speed: str | None = None) -> "Machine | None":
    """Return the machine that prices schedules; None without a system.

    Raises ProgramError for rates without a system, or rates together with --speed, which only applies to device models.
    Raises ProblemError for an NCCL algorithm that no group of the system can use.
    """
    from p2smt.schedule.cost.machine import Machine
    from p2smt.schedule.cost.rates_file import read_rates

    # Both combinations would silently ignore one of the options.
    if rates is not None and system is None:
        raise ProgramError("--rates are measured times of calls on a system; add --system SYSTEM")
    if rates is not None and speed is not None:
        raise ProgramError("--speed prices computation by a model, --rates by measurements; leave one out")
    if system is None:
        return None
    given, described = None if speed is None else parse_speed(speed), find_system(system)
    check_backend(described, backend)
    return Machine.priced(described, given, backend, None if rates is None else read_rates(rates))
