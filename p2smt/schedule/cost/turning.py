"""When a loop over chunks ends that one thread drives: its calls, one after the other, and collectives beside them.

This is how loops are emitted (schedule/emission/loops.py): in every turn each part of the loop works on a chunk, a
chunk behind the part before it. A part waits for the collective of the one before, computes, and begins its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from p2smt.schedule.cost.rates import Card, Rates
from p2smt.schedule.cost.stage import Stage


@dataclass(slots=True)
class Links:
    """Links of some ranks, which carry collectives one after the other; what was idle sends as much more at once."""

    free: float = 0.0
    saved: float = 0.0


@dataclass(slots=True)
class Network:
    """The links of all ranks, by those that send at once, and the seconds that they are busy.

    `cards` are those of links on which several collectives are under way, as in a loop: it begins one before it waits
    for that of the chunk before. Links were idle for so many seconds before.
    """

    cards: Sequence[Card]
    idle: float
    links: dict[frozenset[int], Links] = field(default_factory=dict)
    busy: float = 0.0

    def carried(self, stage: Stage, ready: float, chunks: int) -> float:
        """When the collectives of a stage, on a chunk, are there that could begin to send at `ready`."""
        for wire in stage.wires:
            own = self.links.setdefault(wire.senders, Links(saved=self.idle))
            shared = [links for senders, links in self.links.items() if senders & wire.senders]
            begun = max(ready, *(links.free for links in shared))
            saved = min(wire.burst, own.saved + begun - own.free)
            moving = wire.beside(chunks, self.cards)
            own.free, own.saved = begun + max(0.0, moving - saved), max(0.0, saved - moving)
            self.busy += own.free - begun
            ready = own.free
        return ready


def turned_seconds(stages: Sequence[Stage], chunks: int, rates: Rates, idle: float = 0.0) -> float:
    """Seconds until all is done; `stages` are single statements in their order, priced by what calls were measured.

    Links were idle for so many seconds before.
    """
    parts = _parts(stages)
    network = Network(rates.cards, idle)
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
