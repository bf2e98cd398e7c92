"""In which way a conversion is carried out: several do the same, and take different times."""

from enum import StrEnum


class Way(StrEnum):
    """As one collective; of shards padded to the largest; as one collective per owner; as an exchange of blocks."""

    PLAIN = "plain"
    PADDED = "padded"
    GROUPED = "grouped"
    EXCHANGE = "exchange"
