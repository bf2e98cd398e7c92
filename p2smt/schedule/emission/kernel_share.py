"""The parts of groups and loops computed by Triton kernels, and those left to torch."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True, slots=True)
class KernelShare:
    """A group or loop with its number of kernels, and the emitted names left to torch, each with the reason."""

    unit: str
    kernels: int
    kept: tuple[tuple[str, str], ...]


def by_unit(shares: Iterable[KernelShare]) -> Iterator[KernelShare]:
    """Yield the shares with consecutive ones of the same loop merged."""
    for unit, parts in groupby(shares, lambda each: each.unit):
        these = list(parts)
        yield KernelShare(
            unit, sum(each.kernels for each in these), tuple(pair for each in these for pair in each.kept)
        )
