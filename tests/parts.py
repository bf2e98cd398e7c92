"""The part of the tests that one of several processes runs: `scripts/test` starts one for every core.

A process collects the files of its part alone, and rooms stay together as far as they can: they import the same
libraries and share what takes long to make. Files that need torch or JAX come first: one of two processes then loads
those, and starts the servers of ranks. A pool of workers that take test by test collects everything in each of
them, and pays for every message.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Self

UNLISTED_S = 0.5
"""Of a file without a listed duration."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of several, the first of which is 1."""

    number: int
    count: int

    @classmethod
    def read(cls, text: str) -> Self:
        """A part as it is written on the command line.

        >>> Part.read("1/2"), Part.read("3/2")
        Traceback (most recent call last):
        ...
        ValueError: '3/2' is no part: write 1/2 for the first of two
        """
        number, _, count = text.partition("/")
        if not (number.isdecimal() and count.isdecimal() and 1 <= int(number) <= int(count)):
            raise ValueError(f"{text!r} is no part: write 1/2 for the first of two")
        return cls(int(number), int(count))

    def of(self, seconds: Mapping[str, float]) -> set[str]:
        """Names of this part: neighbours in the order given, about as many seconds as in any other part.

        A name belongs where the middle of its seconds falls, so that every name is in exactly one part.

        >>> seconds = {"a": 1.0, "b": 2.0, "c": 1.0, "d": 2.0}
        >>> sorted(Part(1, 2).of(seconds)), sorted(Part(2, 2).of(seconds))
        (['a', 'b'], ['c', 'd'])
        """
        ends = list(accumulate(seconds.values()))
        middles = [end - own / 2 for own, end in zip(seconds.values(), ends, strict=True)]
        return {name for name, middle in zip(seconds, middles, strict=True) if self._has(middle / (ends[-1] or 1.0))}

    def _has(self, share: float) -> bool:
        return self.number == min(int(share * self.count) + 1, self.count)
