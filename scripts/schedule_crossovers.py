"""Which packaged schedule is fastest at which size, by prediction, and by what it wins: start-ups, moving, hiding.

    .venv/bin/python scripts/schedule_crossovers.py --system p2-v100:16x16

A row begins where another schedule becomes the fastest; powers of two of elements are compared. Below it stands what
the next best takes against it: start-ups, what is in proportion to sizes, and what is hidden. `--protocols` lets NCCL's
LL and LL128 carry small messages, `--rooflines` prices computing by the device's model. `--paper` prints where AR-Opt
stops winning on 256 V100 under several assumptions, beside what CoCoNet's paper reports: kept in
scripts/results/schedule_crossovers.md, with reasons.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from p2smt.cost.network.backend import backend_named
from p2smt.errors import P2Error
from p2smt.problem.quantity import format_seconds, parse_speed
from p2smt.problem.system.text import find_system
from p2smt.schedule.check import RANKS_AXIS, check_schedule, on_ranks, read_schedule
from p2smt.schedule.cost.estimate import estimate
from p2smt.schedule.cost.knobs import Length, turned
from p2smt.schedule.cost.machine import DEFAULT_FLOPS, Machine
from p2smt.schedule.cost.protocols import ProtocolCarrier
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.tensor.expression import ProgramAxis
from p2smt.tensor.text.file import read_program

ROOT = Path(__file__).resolve().parents[1] / "p2smt"
EXAMPLES = ROOT / "schedule" / "examples"
PROGRAMS = {
    "adam": (ROOT / "tensor" / "examples" / "adam.tp", ("ar_opt", "rs_opt_ag", "fused", "overlapped")),
    "lamb": (EXAMPLES / "lamb.tp", ("ar_opt", "rs_opt_ag", "fused")),
    "sgd": (EXAMPLES / "sgd.tp", ("fused",)),
}
POWERS = range(8, 31)
DGX_2 = str(Path(__file__).resolve().parent / "dgx-2.toml")
V100_FLOPS = 1.25e13
ASSUMED_OF = (
    ("p2-v100:16x16", "auto", False),
    (DGX_2, "auto", False),
    (DGX_2, "auto", True),
    (DGX_2, "ring", False),
    (DGX_2, "ring", True),
)


@dataclass(frozen=True, slots=True)
class Row:
    """From a size on the fastest schedule, its time there, and what the next best takes more, part by part."""

    elements: int
    fastest: str
    seconds: float
    next_best: str
    start_ups: float
    moving: float
    hidden: float


def rows(name: str, machine: Machine, ranks: int) -> list[Row]:
    """A row for every change of the fastest."""
    path, names = PROGRAMS[name]
    program = on_ranks(read_program(path), ranks)
    length = dict(program.sizes)["N"]
    schedules = {"as it is": ScheduledProgram(program)}
    for each in names:
        schedules[each] = check_schedule(program, read_schedule(EXAMPLES / f"{name}_{each}.steps")).scheduled
    found: list[Row] = []
    for power in POWERS:
        factor = 2**power / length
        prices = {
            each: estimate(*turned(Length(("N",), length), factor, scheduled, machine))
            for each, scheduled in schedules.items()
        }
        first, second = sorted(prices, key=lambda each: prices[each].seconds)[:2]
        if not found or found[-1].fastest != first:
            more = [new - old for new, old in zip(prices[second].parts, prices[first].parts, strict=True)]
            found.append(Row(2**power, first, prices[first].seconds, second, *more))
    return found


@dataclass(frozen=True, slots=True)
class Assumed:
    """What is taken of the 256 V100: a system file or name, what carries AllReduces, and which protocols there are."""

    system: str
    backend: str
    protocols: bool

    def machine(self) -> Machine:
        """What prices schedules then."""
        plain = Machine.of(find_system(self.system), V100_FLOPS, backend_named(self.backend))
        return ProtocolCarrier.on((ProgramAxis(RANKS_AXIS, 256),), plain) if self.protocols else plain

    def __str__(self) -> str:
        where = "DGX-2" if self.system == DGX_2 else self.system
        carried = "trees or rings" if self.backend == "auto" else "rings"
        return f"{where}, {carried}, {'LL, LL128, Simple' if self.protocols else 'Simple'}"


def paper_table() -> Iterator[str]:
    """Lines of markdown: the largest power of two up to which AR-Opt wins, what wins from the next one on."""
    yield "| optimizer | assumed | AR-Opt wins up to | from the next on |"
    yield "|---|---|---|---|"
    for name in ("adam", "lamb"):
        yield f"| {name} | CoCoNet's paper, measured | 2^16 | fused |"
        for assumed in (Assumed(*each) for each in ASSUMED_OF):
            found = rows(name, assumed.machine(), 256)
            won = next((row for row in found if row.fastest != "ar_opt"), None)
            if won is None:
                yield f"| {name} | {assumed} | 2^{POWERS[-1]} | |"
                continue
            last = "nowhere" if won.elements == 2 ** POWERS[0] else f"2^{won.elements.bit_length() - 2}"
            yield f"| {name} | {assumed} | {last} | {won.fastest} |"


def _signed(seconds: float) -> str:
    return f"{'-' if seconds < 0 else '+'}{format_seconds(abs(seconds))}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", nargs="*", help=f"of {', '.join(PROGRAMS)} [all]")
    parser.add_argument("--system", default="dgx-h100:2x8")
    parser.add_argument("--backend", default="auto", help="auto, ring, tree or gloo [auto]")
    parser.add_argument("--speed", type=parse_speed, default=DEFAULT_FLOPS)
    parser.add_argument("--rooflines", action="store_true", help="price computing by the device's model")
    parser.add_argument("--protocols", action="store_true", help="small messages by NCCL's LL and LL128")
    parser.add_argument("--paper", action="store_true", help="the table beside the paper's")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if given.paper:
        print("\n".join(paper_table()))
        return 0
    unknown = [name for name in given.programs if name not in PROGRAMS]
    if unknown:
        parser.error(f"{unknown[0]} is none of {', '.join(PROGRAMS)}")
    try:
        system, backend = find_system(given.system), backend_named(given.backend)
        machine = Machine.of(system, given.speed, backend)
        if given.rooflines:
            machine = Machine.priced(system, None, backend)
        if given.protocols:
            machine = ProtocolCarrier.on((ProgramAxis(RANKS_AXIS, machine.cost.system.devices),), machine)
        found = {name: rows(name, machine, machine.cost.system.devices) for name in given.programs or PROGRAMS}
    except P2Error as error:
        print(f"schedule_crossovers: {error}", file=sys.stderr)
        return 2
    if given.json:
        documents = {
            name: [{field: getattr(row, field) for field in Row.__slots__} for row in theirs]
            for name, theirs in found.items()
        }
        print(json.dumps(documents, indent=2))
        return 0
    for name, theirs in found.items():
        for row in theirs:
            parts = f"start-ups {_signed(row.start_ups)}, moving {_signed(row.moving)}, hidden {_signed(row.hidden)}"
            print(f"{name:5} from {row.elements:>10}: {row.fastest}, {format_seconds(row.seconds)}")
            print(f"      {row.next_best} takes {parts}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
