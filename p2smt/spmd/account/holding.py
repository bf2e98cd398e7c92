"""Resident bytes on each device while a program runs: after each statement, and at the peak."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from p2smt.spmd.devices.parts import Numbers


class DeviceBytes:
    """Running count of the resident bytes on each of `count` devices.

    `ends[n]` names the values whose last reader is statement n; they are freed when that statement ends.
    """

    def __init__(self, count: int, ends: Mapping[int, Sequence[str]]) -> None:
        self.peak: Numbers = np.zeros(count, dtype=np.int64)
        self._held: Numbers = np.zeros(count, dtype=np.int64)
        self._ends = ends
        self._live: dict[str, Numbers] = {}
        self._number = 0

    def keep(self, size: Numbers) -> None:
        """Add a source, which stays in memory for the whole step."""
        self._held = self._held + size

    def hold(self, sizes: Iterable[Numbers]) -> None:
        """Raise the peak if the resident values and these intermediate values of the statement together exceed it."""
        self.peak = np.maximum(self.peak, sum(sizes, self._held))

    def end(self, name: str, size: Numbers | None) -> None:
        """End a statement: store its value until its last read, and free the values that nothing reads any more.

        `size` is None if the value overwrites a tensor that is already resident.
        """
        if size is not None:
            self._live[name] = size
            self._held = self._held + size
        for gone in self._ends.get(self._number, ()):
            if gone in self._live:
                self._held = self._held - self._live.pop(gone)
        self._number += 1
