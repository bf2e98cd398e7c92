"""When a loop over chunks ends that one thread drives: its calls, one after the other, and collectives beside them.

This is how loops are emitted (schedule/emission/loops.py): in every turn each part of the loop works on a chunk, a
chunk behind the part before it. A part waits for the collective of the one before, computes, and begins its own.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from p2smt.schedule.cost.rates import Rates
from p2smt.schedule.cost.stage import Stage


@dataclass(slots=True)
class Links:
    """One direction of the cards of some ranks: when it is free, and the seconds that it has saved up while idle."""

    free: float = 0.0
    saved: float = 0.0

    def idle_until(self, begun: float, burst: float) -> float:
        """The seconds saved up then, at most those of a burst."""
        return min(burst, self.saved + begun - self.free)


@dataclass(slots=True)
class Network:
    """The links of all ranks, by those that send at once and by those that receive, and the seconds they are busy.

    A collective keeps one direction of its senders' cards busy and the other of its receivers'; where it shares either
    with another, they are carried one after the other. Links take what they do in loops, where several collectives are
    under way: one begins before that of the chunk before is waited for. They were idle for so many seconds before.
    """

    rates: Rates
    idle: float
    out: dict[frozenset[int], Links] = field(default_factory=dict)
    into: dict[frozenset[int], Links] = field(default_factory=dict)
    busy: float = 0.0

    def carried(self, stage: Stage, ready: float, chunks: int) -> float:
        """When the collectives of a stage, on a chunk, are there that could begin to send at `ready`."""
        for wire in stage.wires:
            own = [self._of(self.out, wire.senders), self._of(self.into, wire.receivers)]
            shared = [*_sharing(self.out, wire.senders), *_sharing(self.into, wire.receivers)]
            begun = max(ready, *(links.free for links in shared))
            saved = min(links.idle_until(begun, wire.burst) for links in own)
            moving = wire.beside(chunks, self.rates.in_loops(len(wire.senders)))
            ready = begun + max(0.0, moving - saved)
            for links in own:
                links.free, links.saved = ready, max(0.0, links.idle_until(begun, wire.burst) - moving)
            self.busy += ready - begun
        return ready

    def _of(self, direction: dict[frozenset[int], Links], ranks: frozenset[int]) -> Links:
        return direction.setdefault(ranks, Links(saved=self.idle))


def _sharing(direction: Mapping[frozenset[int], Links], ranks: frozenset[int]) -> Iterator[Links]:
    return (links for others, links in direction.items() if others & ranks)


def turned_seconds(stages: Sequence[Stage], chunks: int, rates: Rates, idle: float = 0.0) -> float:
    """Seconds until all is done; `stages` are single statements in their order, priced by what calls were measured.

    Links were idle for so many seconds before.
    """
    parts = _parts(stages)
    network = Network(rates, idle)
    there, now = [[0.0] * chunks for _ in parts], 0.0
    for turn in range(chunks + len(parts) - 1):
        for number, part in enumerate(parts):
            chunk = turn - number
            if not 0 <= chunk < chunks:
                continue
            now = max(now, there[number - 1][chunk] if number else 0.0) + sum(stage.called(chunks) for stage in part)
            latency = sum(stage.fixed - stage.own for stage in part)
            there[number][chunk] = network.carried(part[-1], now + latency, chunks)
    ideal = max(now, *there[-1])
    both = sum(stage.called(chunks) for stage in stages) * chunks + network.busy - ideal
    return ideal + (rates.lost * max(0.0, both))


def _parts(stages: Sequence[Stage]) -> list[list[Stage]]:
    """Stages, cut behind each that has collectives: they are under way till the next turn."""
    found: list[list[Stage]] = [[]]
    for stage in stages:
        found[-1].append(stage)
        if stage.wires:
            found.append([])
    return [part for part in found if part]
