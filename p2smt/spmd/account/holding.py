"""The bytes that devices hold while a program runs: at each statement, and at the peak."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from p2smt.spmd.devices.parts import Numbers


class DeviceBytes:
    """The bytes of `count` devices; `ends` are the values that the statement of each number is the last to read."""

    def __init__(self, count: int, ends: Mapping[int, Sequence[str]]) -> None:
        self.peak: Numbers = np.zeros(count, dtype=np.int64)
        self._held: Numbers = np.zeros(count, dtype=np.int64)
        self._ends = ends
        self._live: dict[str, Numbers] = {}
        self._number = 0

    def keep(self, size: Numbers) -> None:
        """A source is kept all the time."""
        self._held = self._held + size

    def hold(self, sizes: Iterable[Numbers]) -> None:
        """Record the bytes held now: values that are kept, and intermediate values of the statement."""
        self.peak = np.maximum(self.peak, sum(sizes, self._held))

    def end(self, name: str, size: Numbers | None) -> None:
        """A statement's value is kept until it is read last; None: it takes the place of what is kept already."""
        if size is not None:
            self._live[name] = size
            self._held = self._held + size
        for gone in self._ends.get(self._number, ()):
            if gone in self._live:
                self._held = self._held - self._live.pop(gone)
        self._number += 1
