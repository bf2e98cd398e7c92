"""The parts of groups and loops that Triton's kernels compute, and those that stay torch's."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby


@dataclass(frozen=True, slots=True)
class KernelShare:
    """A group or loop: its number of kernels, and the names that stay torch's, each with the reason.

    Names are those of the emitted file.
    """

    unit: str
    kernels: int
    kept: tuple[tuple[str, str], ...]


def by_unit(shares: Iterable[KernelShare]) -> Iterator[KernelShare]:
    """The parts of each loop as one."""
    for unit, parts in groupby(shares, lambda each: each.unit):
        these = list(parts)
        yield KernelShare(
            unit, sum(each.kernels for each in these), tuple(pair for each in these for pair in each.kept)
        )
