"""Rates of a laboratory's ranks: calls of torch and collectives, each measured by itself in emitted programs.

What schedules are predicted by is measured on none of them: a probe is a program of one operation, once or several
times, or a loop over few chunks and many, so that what each chunk takes can be told.
"""

import os
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from operator import mul
from statistics import mean, median

from lab_schedules import PAYLOAD, burst, lab_of, machine_of, runs_of

from p2smt.schedule.check import check_schedule
from p2smt.schedule.cost.collectives import COPIED, SUMMED
from p2smt.schedule.cost.estimate import estimate
from p2smt.schedule.cost.pricer import Pricer
from p2smt.schedule.cost.rates import ELEMENTWISE, OPERANDS, Card, CollectiveRates, Curve, Rates, RatesByRanks
from p2smt.schedule.emission.exchanges import GATHER, exchanges
from p2smt.schedule.emission.source import emit_schedule
from p2smt.schedule.scheduled import ScheduledProgram
from p2smt.schedule.text.parser import parse_schedule
from p2smt.tensor.text.parser import parse_program

LENGTHS = tuple(2**power for power in (8, 10, 12, 14, 16, 18, 20, 22))
RATES = (100, 400)
"""Mb/s of the cards that collectives are measured on."""
CHAINS = ((2**12, 513), (2**14, 257), (2**16, 65), (2**18, 17), (2**22, 5))
"""Up to so many elements, the lines in a chain; each has CALLS, which read and write BYTES of an element.

Where ranks outnumber cores, calls take what they do while all ranks compute, as in loops: a chain, or calls one after
the other, are much longer than a thread keeps a core. A short call is over before another rank's began.
"""
CALLS, BYTES = 4, 40.0
MOST_S = 0.7
COLLECTIVES = {
    "AllReduce": ("partial(+)", "AllReduce({x})"),
    SUMMED: ("partial(+)", "ReduceScatter({x}, 0)"),
    "ReduceScatter": ("partial(+)", "ReduceScatter({x}, 0)"),
    "AllGather": ("sliced(0)", "AllGather({x}, 0)"),
    COPIED: ("sliced(0)", "AllGather({x}, 0)"),
    "Reduce": ("partial(+)", "Reduce({x}, 0)"),
    "Broadcast": ("on_rank(0)", "Broadcast({x}, 0)"),
    "AllToAll": ("sliced(0)", "AllToAll({x}, 0, 1)"),
    "Send": ("on_rank(0)", "Send({x}, next)"),
}
OTHERS = {"dropout": ("dropout(x, 0.1, seed={number})", 8.0), "sum": ("sum(x)", 4.0)}
"""Calls with a curve of their own, and the bytes that they read and write for each element."""
TIMES = ((2**14, 128), (2**16, 32), (2**18, 8), (2**20, 2), (2**22, 1))
"""Up to so many elements, how often these are called."""
SMALL = 2**10
"""The elements of calls that begin more than they send."""
TURN, TURNS = " in turn", (2, 16)
TWICE = " twice"
PARTS, MORE = "parts", 9
BESIDE, CHUNKS = "collectives beside each other", 8
BOTH, BOTH_CHUNKS = "computing and sending in turn", (8, 16)
GATHERING = (COPIED, COPIED + TURN, COPIED + TWICE, BESIDE, BOTH)
"""The probes whose AllGather is an exchange."""
REREAD = tuple(1 + step / 10 for step in range(100))
"""By how much longer what contractions read again may take in loops."""
LATE = "late"
"""No program: how long a thread keeps a core that another waits for."""
ROWS, INNER, COLUMNS = 256, 4096, 512
"""Of matrix products on every rank, whose results are summed up or sent."""
MATRICES = (
    (32, 32, 32, 512),
    (64, 64, 64, 512),
    (64, 256, 256, 256),
    (128, 512, 256, 64),
    (256, 512, 512, 16),
    (512, 1024, 512, 4),
)
"""Rows, inner lengths and columns of products, and how often each is made."""
FEW = 4
"""Rows of products that wait for the bytes of a matrix."""
SQUARES = ((64, 512), (256, 512), (512, 256), (1024, 64), (2048, 8))
"""Rows and columns of such matrices, and how many products have the same one."""


@dataclass(frozen=True, slots=True)
class Probe:
    """A program with `count` calls; `size` is that of a call, in elements, or of a matmul in operations on numbers.

    That of OPERANDS is in bytes.
    """

    name: str
    count: int
    size: int
    text: str
    steps: str = ""

    @property
    def run(self) -> tuple[str, bool]:
        """The emitted file, and whether its schedule is run; the program as it was has the library's ReduceScatter."""
        checked = check_schedule(parse_program(self.text), parse_schedule(self.steps))
        gathers = frozenset({("y", GATHER), ("v", GATHER)}) if self.name in GATHERING else frozenset()
        exchanged = exchanges(checked.scheduled, None) | gathers
        return emit_schedule(checked, exchanged=exchanged), self.name not in ("ReduceScatter", "ReduceScatter" + TWICE)


def collectives(ranks: int, rate: int) -> Iterator[Probe]:
    """Every implementation, over lengths that the cards carry in time, and in loops; one loop with more statements."""
    for length in (_divided(each, ranks) for each in LENGTHS):
        if length * 4 * 2 / (rate * PAYLOAD) > MOST_S:
            continue
        for name, (layout, call) in COLLECTIVES.items():
            shape = f"{length // 16}, 16" if name == "AllToAll" else f"{length}"
            yield Probe(name, 1, length, f"{_head(ranks, shape, layout)}y = {call.format(x='x')}\noutput y\n")
    small = _divided(SMALL, ranks)
    for name, (layout, call) in COLLECTIVES.items():
        rows = TURNS[-1] * ranks
        shape = f"{rows}, {small // rows}" if name == "AllToAll" else f"{small}"
        text = f"{_head(ranks, shape, layout)}z = x * 2\ny = {call.format(x='z')}\noutput y\n"
        for chunks in TURNS:
            yield Probe(name + TURN, chunks, small, text, f"overlap z, y chunks {chunks} dim 0\n")
        yield Probe(name + TWICE, 2, small, _twice(_head(ranks, shape, layout), call))
    yield from _parts(ranks)
    yield from _beside(ranks, rate)


def _twice(head: str, call: str) -> str:
    """One call behind another that has nothing to do with it."""
    more = head.splitlines()[-1].replace("input x", "input w")
    return f"{head}{more}\ny = {call.format(x='x')}\nv = {call.format(x='w')}\noutput y\noutput v\n"


def _parts(ranks: int) -> Iterator[Probe]:
    """Loops in which MORE statements each take a chunk out of a tensor, and put one into another."""
    small = _divided(SMALL, ranks)
    text = _head(ranks, f"{small}", "partial(+)") + "z0 = x * 2\n"
    names = [f"z{number}" for number in range(MORE)]
    for number in range(1, MORE):
        text = text.replace("z0", f"input x{number} : f32[{small}]\nz0", 1)
        text += f"z{number} = z{number - 1} * x{number}\noutput z{number} partial(+)\n"
    text += f"y = AllReduce({names[-1]})\noutput y\n"
    for chunks in TURNS:
        yield Probe(PARTS, chunks, small, text, f"overlap {', '.join(names)}, y chunks {chunks} dim 0\n")


def _beside(ranks: int, rate: int) -> Iterator[Probe]:
    """Loops in which two collectives are under way at a time, and in which a rank computes beside one."""
    lines = "r = ReduceScatter(x, 0)\ns = r * 2\ny = AllGather(s, 0)\noutput y\n"
    for length, chunks in product((_divided(each, ranks) for each in LENGTHS[4:-1]), (TURNS[0], CHUNKS)):
        if length * 4 * 2 / (rate * PAYLOAD) <= MOST_S:
            steps = f"overlap r, s, y chunks {chunks} dim 0\n"
            yield Probe(BESIDE, chunks, length, _head(ranks, f"{length}", "partial(+)") + lines, steps)
    columns = _divided(COLUMNS, ranks)
    head = _head(ranks, f"{ROWS}, {INNER * ranks}", "sliced(1)")
    head += f"input w : f32[{INNER * ranks}, {columns}] sliced(0)\nz = matmul(x, w)\n"
    text = head + "r = ReduceScatter(z, 1)\ny = AllGather(r, 1)\noutput y\n"
    for chunks in BOTH_CHUNKS:
        yield Probe(BOTH, chunks, ROWS * columns, text, f"overlap z, r, y chunks {chunks} dim 0\n")


def _divided(length: int, ranks: int) -> int:
    """The next length below of which ranks, and chunks in loops, have equal parts."""
    return length // (TURNS[-1] * ranks) * TURNS[-1] * ranks


def _head(ranks: int, shape: str, layout: str) -> str:
    return f"program probe\nmesh rank={ranks}\ninput x : f32[{shape}] {layout}\n"


def computations(ranks: int) -> Iterator[Probe]:
    """Calls on elements, what has a curve of its own, and matrix products; every rank has everything."""
    head = f"program probe\nmesh rank={ranks}\n"
    for length in LENGTHS:
        for count in (1, _of_length(CHAINS, length)):
            lines = ["y0 = x * x", *(f"y{number} = sqrt(y{number - 1} * x) / 3 + x" for number in range(1, count))]
            text = f"input x : f32[{length}]\n" + "\n".join(lines) + f"\noutput y{count - 1}\n"
            yield Probe(ELEMENTWISE, count, length, head + text)
        for name, (call, _) in OTHERS.items():
            count = _of_length(TIMES, length)
            yield Probe(name, count, length, f"{head}input x : f32[4, {length // 16}, 4]\n" + _again(call, count))
    for rows, inner, columns, count in MATRICES:
        text = f"input x : f32[{rows}, {inner}]\ninput w : f32[{inner}, {columns}]\n" + _again("matmul(x, w)", count)
        yield Probe("matmul", count, 2 * rows * inner * columns, head + text)
    for side, count in SQUARES:
        lines = f"input x : f32[{FEW * count}, {side}]\ninput w : f32[{side}, {side}]\n"
        for number in range(count):
            rows = f"start={FEW * number}, stop={FEW * (number + 1)}"
            lines += f"y{number} = matmul(slice(x, dim=0, {rows}), w)\noutput y{number}\n"
        yield Probe(OPERANDS, count, 4 * side * (side + 2 * FEW), head + lines)


def _again(call: str, count: int) -> str:
    """The same call several times, which says with `number` which of them it is."""
    return "".join(f"y{number} = {call.format(number=number)}\noutput y{number}\n" for number in range(count))


def _of_length(counts: Sequence[tuple[int, int]], length: int) -> int:
    """How often a call is made on so many elements."""
    return next(count for most, count in counts if length <= most)


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
    alone = ranks < (os.cpu_count() or 1)
    yield Probed(ranks, 0, LATE, 1, 0, 0.0 if alone else float(f"{os.sched_rr_get_interval(0):.6g}"))
    for rate in RATES:
        probes = [*collectives(ranks, rate), *(computations(ranks) if rate == RATES[-1] else ())]
        with lab_of(ranks, rate) as laboratory:
            slowest = runs_of(laboratory, [probe.run for probe in probes], repeats=8)
        for each, times in zip(probes, slowest, strict=True):
            yield Probed(ranks, rate, each.name, each.count, each.size, float(f"{median(times):.6g}"))


def rates_of(rows: Sequence[Probed]) -> RatesByRanks:
    """What explains all rows; of a probe that was measured several times, the median."""
    again: dict[Probed, list[float]] = defaultdict(list)
    for row in rows:
        again[replace(row, seconds=0.0)].append(row.seconds)
    by_ranks: dict[int, list[Probed]] = defaultdict(list)
    for probe, seconds in again.items():
        by_ranks[probe.ranks].append(replace(probe, seconds=median(seconds)))
    return RatesByRanks(tuple(fitted(ranks, of) for ranks, of in sorted(by_ranks.items())))


def fitted(ranks: int, rows: Sequence[Probed]) -> Rates:
    """Rates that explain it: start-ups from the smallest calls, turns from loops of few and many chunks."""
    calls, begins = curves(rows), _begins(rows)
    start = _start(rows, begins)
    ways = {
        name: CollectiveRates(
            begin=begin, turn=_of_turn(rows, name + TURN), cards=_cards(ranks, start + begin, name, rows)
        )
        for name, begin in begins.items()
    }
    more = (_of_turn(rows, PARTS) - ways["AllReduce"].turn) / (MORE - 1)
    part = max(0.0, more - calls[ELEMENTWISE].begin) / 2
    cards = _beside_cards(ranks, start, ways, rows)
    late = next((row.seconds for row in rows if row.name == LATE), 0.0)
    rates = Rates(
        ranks=ranks, burst=burst(RATES[-1]), calls=calls, ways=ways, part=part, cards=cards, late=late, start=start
    )
    return explaining_both(rates, rows)


def _beside_cards(
    ranks: int, start: float, ways: Mapping[str, CollectiveRates], rows: Sequence[Probed]
) -> tuple[Card, ...]:
    """How long links take where two collectives are under way, by the bytes that each puts on them.

    From the loops that take much longer on links than to begin, in each turn too, and than what cards pass at once.
    """
    begin, turn = start + ways[SUMMED].begin + ways[COPIED].begin, ways[SUMMED].turn + ways[COPIED].turn
    cards = []
    for rate in RATES:
        most, bandwidth = burst(rate) / (rate * PAYLOAD), rate * PAYLOAD
        factors: dict[float, list[float]] = defaultdict(list)
        for row in rows:
            if (row.name, row.rate) == (BESIDE, rate):
                each = sent(SUMMED, ranks, rate, row.size)[0]
                if each > max(begin, most, row.count * turn):
                    factors[each * bandwidth / row.count].append((row.seconds - begin + most) / (2 * each))
        if factors:
            cards.append(Card(bandwidth, tuple((size, mean(each)) for size, each in sorted(factors.items()))))
    return tuple(cards)


def explaining_both(rates: Rates, rows: Sequence[Probed]) -> Rates:
    """With what is lost of computing beside sending, and by how much longer bytes take that are read in every turn.

    Of REREAD the one by which loops with both are least off, with what is lost then: by least squares, in parts of what
    loops take.
    """
    loops = [
        (row.rate, scheduled(probe), row.seconds)
        for row in rows
        if row.name == BOTH
        for probe in _beside(rates.ranks, row.rate)
        if (probe.name, probe.count) == (BOTH, row.count)
    ]
    return min((_losing(replace(rates, reread=each), loops) for each in REREAD), key=lambda found: found[0])[1]


def _losing(rates: Rates, loops: Sequence[tuple[int, ScheduledProgram, float]]) -> tuple[float, Rates]:
    """The squares by which loops are off once the best part is lost, and the rates with it."""
    nothing, everything = (_predicted(loops, replace(rates, lost=lost)) for lost in (0.0, 1.0))
    more = [all_ - none for none, all_ in zip(nothing, everything, strict=True)]
    missing = [1 - none for none in nothing]
    could = sum(each**2 for each in more)
    lost = min(1.0, max(0.0, sum(map(mul, missing, more)) / could)) if could else 0.0
    off = sum((miss - lost * each) ** 2 for miss, each in zip(missing, more, strict=True))
    return off, replace(rates, lost=lost)


def _predicted(loops: Sequence[tuple[int, ScheduledProgram, float]], rates: Rates) -> list[float]:
    """What loops take by rates, over what they took."""
    return [estimate(loop, machine_of(rates.ranks, rate, rates)).seconds / seconds for rate, loop, seconds in loops]


def scheduled(probe: Probe) -> ScheduledProgram:
    """A probe's schedule on its program."""
    return check_schedule(parse_program(probe.text), parse_schedule(probe.steps)).scheduled


def _of_turn(rows: Sequence[Probed], name: str) -> float:
    """Seconds that each chunk more takes in a loop."""
    found = []
    for rate in RATES:
        few, many = sorted((row.count, row.seconds) for row in rows if (row.name, row.rate) == (name, rate))
        found.append((many[1] - few[1]) / (many[0] - few[0]))
    return max(1e-6, median(found))


def _begins(rows: Sequence[Probed]) -> dict[str, float]:
    """The seconds of small calls by every implementation, behind another one."""
    once = _once(rows)
    return {name: max(1e-6, _medians(rows, name + TWICE) - once[name]) for name in COLLECTIVES}


def _start(rows: Sequence[Probed], begins: Mapping[str, float]) -> float:
    """The seconds of a program beside those of its calls: the first collective also waits for the last rank."""
    return max(0.0, median(seconds - begins[name] for name, seconds in _once(rows).items()))


def _once(rows: Sequence[Probed]) -> dict[str, float]:
    """The seconds of programs with one small call."""
    return {name: _medians([row for row in rows if row.size <= SMALL], name) for name in COLLECTIVES}


def _medians(rows: Sequence[Probed], name: str) -> float:
    return median(row.seconds for row in rows if row.name == name)


def _cards(ranks: int, begin: float, name: str, rows: Sequence[Probed]) -> tuple[Card, ...]:
    """From the calls that take much longer on links than to begin, and than what cards pass at once."""
    cards = []
    for rate in RATES:
        most, factors = burst(rate) / (rate * PAYLOAD), list[tuple[float, float]]()
        for row in rows:
            if (row.name, row.rate) == (name, rate):
                busy, brought = sent(name, ranks, rate, row.size)
                if busy > 2 * max(begin, most):
                    factors.append((brought, (row.seconds - begin + most) / busy))
        if factors:
            cards.append(Card(rate * PAYLOAD, tuple(sorted(factors))))
    return tuple(cards)


def sent(name: str, ranks: int, rate: int, size: int) -> tuple[float, float]:
    """Seconds that the busiest card sends by its bandwidth, and the bytes that a rank brings."""
    as_if = "AllReduce" if name == "ReduceScatter" else name
    text = next(each.text for each in collectives(ranks, rate) if (each.name, each.size) == (as_if, size))
    pricer = Pricer(check_schedule(parse_program(text), ()).scheduled, machine_of(ranks, rate, None))
    return pricer.stage(("y",)).busy["card"], float(max(pricer.brought("y")[0]))


def curves(rows: Sequence[Probed]) -> dict[str, Curve]:
    """Of calls alone: a program of one small call takes what any takes."""
    points: dict[str, list[tuple[float, float]]] = defaultdict(list)
    once = {row.size: row.seconds for row in rows if row.name == ELEMENTWISE and row.count == 1}
    nothing = min(once.values())
    for row in rows:
        if row.name == ELEMENTWISE and row.count > 1:
            made = CALLS * (row.count - 1)
            points[row.name].append((BYTES / CALLS * row.size, (row.seconds - once[row.size]) / made))
        elif row.name in ("matmul", OPERANDS):
            points[row.name].append((float(row.size), (row.seconds - nothing) / row.count))
        elif row.name in OTHERS:
            points[row.name].append((OTHERS[row.name][1] * row.size, (row.seconds - nothing) / row.count))
    return {name: Curve(tuple(_ascending(sorted(each)))) for name, each in points.items()}


def _ascending(points: list[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """Larger calls take no less: noise is levelled by what the next larger one takes."""
    least = float("inf")
    kept = []
    for size, seconds in reversed(points):
        least = min(least, seconds)
        kept.append((size, max(1e-7, least)))
    yield from reversed(kept)
