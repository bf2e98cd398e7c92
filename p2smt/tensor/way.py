"""Implementations of a conversion: several have the same effect and take different times."""

from enum import StrEnum


class Way(StrEnum):
    """Implementations of a conversion.

    As one collective; of shards padded to the largest; as one collective per owner; as an exchange of blocks; by a
    reduction program over levels, of shards padded to the largest.
    """

    PLAIN = "plain"
    PADDED = "padded"
    GROUPED = "grouped"
    EXCHANGE = "exchange"
    PROGRAM = "program"
