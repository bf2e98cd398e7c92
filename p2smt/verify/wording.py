"""How messages name devices."""

from collections.abc import Sequence

MOST = 16


def listed(devices: Sequence[int]) -> str:
    """A group as plans write it; of a large one the first and last.

    >>> listed((0, 1, 8))
    '[0, 1, 8]'
    >>> listed(range(4096))
    '[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, ..., 4095] (4096 devices)'
    """
    if len(devices) <= MOST:
        return str(list(devices))
    shown = ", ".join(map(str, devices[: MOST - 1]))
    return f"[{shown}, ..., {devices[-1]}] ({len(devices)} devices)"
