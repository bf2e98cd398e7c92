"""Rates of a laboratory's ranks: calls of torch and collectives, each measured by itself in emitted programs.

What schedules are predicted by is measured on none of them: a probe is a program of one operation, once and several
times, so that what a step takes by itself can be told from what a call takes.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import mean, median

from lab_schedules import PAYLOAD, burst, lab_of, machine_of, runs_of

from p2smt.schedule.check import check_schedule
from p2smt.schedule.cost.estimate import Pricer
from p2smt.schedule.cost.rates import ELEMENTWISE, Carrying, Curve, Rates, RatesByRanks
from p2smt.schedule.emission.source import emit_schedule
from p2smt.schedule.text.parser import parse_schedule
from p2smt.tensor.text.parser import parse_program

LENGTHS = tuple(2**power for power in (8, 10, 12, 14, 16, 18, 20, 22))
RATES = (100, 400)
"""Mb/s of the cards that collectives are measured on."""
COUNT, CHAIN = 4, 9
MOST_S = 0.7
COLLECTIVES = {
    "AllReduce": ("partial(+)", "AllReduce({x})"),
    "AllToAll and a sum": ("partial(+)", "ReduceScatter({x}, 0)"),
    "ReduceScatter": ("partial(+)", "ReduceScatter({x}, 0)"),
    "AllGather": ("sliced(0)", "AllGather({x}, 0)"),
    "Reduce": ("partial(+)", "Reduce({x}, 0)"),
    "Broadcast": ("on_rank(0)", "Broadcast({x}, 0)"),
    "AllToAll": ("sliced(0)", "AllToAll({x}, 0, 1)"),
    "Send": ("on_rank(0)", "Send({x}, next)"),
}
OTHERS = {"dropout": ("dropout(x, 0.1, seed=7)", 8.0), "sum": ("sum(x)", 4.0)}
"""Calls with a curve of their own, and the bytes that they read and write for each element."""
_BEHIND = "{whole} = AllGather({y}, 0)\n{x} = x0 * {whole}"
CHAINED = {"AllReduce": "{x} = x0 * {y}", "AllGather": "{x} = Slice({y}, 0)", "ReduceScatter": _BEHIND,
           "AllToAll and a sum": _BEHIND}  # fmt: skip
"""What makes of a result what the next call is given."""
TURN, TURNS = "turn", 16
MATRICES = ((32, 32, 32), (64, 64, 64), (64, 256, 256), (128, 512, 256), (256, 512, 512), (512, 1024, 512))


@dataclass(frozen=True, slots=True)
class Probe:
    """A program with `count` calls; `size` is that of a call, in elements, or of a matmul in operations on numbers."""

    name: str
    count: int
    size: int
    text: str
    steps: str = ""

    @property
    def run(self) -> tuple[str, bool]:
        """The emitted file, and whether its schedule is run; the program as it was has the library's ReduceScatter."""
        checked = check_schedule(parse_program(self.text), parse_schedule(self.steps))
        return emit_schedule(checked), self.name != "ReduceScatter"


def collectives(ranks: int, rate: int) -> Iterator[Probe]:
    """Every implementation, over lengths that the cards carry in time; short ones also several times in a chain."""
    for length in LENGTHS:
        if length * 4 * 2 / (rate * PAYLOAD) > MOST_S:
            continue
        for name, (layout, call) in COLLECTIVES.items():
            shape = f"{length // 16}, 16" if name == "AllToAll" else f"{length}"
            for count in (1, COUNT) if length <= LENGTHS[1] else (1,):
                lines = [f"program probe\nmesh rank={ranks}", *_chain(name, layout, call, shape, count)]
                yield Probe(name, count, length, "\n".join(lines) + "\n")
    for chunks in (2, TURNS):
        text = (
            f"program probe\nmesh rank={ranks}\ninput x : f32[1024] partial(+)\nz = x * 2\ny = AllReduce(z)\noutput y\n"
        )
        yield Probe(TURN, chunks, 1024, text, f"overlap z, y chunks {chunks} dim 0\n")


def _chain(name: str, layout: str, call: str, shape: str, count: int) -> Iterator[str]:
    """Lines in which each call waits for the one before, where the layouts permit it; others begin one by one."""
    if name not in CHAINED:
        yield from (f"input x{number} : f32[{shape}] {layout}" for number in range(count))
        yield from (f"y{number} = {call.format(x=f'x{number}')}\noutput y{number}" for number in range(count))
        return
    yield f"input x0 : f32[{shape}] {layout}"
    for number in range(count):
        yield f"y{number} = {call.format(x=f'x{number}')}"
        if number < count - 1:
            yield CHAINED[name].format(y=f"y{number}", x=f"x{number + 1}", whole=f"w{number}")
    yield f"output y{count - 1}"


def computations(ranks: int) -> Iterator[Probe]:
    """Products of elements, what has a curve of its own, and matrix products; every rank has everything."""
    head = f"program probe\nmesh rank={ranks}\n"
    for length in LENGTHS:
        for count in (1, CHAIN):
            lines = ["y0 = x * x", *(f"y{number} = y{number - 1} * x" for number in range(1, count))]
            text = f"input x : f32[{length}]\n" + "\n".join(lines) + f"\noutput y{count - 1}\n"
            yield Probe(ELEMENTWISE, count, length, head + text)
        for name, (call, _) in OTHERS.items():
            yield Probe(name, 1, length, f"{head}input x : f32[{length}]\ny = {call}\noutput y\n")
    for rows, inner, columns in MATRICES:
        text = f"input x : f32[{rows}, {inner}]\ninput w : f32[{inner}, {columns}]\ny = matmul(x, w)\noutput y\n"
        yield Probe("matmul", 1, 2 * rows * inner * columns, head + text)


@dataclass(frozen=True, slots=True)
class Probed:
    """What a probe took: the median over repeats of the slowest rank, on hosts with a rank each."""

    ranks: int
    rate: int
    name: str
    count: int
    size: int
    seconds: float


def probed(ranks: int) -> Iterator[Probed]:
    """Every probe on so many ranks, one after the other in each laboratory."""
    for rate in RATES:
        probes = [*collectives(ranks, rate), *(computations(ranks) if rate == RATES[-1] else ())]
        with lab_of(ranks, rate) as laboratory:
            slowest = runs_of(laboratory, [probe.run for probe in probes], repeats=8)
        for each, times in zip(probes, slowest, strict=True):
            yield Probed(ranks, rate, each.name, each.count, each.size, float(f"{median(times):.6g}"))


def rates_of(rows: Sequence[Probed]) -> RatesByRanks:
    """What explains all rows."""
    by_ranks: dict[int, list[Probed]] = defaultdict(list)
    for row in rows:
        by_ranks[row.ranks].append(row)
    return RatesByRanks(tuple(fitted(ranks, of) for ranks, of in sorted(by_ranks.items())))


def fitted(ranks: int, rows: Sequence[Probed]) -> Rates:
    """Rates that explain it: start-ups from one call beside several, the rest from calls of all sizes."""
    begins, waits = _begins(rows)
    for name in ("ReduceScatter", "AllToAll and a sum"):
        begins[name] = max(1e-6, begins[name] - begins["AllGather"])
    step, calls = median(waits), _calls(rows)
    ways = {
        name: _carrying(ranks, begins[name], step, [row for row in rows if row.name == name and row.count == 1])
        for name in COLLECTIVES
    }
    turns = [_of_turn(rows, rate) for rate in RATES]
    turn = max(0.0, median(turns) - begins["AllReduce"] - calls[ELEMENTWISE].begin)
    return Rates(ranks=ranks, step=step, turn=turn, burst=burst(RATES[-1]), calls=calls, ways=ways)


def _of_turn(rows: Sequence[Probed], rate: int) -> float:
    """Seconds that each chunk more takes in a loop."""
    few, many = sorted((row.count, row.seconds) for row in rows if (row.name, row.rate) == (TURN, rate))
    return (many[1] - few[1]) / (many[0] - few[0])


def _begins(rows: Sequence[Probed]) -> tuple[dict[str, float], list[float]]:
    """The start-up of every implementation, with what is behind it in a chain, and what steps take beside it."""
    once = {(row.rate, row.name, row.size): row.seconds for row in rows if row.count == 1}
    begins: dict[str, list[float]] = defaultdict(list)
    waits = []
    for row in rows:
        if row.name in COLLECTIVES and row.count == COUNT:
            alone = once[row.rate, row.name, row.size]
            begins[row.name].append((row.seconds - alone) / (COUNT - 1))
            if CHAINED.get(row.name) != _BEHIND:
                waits.append(max(0.0, alone - begins[row.name][-1]))
    return {name: max(1e-6, median(each)) for name, each in begins.items()}, waits


def _carrying(ranks: int, begin: float, step: float, rows: Sequence[Probed]) -> Carrying:
    """`wire` from the calls that take much longer on links than to begin, and than what cards pass at once."""
    factors: dict[float, list[float]] = defaultdict(list)
    for row in rows:
        busy, brought = sent(row.name, ranks, row.rate, row.size)
        most = burst(row.rate) / (row.rate * PAYLOAD)
        if busy > 2 * max(begin, most):
            factors[brought].append((row.seconds - step - begin + min(begin, most)) / busy)
    if not factors:
        return Carrying(begin=begin)
    return Carrying(begin=begin, wire=tuple((brought, mean(each)) for brought, each in sorted(factors.items())))


def sent(name: str, ranks: int, rate: int, size: int) -> tuple[float, float]:
    """Seconds that the busiest card sends by its bandwidth, and the bytes that a rank brings."""
    as_if = "AllReduce" if name == "ReduceScatter" else name
    text = next(each.text for each in collectives(ranks, rate) if (each.name, each.size) == (as_if, size))
    pricer = Pricer(check_schedule(parse_program(text), ()).scheduled, machine_of(ranks, rate, None))
    return pricer.stage(("y0",)).busy["card"], float(max(pricer.brought("y0")[0]))


def _calls(rows: Sequence[Probed]) -> dict[str, Curve]:
    points: dict[str, list[tuple[float, float]]] = defaultdict(list)
    once = {row.size: row.seconds for row in rows if row.name == ELEMENTWISE and row.count == 1}
    for row in rows:
        if row.name == ELEMENTWISE and row.count == CHAIN:
            points[row.name].append((12.0 * row.size, (row.seconds - once[row.size]) / (CHAIN - 1)))
        elif row.name == "matmul":
            points[row.name].append((float(row.size), row.seconds))
        elif row.name in OTHERS:
            points[row.name].append((OTHERS[row.name][1] * row.size, row.seconds))
    return {name: Curve(tuple(_ascending(sorted(each)))) for name, each in points.items()}


def _ascending(points: list[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Larger calls take no less: noise is levelled by what the next larger one takes."""
    least = float("inf")
    kept = []
    for size, seconds in reversed(points):
        least = min(least, seconds)
        kept.append((size, max(1e-7, least)))
    yield from reversed(kept)
