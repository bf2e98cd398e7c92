"""Random systems, random patterns of groups on them, and the groups of a pattern listed one by one."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import combinations, groupby, product
from math import prod

from hypothesis import strategies as st

from p2smt.cost.network.backend import BACKENDS, Gloo, cost_of
from p2smt.cost.network.pattern import Digits, Pattern, Role
from p2smt.cost.network.traffic import HopShape
from p2smt.placement.digits import join
from p2smt.problem.system.algorithm import ADDING, Algorithm, PerAlgorithm
from p2smt.problem.system.build import build_system
from p2smt.problem.system.link import Duplex, Link, Wiring
from p2smt.problem.system.network import Level, Network, System
from p2smt.problem.system.processors import Processors

ROLES = st.sampled_from([Role.VARYING, Role.VARYING, Role.FREE, Role.ZERO])
RATES = st.floats(1, 9)
LATENCIES = st.one_of(st.integers(0, 9).map(float), st.floats(0, 9))


def merged(digits: Iterable[tuple[Role, int]]) -> Digits:
    """Neighbours of one role as one digit, digits of one value left out."""
    some = [digit for digit in digits if digit[1] > 1]
    runs = groupby(some, key=lambda digit: digit[0])
    return tuple((role, prod(size for _, size in run)) for role, run in runs)


@st.composite
def patterns(draw, most_devices=72):
    """A pattern over one to three levels of up to three digits each."""
    left, levels = most_devices, []
    for _ in range(draw(st.sampled_from([1, 2, 2, 3, 3, 3]))):
        digits = []
        for role, size in draw(st.lists(st.tuples(ROLES, st.integers(2, 4)), max_size=3)):
            if size <= left:
                left //= size
                digits.append((role, size))
        levels.append(merged(digits))
    return Pattern(tuple(levels))


@st.composite
def systems(draw, sizes, rates=RATES, latencies=LATENCIES, plain=False):
    """A system with these sizes. `plain`: every level has one full-duplex port and a unit has one of them."""
    machine = draw(st.sampled_from(range(-1, len(sizes))))
    links = []
    for level, size in enumerate(sizes):
        if level > machine and size > 1 and not plain and draw(st.booleans()):
            links.append(_ring(draw, level, size, rates, latencies))
        links.append(_joining(draw, level, prod(sizes[level + 1 :]), rates, latencies, plain))
    levels = tuple(Level(f"l{level}", size) for level, size in enumerate(sizes))
    named = None if machine < 0 else f"l{machine}"
    return build_system(System(levels, Network(tuple(links), draw(rates), draw(st.floats(0, 1)), named), "random"))


def _ring(draw, level, size, rates, latencies):
    pairs = list(combinations(range(size), 2))
    given = [pair for pair in pairs if draw(st.integers(0, 2)) == 0] if draw(st.booleans()) else []
    return Link(
        name=f"r{level}",
        level=f"l{level}",
        wiring=Wiring.RING,
        bandwidth=draw(rates),
        latency=draw(latencies),
        neighbours=tuple(given[:40]),
    )


def _joining(draw, level, inside, rates, latencies, plain):
    given = {"level": f"l{level}", "bandwidth": draw(rates), "latency": draw(latencies)}
    uplink = draw(st.booleans())
    if plain:
        return Link(name=f"p{level}", wiring=Wiring.PORT, **given)
    if draw(st.integers(0, 2)) == 0:
        return Link(name=f"b{level}", wiring=Wiring.BUS, uplink=uplink, **given)
    return Link(
        name=f"p{level}",
        wiring=Wiring.PORT,
        duplex=draw(st.sampled_from(Duplex)),
        uplink=uplink,
        count=draw(st.integers(1, min(4, inside))),
        oversubscription=draw(st.sampled_from([1.0, 1.0, 2.5])),
        rails=draw(st.booleans()),
        flow=_flow(draw, rates),
        **given,
    )


def _flow(draw, rates):
    """Of rings and trees; switches that add are drawn nowhere else than in `test_switching.py`."""
    plain = [algorithm for algorithm in Algorithm if algorithm not in ADDING]
    drawn = {algorithm: draw(st.one_of(st.none(), rates)) for algorithm in plain}
    return PerAlgorithm({algorithm: rate for algorithm, rate in drawn.items() if rate is not None})


@st.composite
def on_shared_cores(draw, system):
    """The system with some cores for all of its devices."""
    processors = Processors(draw(st.integers(1, 9)), draw(LATENCIES), draw(LATENCIES), draw(LATENCIES))
    return replace(system, network=replace(system.network, processors=processors))


@st.composite
def costs(draw, system):
    """What prices steps on a system: any backend, and gloo where devices share cores."""
    backend = draw(st.sampled_from([*BACKENDS, None, None]))
    return cost_of(draw(on_shared_cores(system)), Gloo()) if backend is None else cost_of(system, backend)


@st.composite
def placed(draw, **options):
    """A pattern and a system that it lies on."""
    pattern = draw(patterns())
    return pattern, draw(systems(pattern.sizes, **options))


def shapes_on(pattern: Pattern, system: System) -> list[HopShape]:
    """The shapes that groups of a pattern can have: some are of several machines, and of one device in each."""
    outside, inside = (
        prod(part) for part in (pattern.members[: system.machine + 1], pattern.members[system.machine + 1 :])
    )
    able = {HopShape.STAR: outside > 1, HopShape.DOUBLING: outside > 1 and inside == 1}
    return [shape for shape in HopShape if able.get(shape, True)]


def listed(pattern: Pattern) -> list[list[int]]:
    """All groups of a pattern, members ascending."""
    digits = [digit for level in pattern.levels for digit in level]
    groups: dict[tuple[int, ...], list[int]] = {}
    for values in product(*(range(size) for _, size in digits)):
        of_role = {role: tuple(v for v, digit in zip(values, digits, strict=True) if digit[0] is role) for role in Role}
        if not any(of_role[Role.ZERO]):
            groups.setdefault(of_role[Role.FREE], []).append(join(values, [size for _, size in digits]))
    return list(groups.values())
