"""A unit's time on its own, and stages overlapped chunk by chunk: a permutation flow shop.

With stages k, chunks c in one order, and no resource shared by two stages:
    ends[c][k] = max(ends[c - 1][k], ends[c][k - 1]) + seconds of stage k on a chunk
(Johnson, "Optimal two- and three-stage production schedules", 1954). With shared resources, a loop also takes at least
each resource's busy time (`shared`); its price is the larger of the two. Complexity: O(chunks x stages).

Example: stages of 1 and 3 s per chunk, 2 chunks: the ends are 1 and 4 s, then 2 and 7 s.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from p2smt.schedule.cost.rates import LinkTransfer


@dataclass(frozen=True, slots=True)
class Stage:
    """A unit on its own: fixed seconds, seconds proportional to its size, and busy seconds by resource.

    `own` is the part of `fixed` that nothing can hide. `wires` has measured collectives; a single thread then
    makes all calls, and continues during the rest of `fixed`.
    """

    way: str
    fixed: float
    moving: float
    busy: Mapping[str, float]
    own: float
    wires: tuple[LinkTransfer, ...] = ()

    @property
    def seconds(self) -> float:
        """The total seconds."""
        return self.on_chunk(1)

    def saved(self, idle: float = 0.0) -> float:
        """Return the seconds saved by bursts after links were idle for `idle` seconds."""
        return sum(wire.saved(1, 0.0 if number else idle) for number, wire in enumerate(self.wires))

    def called(self, chunks: int) -> float:
        """Return the seconds of the calling thread on one of `chunks` chunks."""
        return self.own + ((self.moving - sum(wire.moving() for wire in self.wires)) / chunks)

    def on_chunk(self, chunks: int) -> float:
        """Return the seconds on one of `chunks` chunks."""
        links = sum(wire.moving(chunks) - wire.saved(chunks) for wire in self.wires)
        # Measured links do not scale in proportion to chunks, so they are priced again and the rest
        # is divided.
        return self.fixed + ((self.moving - sum(wire.moving() for wire in self.wires)) / chunks) + links


def chunk_ends(stages: Sequence[Stage], chunks: int) -> list[list[float]]:
    """Return the end time of each stage (inner) for each chunk (outer), if no resource were shared.

    The recurrence is ends[c][k] = max(ends[c - 1][k], ends[c][k - 1]) + seconds of stage k on a chunk.
    """
    found, ends = list[list[float]](), [0.0] * len(stages)
    for _ in range(chunks):
        before, row = 0.0, list[float]()
        for stage, end in zip(stages, ends, strict=True):
            # A stage begins a chunk when it is done with the one before, and the stage before is done with this one.
            before = max(end, before) + stage.on_chunk(chunks)
            row.append(before)
        found.append(row)
        ends = row
    return found


def shared(stages: Sequence[Stage]) -> dict[str, float]:
    """Return the busy seconds of each resource, summed over all stages."""
    found: dict[str, float] = {}
    for stage in stages:
        for resource, seconds in stage.busy.items():
            found[resource] = found.get(resource, 0.0) + seconds
    return found
