"""Times of loops over chunks driven by one thread: its calls in order, and the collectives overlapped with them.

This models emitted loops (schedule/emission/loops.py). In every turn, each part of the loop works on one
chunk, one chunk behind the previous part. A part waits for the previous part's collective, computes, and
starts its own.

A discrete-event simulation in program order. For a collective of m seconds whose data is ready at r,
    begin = max(r, when the links of its senders and receivers are free),   end = begin + max(0, m - saved),
    saved = min(burst, saved before + seconds for which the links were idle)
A link that idled sends faster for a while, as a token bucket does. The thread itself is one more resource: it computes,
starts a collective, and waits for the one of the turn before.
Complexity: O(chunks x parts x links that share ranks).
Reference: Law, "Simulation Modeling and Analysis", 2007 (discrete events); Turner, "New directions in communications",
1986 (buckets).

Example: a matmul of 2 s and a collective of 3 s on each of 3 chunks, without bursts. Matmuls end at 2, 4 and 6,
collectives at 5, 8 and 11.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf

from p2smt.schedule.cost.rates import Rates
from p2smt.schedule.cost.stage import Stage


@dataclass(slots=True)
class Links:
    """One direction of some ranks' network cards: when it becomes free, and the burst seconds saved up while idle."""

    free: float = 0.0
    saved: float = 0.0

    def idle_until(self, begun: float, burst: float) -> float:
        """Return the seconds saved up at the time `begun`, at most a burst."""
        return min(burst, self.saved + begun - self.free)


@dataclass(slots=True)
class LoopNetwork:
    """The links of all ranks by senders and by receivers, and their busy seconds.

    A collective occupies its senders' outgoing and its receivers' incoming links; collectives that share
    either run in sequence. Slowdowns are those of loops, where a collective starts before the previous
    chunk's is awaited. Links were idle for `idle` seconds before the loop.
    """

    rates: Rates
    idle: float
    out: dict[frozenset[int], Links] = field(default_factory=dict)
    into: dict[frozenset[int], Links] = field(default_factory=dict)
    busy: float = 0.0

    def carried(self, stage: Stage, ready: float, chunks: int) -> float:
        """Return the end time of a stage's collectives on a chunk whose data is ready at `ready`."""
        for wire in stage.wires:
            # A collective needs the sending side of its senders and the receiving side of its
            # receivers at once.
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


@dataclass(frozen=True, slots=True)
class PendingCollective:
    """The collectives of a part on a chunk, with the earliest and latest times at which they start to send."""

    part: int
    chunk: int
    ready: float
    latest: float


@dataclass(slots=True)
class LoopParts:
    """The parts of a loop on all chunks, with end times of collectives and those started that send nothing yet.

    Senders have no core of their own: they run when the rank waits, or after it has computed for `late`
    seconds.
    """

    parts: Sequence[Sequence[Stage]]
    chunks: int
    network: LoopNetwork
    late: float
    there: dict[tuple[int, int], float] = field(default_factory=dict)
    begun: deque[PendingCollective] = field(default_factory=deque)

    def begin(self, part: int, chunk: int, now: float) -> None:
        """Start a part's communication of a chunk."""
        ready = now + sum(stage.fixed - stage.own for stage in self.parts[part])
        # Nothing is sent yet: without a core of its own the sender runs only when the rank waits (`awaited`).
        self.begun.append(PendingCollective(part, chunk, ready, now + self.late))

    def awaited(self, part: int, chunk: int, now: float) -> float:
        """Return the end time of a part's collectives on a chunk, at least `now`."""
        # Collectives whose latest start has passed were sent meanwhile.
        while self.begun and self.begun[0].latest <= now:
            self._send(now)
        if self.there.get((part, chunk), inf) > now:
            # The rank waits now, which gives its core to the collectives that have not been sent.
            while self.begun:
                self._send(now)
        return max(now, self.there[part, chunk])

    def _send(self, now: float) -> None:
        first = self.begun.popleft()
        ready = max(first.ready, min(now, first.latest))
        self.there[first.part, first.chunk] = self.network.carried(self.parts[first.part][-1], ready, self.chunks)


def turned_seconds(stages: Sequence[Stage], chunks: int, rates: Rates, idle: float = 0.0) -> float:
    """Return the seconds of a loop; `stages` are single statements in order, priced by measured calls.

    Links were idle for `idle` seconds before. A share of the computation that overlaps busy links is lost,
    except for starts of collectives, which were measured in loops.
    """
    parts = _parts(stages)
    turns, now = LoopParts(parts, chunks, LoopNetwork(rates, idle), rates.late), 0.0
    for turn in range(chunks + len(parts) - 1):
        for number, part in enumerate(parts):
            # Part `number` is a chunk behind the one before it; outside 0 ... chunks - 1 it has nothing to do in this
            # turn.
            chunk = turn - number
            if not 0 <= chunk < chunks:
                continue
            now = turns.awaited(number - 1, chunk, now) if number else now
            now += sum(stage.called(chunks) for stage in part)
            turns.begin(number, chunk, now)
    ideal = max(turns.awaited(len(parts) - 1, chunk, now) for chunk in range(chunks))
    called = sum(stage.called(chunks) for stage in stages) * chunks
    begun = sum(wire.carrying.own for stage in stages for wire in stage.wires) * chunks
    # Seconds in which the rank computes while links are busy: what calls and links take together beyond the whole,
    # and no more than the calls themselves.
    both = min(called - begun, called + turns.network.busy - ideal)
    return ideal + (rates.lost * max(0.0, both))


def _parts(stages: Sequence[Stage]) -> list[list[Stage]]:
    """Return the stages in parts that end after each collective, which is awaited in the next turn."""
    found: list[list[Stage]] = [[]]
    for stage in stages:
        found[-1].append(stage)
        if stage.wires:
            found.append([])
    return [part for part in found if part]
