"""Steps of threadblocks: pieces are runs of chunks, which together are the blocks that members hold, in order."""

import random

from p2smt.collective import Collective
from p2smt.emit.msccl.blocks import threadblocks
from p2smt.emit.msccl.chunks import GroupStep


def runs(rng):
    """Chunks in some order in which now and then several follow each other."""
    found = []
    while len(found) < 12:
        start = rng.randrange(40)
        found += [start + number for number in range(rng.choice((1, 2, 4, 6))) if start + number not in found]
    return tuple(found[:12])


def test_pieces_are_the_blocks_of_members_in_order():
    rng = random.Random(3)
    shorter = 0
    for _ in range(200):
        held, collective = runs(rng), rng.choice((Collective.BROADCAST, Collective.REDUCE, Collective.ALL_REDUCE))
        for block in threadblocks(GroupStep(collective, (0, 1, 2), (held,) * 3)).values():
            sent = [move.start + number for move in block.moves for number in range(move.count)]
            assert len({move.count for move in block.moves}) == 1
            shorter += any(1 < move.count < 4 for move in block.moves)
            if collective is not Collective.ALL_REDUCE:
                assert tuple(sent) == held
                continue
            blocks = [set(held[place : place + 4]) for place in (0, 4, 8)]
            for move in block.moves:
                assert any(set(range(move.start, move.start + move.count)) <= own for own in blocks)
    assert shorter > 30
