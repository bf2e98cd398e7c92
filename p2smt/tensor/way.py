"""Implementations of a conversion, which have the same effect and different costs."""

from enum import StrEnum


class Way(StrEnum):
    """Implementations of a conversion.

    PLAIN: one collective. PADDED: one collective over shards padded to the largest. GROUPED: one collective
    per owner. EXCHANGE: an all-to-all exchange of blocks. PROGRAM: a reduction program over hierarchy levels,
    with shards padded to the largest.
    """

    PLAIN = "plain"
    PADDED = "padded"
    GROUPED = "grouped"
    EXCHANGE = "exchange"
    PROGRAM = "program"
