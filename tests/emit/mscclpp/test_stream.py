"""Threadblocks have room: however many moves there are, and wherever the last one stands."""

import pytest

from p2smt.emit.msccl.blocks import BlockMove, Threadblock
from p2smt.emit.mscclpp.operation import Name
from p2smt.emit.mscclpp.stream import MAX_OPERATIONS, MessageSlots, OperationStream, Peers

INTO, OUT = (0, 2, 1), (0, 1, 3)


@pytest.mark.parametrize("by_port", [False, True])
@pytest.mark.parametrize("kind", ["rcs", "rrs", "rrcs"])
def test_no_threadblock_has_more_operations_than_the_executor_has_room_for(kind, by_port):
    lengths = set()
    for count in range(1, 40):
        stream = OperationStream("i", Peers(INTO, OUT, by_port), 0)
        moves = (*[BlockMove("s", 0, 1)] * (count % 7), *[BlockMove(kind, 0, 1)] * count)
        slots = MessageSlots(tuple(range(count)), tuple(range(len(moves))))
        for before, after in ((None, 0), (1, 2), (3, None)):
            stream.run(Threadblock(1, 2, moves), slots, before, after)
        lengths |= set(map(len, stream.blocks))
        assert max(map(len, stream.blocks)) <= MAX_OPERATIONS
        met = [one.barrier for block in stream.blocks for one in block if one.name is Name.BARRIER]
        assert sorted(met) == sorted([*range(len(stream.blocks) - 1)] * 2)
    assert max(lengths) > MAX_OPERATIONS - 9
