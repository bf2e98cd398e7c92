"""Collectives as steps of threadblocks: rings, and chains to or from a root.

A step receives a message (R) or sends one, or both: `s` sends, `rrs` sends source + R, `rrc` stores source + R, `rrcs`
stores and sends it, `rcs` stores and sends R, `r` stores R (the instructions of Microsoft's msccl-tools). A piece of
the payload goes all the way before its members begin with the next one, so that connections of any capacity do.
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
    """A step of a threadblock, on `count` chunks from `start` on."""

    kind: Kind
    start: int
    count: int


@dataclass(frozen=True, slots=True)
class Threadblock:
    """The work of a device in a collective: to whom it sends, from whom it receives (None: nobody), step by step."""

    send: int | None
    receive: int | None
    moves: tuple[BlockMove, ...]


def runs_of(step: ChunkedStep) -> dict[int, tuple[Threadblock, ...]]:
    """Threadblocks of each member of any group for every chunk of the plan; on all of them it has the same peers."""
    parts = [
        {member: block for group in groups for member, block in threadblocks(group).items()} for groups in step.parts
    ]
    return {member: tuple(part[member] for part in parts) for member in parts[0]}


def threadblocks(step: GroupStep) -> dict[int, Threadblock]:
    """The threadblock of each member of a group; empty for a group of one."""
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
    """The block of every member."""
    size = len(held) // count
    return [held[place * size : (place + 1) * size] for place in range(count)]


Rounds = list[tuple[Kind, int]]
"""The steps of a member of a ring: what it does, and with the block of the member so many places before it."""


def _adding(count: int) -> Rounds:
    """Until the message with a member's own block is there, to which all others have added."""
    return [("s", 1), *(("rrs", behind) for behind in range(2, count))]


def _copying(count: int) -> Rounds:
    """The rounds from a member's own block until it has all."""
    return [*(("rcs", behind) for behind in range(1, count - 1)), ("r", count - 1)]


def _ring(members: Sequence[int], blocks: Sequence[Chunks], rounds: Rounds) -> dict[int, Threadblock]:
    """Every member sends to the next one and receives from the one before."""
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
    """The first member sends, those between pass on, the last one keeps."""
    pieces, last = _pieces(held, _piece_length([held])), len(members) - 1
    found: dict[int, Threadblock] = {}
    for place, member in enumerate(members):
        kind = kinds[0 if place == 0 else 2 if place == last else 1]
        moves = tuple(BlockMove(kind, *piece) for piece in pieces)
        before, after = (members[place - 1] if place else None), (members[place + 1] if place < last else None)
        found[member] = Threadblock(after, before, moves)
    return found


def _piece_length(blocks: Sequence[Chunks]) -> int:
    """The greatest length in which all blocks can be cut such that the chunks of every piece are neighbours."""
    length = len(blocks[0])
    for block in blocks:
        for place in range(1, len(block)):
            if block[place] != block[place - 1] + 1:
                # Every piece must end where the chunks stop being neighbours, in all blocks: the greatest common
                # divisor of these places.
                length = gcd(length, place)
    return length


def _pieces(block: Chunks, length: int) -> list[tuple[int, int]]:
    """Start and number of chunks of every piece."""
    return [(block[place], length) for place in range(0, len(block), length)]
