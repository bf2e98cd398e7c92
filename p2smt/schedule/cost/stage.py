"""A unit of a scheduled program by itself, and units beside each other, chunk by chunk: a permutation flow shop.

With stages k and chunks c in one order, and no resource that two stages share,
    ends[c][k] = max(ends[c - 1][k], ends[c][k - 1]) + seconds of stage k on a chunk
(Johnson, "Optimal two- and three-stage production schedules", 1954). With shared resources a loop takes at least the
busy time of each (`shared`), and the larger of the two is its price. Complexity: O(chunks x stages).

Example: stages of 1 and 3 s on a chunk, 2 chunks: the ends are 1 and 4 s, then 2 and 7 s.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from p2smt.schedule.cost.rates import LinkTransfer


@dataclass(frozen=True, slots=True)
class Stage:
    """A unit by itself: fixed seconds, seconds proportional to its size, and seconds by busy resource.

    `own` is the part of `fixed` that nothing hides. `wires` are measured collectives; then one
    thread makes all calls, and goes on during what is fixed beyond `own`.
    """

    way: str
    fixed: float
    moving: float
    busy: Mapping[str, float]
    own: float
    wires: tuple[LinkTransfer, ...] = ()

    @property
    def seconds(self) -> float:
        """All of it."""
        return self.on_chunk(1)

    def saved(self, idle: float = 0.0) -> float:
        """Seconds that links save up while idle for so many seconds."""
        return sum(wire.saved(1, 0.0 if number else idle) for number, wire in enumerate(self.wires))

    def called(self, chunks: int) -> float:
        """Seconds of the thread that makes all calls, on one of so many chunks."""
        return self.own + ((self.moving - sum(wire.moving() for wire in self.wires)) / chunks)

    def on_chunk(self, chunks: int) -> float:
        """Seconds on one of so many chunks."""
        links = sum(wire.moving(chunks) - wire.saved(chunks) for wire in self.wires)
        # Measured links do not scale in proportion to chunks, so they are priced again and the rest
        # is divided.
        return self.fixed + ((self.moving - sum(wire.moving() for wire in self.wires)) / chunks) + links


def chunk_ends(stages: Sequence[Stage], chunks: int) -> list[list[float]]:
    """End times of each stage (inner) for each chunk (outer), if no resource were shared.

    Holds: ends[c][k] = max(ends[c - 1][k], ends[c][k - 1]) + seconds of stage k on a chunk.
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
    """The busy time of each resource over all stages together."""
    found: dict[str, float] = {}
    for stage in stages:
        for resource, seconds in stage.busy.items():
            found[resource] = found.get(resource, 0.0) + seconds
    return found
