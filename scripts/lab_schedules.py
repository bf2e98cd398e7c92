"""What is measured of schedules: programs, hosts with a rank each, the rate of their cards; and how files are run."""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib.resources import files

from p2smt.cost.network.backend import Gloo, cost_of
from p2smt.errors import RunError
from p2smt.problem.system.build import build_system
from p2smt.problem.system.link import Link, Wiring
from p2smt.problem.system.network import Level, Network, System
from p2smt.run.lab.commands import burst_bytes
from p2smt.run.lab.laboratory import Laboratory
from p2smt.run.lab.seats import lab_seats
from p2smt.run.lab.shape import lab_shape
from p2smt.run.local.calls import CallRanks
from p2smt.schedule.check import on_ranks
from p2smt.schedule.cost.machine import Machine
from p2smt.schedule.cost.rates import Rates
from p2smt.schedule.measured import rank_file
from p2smt.tensor.program import Program
from p2smt.tensor.text.parser import parse_program

PAYLOAD = 1e6 / 8 * 1448 / 1514
"""Bytes/s of a card of 1 Mb/s: of a frame of 1514 bytes, TCP carries 1448."""
LOOPBACK = 600e6
"""Bytes/s that ranks of a host send each other together, about."""
LIMIT_S = 240.0
MOST_SLICE_S = 0.01
"""Threads that compute keep a core no longer, where others wait for it."""

P2P = """program p2p
mesh pipe=2, model=16
size N = 1048576
input x : f32[N] on_rank(0, pipe)
y = x * 2
next = Send(y, next, axis=pipe)
z = next * 3
part = Slice(z, 0, axis=model)
output part on_rank(1, pipe)
"""
"""Every rank of a group sends the same to its neighbour, of which each keeps a slice."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A program with some sizes, on hosts with a rank each, or with `per_host`, whose cards have a rate in Mb/s."""

    program: str
    ranks: int
    rate: int
    sizes: tuple[tuple[str, int], ...]
    per_host: int = 1

    def __str__(self) -> str:
        sizes = " ".join(f"{name}={size}" for name, size in self.sizes)
        hosts = f" on {self.ranks // self.per_host} hosts" if self.per_host > 1 else ""
        return f"{self.program} {sizes}, {self.ranks} ranks{hosts}, {self.rate} Mb/s"


def _flat() -> Iterator[Setting]:
    for program, ranks, rate, powers in (
        ("adam", 2, 100, (10, 14, 17, 18, 20)),
        ("adam", 2, 400, (12, 20, 22, 24)),
        ("adam", 4, 100, (12, 18)),
        ("adam", 8, 100, (10, 16)),
        ("adam", 4, 400, (20,)),
        ("lamb", 2, 100, (10, 14, 17, 18, 20)),
        ("lamb", 4, 100, (18,)),
        ("lamb", 8, 100, (14,)),
        ("adam", 3, 400, (18,)),
        ("adam", 5, 100, (12, 16)),
        ("adam", 6, 400, (20,)),
        ("adam", 7, 400, (14, 18)),
        ("lamb", 3, 400, (20,)),
        ("lamb", 6, 100, (16,)),
        ("lamb", 4, 400, (22,)),
        ("lamb", 8, 400, (20,)),
    ):
        yield from (Setting(program, ranks, rate, (("N", 2**power),)) for power in powers)


def _tails() -> Iterator[Setting]:
    large = (128, 2048)
    for ranks, rate, shapes in (
        (2, 200, ((64, 1024), large)),
        (4, 200, (large,)),
        (2, 100, (large,)),
        (2, 400, (large,)),
    ):
        for rows, hidden in shapes:
            yield Setting("attention_tail", ranks, rate, (("B", 1), ("S", rows), ("H", hidden)))
    for ranks, rate, lengths in ((2, 200, (64, 256)), (4, 200, (256,)), (2, 100, (256,)), (2, 400, (256,))):
        for rows in lengths:
            yield Setting("mlp_tail", ranks, rate, (("B", 1), ("S", rows), ("H", 512), ("F", 8192)))


def _pipelines() -> Iterator[Setting]:
    for ranks, rate, rows, length in ((4, 100, 64, 2**16), (8, 100, 64, 2**16), (4, 400, 256, 2**19)):
        yield Setting("pipeline", ranks, rate, (("B", 1), ("S", rows), ("H", 512)))
        yield Setting("p2p", ranks, rate, (("N", length),))


SETTINGS = (*_flat(), *_tails(), *_pipelines())
HIERARCHIES = tuple(
    Setting("adam", ranks, 100, (("N", 2**power),), per_host)
    for ranks, per_host in ((4, 2), (8, 4))
    for power in (16, 18, 20)
)
"""Hosts with several ranks each, where sums may go level by level."""


def program_of(setting: Setting) -> Program:
    """The packaged program with the setting's sizes and ranks; numbers of 16 bits are of 32, which CPUs have."""
    if setting.program == "p2p":
        text = P2P
    else:
        folders = (files("p2smt.schedule") / "examples", files("p2smt.tensor") / "examples")
        path = next(each / f"{setting.program}.tp" for each in folders if (each / f"{setting.program}.tp").is_file())
        text = path.read_text(encoding="utf-8").replace("f16[", "f32[")
    for name, size in setting.sizes:
        text, changed = re.subn(rf"\b{name} = \d+", f"{name} = {size}", text, count=1)
        assert changed, f"{setting.program} has no size {name}"
    text = text.replace("model=16", f"model={setting.ranks // 2}")
    program = parse_program(text)
    return program if len(program.mesh) > 1 else on_ranks(program, setting.ranks)


def system_of(ranks: int, rate: int, share: float = 1e6 / 8, per_host: int = 1) -> System:
    """Hosts with so many ranks each; `share` is what a card of 1 Mb/s carries in a second."""
    card = Link(name="card", level="host", wiring=Wiring.PORT, bandwidth=rate * share, latency=0.0)
    inside = Link(name="loopback", level="rank", wiring=Wiring.BUS, bandwidth=LOOPBACK, latency=0.0)
    links = (card, inside) if per_host > 1 else (card,)
    network = Network(links, memory_bandwidth=1e12, machine="host")
    levels = [Level("host", ranks // per_host), *([Level("rank", per_host)] if per_host > 1 else [])]
    return build_system(System(tuple(levels), network, "lab", "network namespaces with shaped cards"))


def machine_of(ranks: int, rate: int, rates: Rates | None, per_host: int = 1) -> Machine:
    """What prices schedules there."""
    own = None if rates is None else replace(rates, burst=burst(rate))
    return Machine(cost_of(system_of(ranks, rate, PAYLOAD, per_host), Gloo()), backend=Gloo(), rates=own)


def burst(rate: int) -> float:
    """The bytes that a card of this rate passes at once when it was idle."""
    return float(burst_bytes(rate * 1e6 / 8))


@contextmanager
def lab_of(ranks: int, rate: int, per_host: int = 1) -> Iterator[Laboratory]:
    """Such hosts, for as long as the with statement lasts. RunError where threads keep a core for long."""
    _check_slices()
    with Laboratory(lab_shape(system_of(ranks, rate, per_host=per_host))) as laboratory:
        yield laboratory


def _check_slices() -> None:
    """Of real-time priority ranks would compute one after the other, and gloo's threads wait for them to end."""
    seconds = os.sched_rr_get_interval(0)
    if seconds > MOST_SLICE_S:
        raise RunError(
            f"threads of this priority keep a core for {seconds * 1e3:.0f} ms while others wait; measured so, ranks "
            "that share cores compute one after the other; shorten it: sysctl kernel.sched_rr_timeslice_ms=1"
        )


def runs_of(laboratory: Laboratory, runs: Sequence[tuple[str, bool]], repeats: int) -> list[list[float]]:
    """Seconds of the slowest rank in every repeat of every file, or of the program as it was; they take turns."""
    with CallRanks(list(lab_seats(laboratory)), timeout_s=LIMIT_S) as running:
        paths = []
        for number, (text, as_scheduled) in enumerate(runs):
            path = running.folder / f"file{number}.py"
            path.write_text(text, encoding="utf-8")
            paths.append((str(path), as_scheduled))
        times = running.call(rank_file(), "seconds", paths, repeats, timeout_s=LIMIT_S)
    return [list(map(max, zip(*each, strict=True))) for each in zip(*times, strict=True)]
