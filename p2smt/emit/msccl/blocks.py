"""Collectives as steps of threadblocks: rings, and chains from or to a root.

A step receives a message R, sends one, or both: `s` sends, `rrs` sends source + R, `rrc` stores source + R, `rrcs`
stores and sends it, `rcs` stores and sends R, `r` stores R (the instructions of Microsoft's msccl-tools). Each piece of
the payload completes its path before members begin with the next one, so connections of any capacity suffice.

A ring of n members, with block p - d (mod n) handled by member p in a round of distance d:
    reduce-scatter   s(1), rrs(2), ..., rrs(n - 1), and the last receive stores the sum of the own block (distance 0)
    all-gather       s(0), rcs(1), ..., rcs(n - 2), r(n - 1)
    all-reduce       both; the last receive of the first is the first send of the second (rrcs)
(Patarasu and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", 2009). 2 (n - 1) messages of
1/n of the payload for each member.

Example: 3 members; member 0 sends block 2, adds its part to block 1 and passes it on, and stores block 0 complete.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd
from typing import Literal, assert_never

from p2smt.collective import Collective
from p2smt.emit.msccl.chunks import ChunkedStep, Chunks, GroupStep

Kind = Literal["s", "r", "rcs", "rrs", "rrc", "rrcs"]


@dataclass(frozen=True, slots=True)
class BlockMove:
    """A step of a threadblock on `count` chunks from `start` on."""

    kind: Kind
    start: int
    count: int


@dataclass(frozen=True, slots=True)
class Threadblock:
    """The work of a device in a collective: its send peer, its receive peer (None: no peer), and its steps."""

    send: int | None
    receive: int | None
    moves: tuple[BlockMove, ...]


def runs_of(step: ChunkedStep) -> dict[int, tuple[Threadblock, ...]]:
    """Return each member's threadblocks, one per chunk of the plan; a member's peers are the same for all chunks."""
    parts = [
        {member: block for group in groups for member, block in threadblocks(group).items()} for groups in step.parts
    ]
    return {member: tuple(part[member] for part in parts) for member in parts[0]}


def threadblocks(step: GroupStep) -> dict[int, Threadblock]:
    """Return the threadblock of each member of a group; empty for a group of one."""
    if len(step.members) == 1:
        return {}
    members, first, count = step.members, step.held[0], len(step.members)
    match step.collective:
        case Collective.ALL_REDUCE:
            return _ring(members, _cut(first, count), [*_adding(count), ("rrcs", 0), *_copying(count)])
        case Collective.REDUCE_SCATTER:
            return _ring(members, _cut(first, count), [*_adding(count), ("rrc", 0)])
        case Collective.ALL_GATHER:
            return _ring(members, step.held, [("s", 0), *_copying(count)])
        case Collective.REDUCE:
            return _chain(members[::-1], first, ("s", "rrs", "rrc"))
        case Collective.BROADCAST:
            return _chain(members, first, ("s", "rcs", "r"))
        case _:
            assert_never(step.collective)


def _cut(held: Chunks, count: int) -> list[Chunks]:
    """Return the block of every member."""
    size = len(held) // count
    return [held[place * size : (place + 1) * size] for place in range(count)]


Rounds = list[tuple[Kind, int]]
"""The steps of a ring member: (instruction, distance backwards to the member whose block it handles)."""


def _adding(count: int) -> Rounds:
    """Return the reduce-scatter rounds; the message after them sums the others' parts of the member's own block."""
    return [("s", 1), *(("rrs", behind) for behind in range(2, count))]


def _copying(count: int) -> Rounds:
    """Return the all-gather rounds, from a member's own block to all blocks."""
    return [*(("rcs", behind) for behind in range(1, count - 1)), ("r", count - 1)]


def _ring(members: Sequence[int], blocks: Sequence[Chunks], rounds: Rounds) -> dict[int, Threadblock]:
    """Return the threadblocks of a ring: every member sends to the next one and receives from the previous one."""
    count, length = len(members), _piece_length(blocks)
    pieces = [_pieces(block, length) for block in blocks]
    found: dict[int, Threadblock] = {}
    for place, member in enumerate(members):
        moves = [
            # Piece by piece and round by round: a member sends no second piece before the first has gone all the way
            # round.
            BlockMove(kind, *pieces[(place - behind) % count][number])
            for number in range(len(pieces[0]))
            for kind, behind in rounds
        ]
        found[member] = Threadblock(members[(place + 1) % count], members[place - 1], tuple(moves))
    return found


def _chain(members: Sequence[int], held: Chunks, kinds: tuple[Kind, Kind, Kind]) -> dict[int, Threadblock]:
    """Return the threadblocks of a chain: the first member sends, the next ones forward, the last one stores."""
    pieces, last = _pieces(held, _piece_length([held])), len(members) - 1
    found: dict[int, Threadblock] = {}
    for place, member in enumerate(members):
        kind = kinds[0 if place == 0 else 2 if place == last else 1]
        moves = tuple(BlockMove(kind, *piece) for piece in pieces)
        before, after = (members[place - 1] if place else None), (members[place + 1] if place < last else None)
        found[member] = Threadblock(after, before, moves)
    return found


def _piece_length(blocks: Sequence[Chunks]) -> int:
    """Return the largest piece length that divides all blocks such that the chunks of every piece are contiguous."""
    length = len(blocks[0])
    for block in blocks:
        for place in range(1, len(block)):
            if block[place] != block[place - 1] + 1:
                # Every piece must end where the chunks stop being neighbours, in all blocks: the greatest common
                # divisor of these places.
                length = gcd(length, place)
    return length


def _pieces(block: Chunks, length: int) -> list[tuple[int, int]]:
    """Return start and number of chunks of every piece."""
    return [(block[place], length) for place in range(0, len(block), length)]
