"""Hypotheses about the algorithm of all-reduces if NCCL chose it: each one is a system with its predictors.

For each call, NCCL uses the algorithm that its own model predicts to be fastest (`src/graph/tuning.cc`). Over several
machines, large messages use a ring (the model grants a tree 0.92 of its bandwidth), and small ones a tree. With NVLink
SHARP, NCCL uses the switch inside machines, and trees between them; with SHARP, the switches between machines. Small
all-gathers and reduce-scatters with one device per machine use parallel trees.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

import numpy as np

from p2smt.collective import Collective
from p2smt.cost.calibration.measurement import Measurement
from p2smt.cost.calibration.prediction import Array, Predictor, predictor
from p2smt.cost.network.applicable import has_parallel_trees
from p2smt.cost.network.backend import Nccl
from p2smt.cost.network.cost import Work
from p2smt.cost.network.switching import FEWEST, device_port
from p2smt.problem.system.algorithm import ADDING, OUTSIDE, SWITCHED, Algorithm, Auto, Choice, PerAlgorithm
from p2smt.problem.system.link import Link, Wiring
from p2smt.problem.system.network import System

TREE_SHARE = 0.92
"""The fraction of a ring's bandwidth that NCCL's model grants a tree."""

SWITCH_SHARE = 0.7
"""The initial guess of a switch's reduction rate, as a fraction of the port bandwidth."""


@dataclass(frozen=True, kw_only=True)
class Hypothesis:
    """A hypothesis: the algorithm of all-reduces inside a machine and between machines; None if not measured."""

    system: System
    inside: Algorithm | None
    between: Algorithm | None
    measurements: tuple[Measurement, ...]
    main: Predictor
    small: Predictor | None

    def predict(self, values: Sequence[dict[str, float]]) -> Array:
        """Predict the seconds of every measurement for several sets of parameters; shape (networks, measurements)."""
        found = self.main.predict_all(values)
        return found if self.small is None else np.minimum(found, self.small.predict_all(values))


def hypotheses(system: System, measurements: Sequence[Measurement]) -> Iterator[Hypothesis]:
    """Yield all hypotheses that may explain the tables, the simplest first."""
    chosen = [one for one in measurements if one.backend == Nccl(Auto.AUTO) and is_all_reduce(one)]
    inside = any(not spans_machines(one, system) for one in chosen)
    between = any(spans_machines(one, system) for one in chosen)
    switch = _adding(system)
    of_inside: list[Algorithm | None] = [Algorithm.RING, *([Algorithm.NVLS] if switch else [])] if inside else [None]
    of_between: list[Algorithm | None] = [None]
    if between:
        of_between = [
            one
            for one in Algorithm
            if one is not Algorithm.PAT  # only: it adds nothing
            and (switch or one not in SWITCHED | {Algorithm.COLLNET_DIRECT})
            and (_outer_ports(system) or one not in OUTSIDE)
        ]
    for one, other in product(of_inside, of_between):
        yield _carried(system, measurements, one, other)


def spans_machines(measurement: Measurement, system: System) -> bool:
    """True if groups of a measurement span several machines."""
    return any(
        prod(work.pattern.members[: system.machine + 1]) > 1 for work in measurement.works if hasattr(work, "pattern")
    )


def is_all_reduce(measurement: Measurement) -> bool:
    """True if a measurement is an all-reduce."""
    return any(
        isinstance(work, Work) and work.collective is Collective.ALL_REDUCE  # only: others have one algorithm
        for work in measurement.works
    )


def _adding(system: System) -> Link | None:
    """Return the link of devices with one full port each inside a machine, whose switch may reduce; or None."""
    return device_port(system) if system.levels[-1].size >= FEWEST else None


def _outer_ports(system: System) -> tuple[Link, ...]:
    """Return the links between machines if all are ports to switches, which may then reduce; else ()."""
    each = [system.network.at(level.name) for level in system.levels[: system.machine + 1]]
    plain = all(len(links) == 1 and links[0].wiring is Wiring.PORT for links in each)
    return tuple(link for (link,) in each) if plain else ()


def _carried(
    system: System, measurements: Sequence[Measurement], inside: Algorithm | None, between: Algorithm | None
) -> Hypothesis:
    named: set[Choice | None] = {one.backend.algorithm for one in measurements if isinstance(one.backend, Nccl)}
    kept: set[Algorithm] = {Algorithm.NVLS} if inside is None else set()
    kept |= {Algorithm.NVLS_TREE} if between is None else set()
    described = _with_switch(_with_outer_switches(system, between), {inside, between, *named}, kept)
    by = {False: inside, True: between}
    told = tuple(
        replace(one, backend=Nccl((is_all_reduce(one) and by[spans_machines(one, system)]) or Algorithm.RING))
        if one.backend == Nccl(Auto.AUTO)
        else one
        for one in measurements
    )
    main = predictor(described, told)
    small = None
    choosing = [one.backend == Nccl(Auto.AUTO) for one in measurements]
    if between is Algorithm.RING:  # only: where NCCL takes rings for large messages, it takes trees for small ones
        small = predictor(described, [*_with_trees(described, told, choosing)])
        small = replace(small, bandwidth=np.maximum(small.bandwidth, main.bandwidth / TREE_SHARE))
    elif system.network.protocols and {inside, between} & ADDING:  # small messages have no use for a switch
        small = predictor(described, [*_with_trees(described, told, choosing)])
    elif any(choosing) and (others := [*_with_trees(described, told, choosing)]) != [*told]:
        small = predictor(described, others)
    return Hypothesis(system=described, inside=inside, between=between, measurements=told, main=main, small=small)


def _with_trees(system: System, measurements: Sequence[Measurement], choosing: Sequence[bool]) -> Iterator[Measurement]:
    """Yield the measurements with the algorithms that NCCL uses for small messages if it chooses.

    All-reduces use trees between machines and rings inside one machine; all-gathers and reduce-scatters with one device
    per machine use parallel trees.
    """
    for one, chooses in zip(measurements, choosing, strict=True):
        spans = spans_machines(one, system)
        if chooses and is_all_reduce(one):
            yield replace(one, backend=Nccl(Algorithm.TREE if spans else Algorithm.RING))
        elif chooses and spans and _has_parallel_trees(one, system):
            yield replace(one, backend=Nccl(Algorithm.PAT))
        else:
            yield one


def _has_parallel_trees(measurement: Measurement, system: System) -> bool:
    return all(
        isinstance(work, Work) and has_parallel_trees(system, work.pattern.members) for work in measurement.works
    )


def _with_switch(system: System, algorithms: set[Choice | None], kept: set[Algorithm]) -> System:
    """Return the system whose switches reduce for `algorithms`; for those in `kept`, at their known rate."""
    link = _adding(system)
    if link is None:
        return system
    known = {one: rate for one, rate in link.flow.items() if one not in SWITCHED}
    for algorithm in sorted(SWITCHED):
        if algorithm in algorithms or (algorithm in kept and algorithm in link.flow):
            known[algorithm] = link.flow.get(algorithm, SWITCH_SHARE * link.bandwidth)
    changed = replace(link, flow=PerAlgorithm(known))
    links = tuple(changed if one == link else one for one in system.network.links)
    return replace(system, network=replace(system.network, links=links))


def _with_outer_switches(system: System, algorithm: Algorithm | None) -> System:
    """Return the system whose switches between machines reduce for an algorithm that needs it, at the port rate."""
    outer = _outer_ports(system)
    if algorithm is None or algorithm not in OUTSIDE:
        return system
    links = tuple(
        replace(link, flow=PerAlgorithm({algorithm: link.bandwidth, **link.flow})) if link in outer else link
        for link in system.network.links
    )
    return replace(system, network=replace(system.network, links=links))
