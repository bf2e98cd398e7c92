"""Chunks of a pipelined plan: splitting the payload, and joining the results.

If the goal splits the payload into one shard per device, each chunk has a piece of every shard, and a device's shard is
the concatenation of its results of all chunks. Otherwise a chunk is a piece of the payload. All chunks have the same
length except the last, which may be shorter; short payloads have fewer chunks. Every chunk starts its next step in the
same slot on all devices, and within a slot earlier chunks start first; `slots` lists this order.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from p2smt.reduction.plan.model import Plan

Buffer = NDArray[np.generic]


def shards(plan: Plan) -> int:
    """Return the number of shards into which the goal splits the payload; 1 if devices start and end with all of it."""
    return plan.multiple if plan.goal.scatters or plan.goal.gathers else 1


def chunk_lengths(plan: Plan, length: int) -> list[int]:
    """Return the chunk lengths for a shard of `length` elements.

    Without shards, `length` and all results are multiples of `plan.multiple`, so each chunk is a valid payload.
    """
    unit = 1 if shards(plan) > 1 else plan.multiple
    # Rounded up to whole units, so that the last chunk is the short one.
    most = -(-length // (plan.chunks * unit)) * unit
    # `max(most, 1)`: an empty payload has no chunks, but `range` refuses a step of 0.
    return [min(most, length - first) for first in range(0, length, max(most, 1))]


def payload_chunks(plan: Plan) -> list[int]:
    """Return the number of payload elements of each chunk; an empty payload has one empty chunk."""
    parts = shards(plan)
    padded = -(-plan.payload.elements // plan.multiple) * plan.multiple
    return [parts * length for length in chunk_lengths(plan, padded // parts)] or [0]


def cut(plan: Plan, buffer: Buffer, lengths: list[int]) -> list[Buffer]:
    """Split a device's initial buffer into chunks; an empty buffer has empty chunks."""
    if not buffer.size:
        return [buffer] * len(lengths)
    rows = buffer.reshape(shards(plan) if plan.goal.scatters else 1, -1)
    ends = np.cumsum(lengths)[:-1]
    return [piece.reshape(-1) for piece in np.split(rows, ends, axis=1)]


def joined(plan: Plan, chunks: list[Buffer]) -> Buffer:
    """Join the results of all chunks to a device's final buffer."""
    rows = shards(plan) if plan.goal.gathers else 1
    return np.concatenate([chunk.reshape(rows, -1) for chunk in chunks], axis=1).reshape(-1)


def slots(chunks: int, steps: int) -> Iterator[list[tuple[int, int]]]:
    """Yield for each slot the (chunk, step) pairs in it, both from 0, in the order in which they start.

    >>> list(slots(3, 2))
    [[(0, 0)], [(0, 1), (1, 0)], [(1, 1), (2, 0)], [(2, 1)]]
    """
    # Chunk `c` takes step `s` in slot `c + s`, as in a pipeline of `steps` stages: `chunks + steps
    # - 1` slots in all.
    for slot in range(chunks + steps - 1 if steps else 0):
        yield [(chunk, slot - chunk) for chunk in range(max(0, slot - steps + 1), min(slot + 1, chunks))]
