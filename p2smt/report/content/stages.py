"""Device time per stage of a sharded step: collectives, computing, and waiting for the slowest device."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from p2smt.spmd.devices.network import PICO
from p2smt.spmd.search.sharded import ShardingResult

Seconds = npt.NDArray[np.float64]
"""Seconds per stage, shape (stages,)."""


@dataclass(frozen=True, slots=True)
class StageWork:
    """A representative device of one kind: seconds of computing and of waiting in each stage.

    `waits_for` lists the kinds of devices that it waits for with the total seconds, longest first.
    """

    name: str
    computing: tuple[float, ...]
    waiting: tuple[float, ...]
    waits_for: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Stages:
    """Seconds of collectives in each stage, common to all devices, and the work of representative devices."""

    collectives: tuple[float, ...]
    devices: tuple[StageWork, ...]

    @property
    def total(self) -> float:
        """The time of the step in seconds."""
        one = self.devices[0]
        return sum(self.collectives) + sum(one.computing) + sum(one.waiting)


def stages_of(sharded: ShardingResult) -> Stages:
    """Return the stages, with the busiest device of each kind, and the least busy one if their times differ."""
    account, devices = sharded.account, sharded.cluster.devices
    collectives = np.zeros(len(account.stages))
    work = np.zeros((len(account.stages), len(devices)))
    for each in account.instructions:
        if each.way is not None:
            collectives[each.stage] += each.time / PICO
        else:
            work[each.stage] += np.array(each.work, dtype=np.float64)
    # Work over rates is time, by speeds and by rooflines.
    computing = work / np.array(sharded.cluster.rates, dtype=np.float64)
    kinds = [device.kind for device in devices]
    slowest = [kinds[number] for number in computing.argmax(axis=1)]
    rows = tuple(
        _work(name, computing[:, number], computing.max(axis=1), slowest) for name, number in _chosen(kinds, computing)
    )
    return Stages(tuple(collectives.tolist()), rows)


def _chosen(kinds: Sequence[str], computing: npt.NDArray[np.float64]) -> Iterator[tuple[str, int]]:
    """Yield the label and index of each device to draw."""
    totals = computing.sum(axis=0)
    for kind in dict.fromkeys(kinds):
        mine = [number for number, other in enumerate(kinds) if other == kind]
        most, least = max(mine, key=totals.__getitem__), min(mine, key=totals.__getitem__)
        # Equal up to rounding: one bar stands for all devices of the kind.
        if np.allclose(totals[most], totals[least], rtol=1e-9, atol=0):
            yield (f"each of {len(mine)} {kind}" if len(mine) > 1 else f"{kind}, device {most}"), most
        else:
            yield f"{kind}, device {most}: most of {len(mine)}", most
            yield f"{kind}, device {least}: least of {len(mine)}", least


def _work(name: str, computing: Seconds, longest: Seconds, slowest: Sequence[str]) -> StageWork:
    waiting = longest - computing
    by_kind: dict[str, float] = {}
    for kind, seconds in zip(slowest, waiting.tolist(), strict=True):
        if seconds > 0:
            by_kind[kind] = by_kind.get(kind, 0.0) + seconds
    ranked = tuple(sorted(by_kind.items(), key=lambda pair: (-pair[1], pair[0])))
    return StageWork(name, tuple(computing.tolist()), tuple(waiting.tolist()), ranked)
