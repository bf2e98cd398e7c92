"""Vectorised prediction of the times of many measurements from the network's parameters.

For all works at once, as arrays of shape (networks, works, links):
    t = max(bytes / bandwidth, bytes over one connection / its limit),
    seconds = max t + (1 - overlap) (sum t - max t) + max(hops * latency + launch, processors) + memory / rate.
Bytes and hops do not depend on the parameters, so they are counted once. Rows of the works of one measurement are added
up.
Complexity: O(works x links) for each network.
Reference: Hockney, "The communication challenge for MPP", 1994, for the latency and the time per byte of a message.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from p2smt.collective import Exchange, NeighbourSend
from p2smt.cost.calibration.measurement import Measurement, Transfer, TransferGoal
from p2smt.cost.calibration.parameters import LAUNCH, MEMORY, OVERLAP
from p2smt.cost.network.all_to_all import all_to_all_cost
from p2smt.cost.network.backend import Backend, Nccl, cost_of
from p2smt.cost.network.cost import Cost, LocalWork, StepCost, Work
from p2smt.cost.network.load import SEND_FLOW
from p2smt.cost.network.neighbour_send import neighbour_send_cost
from p2smt.cost.network.pattern import Pattern
from p2smt.cost.network.protocol import terms_of
from p2smt.errors import CalibrationError
from p2smt.problem.system.algorithm import Algorithm, Auto, NcclProtocol, flow_key
from p2smt.problem.system.file import resized
from p2smt.problem.system.network import System

Array = NDArray[np.float64]

_CHOOSES = Nccl(Auto.AUTO)


@dataclass(frozen=True, kw_only=True)
class Predictor:
    """Bytes and hops of every work of every measurement, per link; shapes (works, links) and (works,).

    `flow` has the bytes over one connection, per algorithm, and `sends` the bytes of sends. `owner` maps works to
    measurements, `calls` is 1 for collectives, `processors` is the known minimum time of shared cores, in seconds.
    `terms` has the factors of every protocol on bytes and latency, shape (works, protocols, 2); None if the system
    prices a single protocol. `predict` returns the same seconds as `cost_of` work by work; `predict_all` handles many
    networks at once in little more time.
    """

    links: tuple[str, ...]
    bandwidth: Array
    flow: Mapping[Algorithm, Array]
    sends: Array
    hops: Array
    memory: Array
    calls: Array
    processors: Array
    owner: NDArray[np.int64]
    measurements: int
    terms: Array | None = None

    def predict(self, values: Mapping[str, float]) -> Array:
        """Return the seconds of every measurement, in order; `values` has the names of `parameters`."""
        only: Array = self.predict_all([values])[0]
        return only

    def predict_all(self, networks: Sequence[Mapping[str, float]]) -> Array:
        """Return the seconds for several networks' parameters; shape (networks, measurements)."""

        def each(name: str, missing: float) -> Array:
            return np.array([[values.get(name, missing)] for values in networks])

        def per_link(what: str, missing: float) -> Array:
            names = [f"{link}.{what}" for link in self.links]
            return np.array([[values.get(name, missing) for name in names] for values in networks])

        # Arrays of shape (networks, works, links): a fit evaluates many networks at once.
        times = self.bandwidth / per_link("bandwidth", np.inf)[:, np.newaxis]
        for algorithm, flow in self.flow.items():
            times = np.maximum(times, flow / per_link(flow_key(algorithm), np.inf)[:, np.newaxis])
        times = np.maximum(times, self.sends / per_link(SEND_FLOW, np.inf)[:, np.newaxis])
        memory = np.array([[values[MEMORY]] for values in networks])
        busiest = times.max(axis=2)
        # The same formula as `network/load.py`: the busiest link, and what it does not hide of the
        # others.
        seconds = busiest + (1 - each(OVERLAP, 1.0)) * (times.sum(axis=2) - busiest)
        latency, launch = per_link("latency", 0.0) @ self.hops.T, self.calls * each(LAUNCH, 0.0)
        if self.terms is None:
            seconds += np.maximum(latency + launch, self.processors)
        else:
            bytes_by, latency_by = self.terms[:, :, 0].T, self.terms[:, :, 1].T
            fixed = np.maximum(latency[:, np.newaxis] * latency_by + launch[:, np.newaxis], self.processors)
            # NCCL takes, call by call, the fastest protocol.
            seconds = (seconds[:, np.newaxis] * bytes_by + fixed).min(axis=1)
        seconds += self.memory / memory
        # A measurement may consist of several works, whose times add up.
        of_works = (np.bincount(self.owner, weights=row, minlength=self.measurements) for row in seconds)
        return np.array([*of_works], dtype=np.float64)

    def only(self, used: NDArray[np.bool_]) -> "Predictor":
        """Return a predictor for some of the measurements; `used` has one entry per measurement."""
        works = used[self.owner]
        numbers = np.cumsum(used) - 1
        return Predictor(
            links=self.links,
            bandwidth=self.bandwidth[works],
            flow={algorithm: flow[works] for algorithm, flow in self.flow.items()},
            sends=self.sends[works],
            hops=self.hops[works],
            memory=self.memory[works],
            calls=self.calls[works],
            processors=self.processors[works],
            owner=numbers[self.owner[works]],
            measurements=int(used.sum()),
            terms=None if self.terms is None else self.terms[works],
        )


def predictor(system: System, measurements: Sequence[Measurement]) -> Predictor:
    """Return a predictor for the measurements.

    Raises ProblemError if one does not fit the system, CalibrationError if one does not state its algorithm.
    """
    costs: dict[tuple[tuple[int, ...], Backend], Cost] = {}
    places = {link.name: place for place, link in enumerate(system.network.links)}
    rows = sum(len(one.works) for one in measurements)
    shape = (rows, len(places))
    found = Predictor(
        links=tuple(places),
        bandwidth=np.zeros(shape),
        flow={algorithm: np.zeros(shape) for algorithm in Algorithm},
        sends=np.zeros(shape),
        hops=np.zeros(shape),
        memory=np.zeros(rows),
        calls=np.zeros(rows),
        processors=np.zeros(rows),
        owner=np.repeat(np.arange(len(measurements)), [len(one.works) for one in measurements]),
        measurements=len(measurements),
        terms=np.ones((rows, len(NcclProtocol), 2)) if system.network.protocols else None,
    )
    # Priced once with Simple alone; the protocols' factors follow from `terms`.
    plain = replace(system, network=replace(system.network, protocols=False))
    row = 0
    for one in measurements:
        if one.backend == _CHOOSES:
            raise CalibrationError(
                f"{one.place}: algorithm {one.backend} does not identify the algorithm of the AllReduces; "
                f"measure with NCCL_ALGO=Ring or NCCL_ALGO=Tree, and write {' or '.join(Algorithm)}"
            )
        key = (one.sizes, one.backend)
        if key not in costs:
            costs[key] = cost_of(resized(plain, one.sizes), one.backend)
        for work in one.works:
            _enter(found, row, places, _cost(work, costs[key]), system)
            row += 1
    return found


def _cost(work: Work | LocalWork | Transfer, cost: Cost) -> StepCost:
    match work:
        case Transfer(goal, pattern, held):
            return _transfer_cost(goal, pattern, held, cost.system)
        case Work() | LocalWork():
            return cost.work_cost(work)
        case _:
            assert_never(work)


def _transfer_cost(goal: TransferGoal, pattern: Pattern, held: float, system: System) -> StepCost:
    match goal:
        case Exchange.ALL_TO_ALL:
            return all_to_all_cost(pattern, held, system)
        case NeighbourSend.AROUND:
            return neighbour_send_cost(goal, pattern, held, system)
        case _:
            assert_never(goal)


def _enter(found: Predictor, row: int, places: Mapping[str, int], cost: StepCost, system: System) -> None:
    for load in cost.per_byte.loads:
        place = places[load.link.name]
        found.bandwidth[row, place] = load.bandwidth_bytes * cost.hop_bytes
        # A send is bounded by its own rate where the link has one, and else as a connection of a ring.
        is_send = load.is_send and load.link.send_flow is not None
        (found.sends if is_send else found.flow[load.algorithm])[row, place] = load.flow * cost.hop_bytes
        found.hops[row, place] = load.hops * cost.rounds
    if found.terms is not None:
        found.terms[row] = [(each.bytes, each.latency) for each in terms_of(cost, system)]
    found.calls[row] = bool(cost.per_byte.loads)
    found.processors[row] = cost.processors_s
    found.memory[row] = cost.memory_s * system.network.memory_bandwidth
