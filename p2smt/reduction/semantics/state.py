"""State matrices: the contributions to every chunk that each device holds (paper, section 3.2).

A device's state has one row per chunk. A row is a bit set of contributors: bit `j` of `state[c]` says that device `j`
has contributed its part of chunk `c`. So the k x k bits of a device are k integers of k bits.
"""

from collections.abc import Sequence
from itertools import compress

from p2smt.placement.tree import Shape, digits_of

DeviceState = tuple[int, ...]
State = tuple[DeviceState, ...]


def start_state(devices: int) -> State:
    """Return the initial state: device `d` holds its own contribution to every chunk, so its column `d` is full.

    >>> start_state(2)
    ((1, 1), (2, 2))
    """
    # One bit for each contributor: union, overlap and subset are single operations on Python's integers.
    return tuple((1 << device,) * devices for device in range(devices))


def goal_state(shape: Shape, reducing: Sequence[bool]) -> State:
    """Return the goal state: every device holds all chunks, with all contributions of its reduction group.

    `reducing[l]` says if level `l` belongs to the reduction; devices that agree on all other levels reduce together.

    >>> goal_state((2, 2), (False, True))[2]
    (12, 12, 12, 12)
    """
    keys = [
        tuple(digit for digit, reduces in zip(digits, reducing, strict=True) if not reduces)
        for digits in digits_of(shape)
    ]
    members: dict[tuple[int, ...], int] = {}
    for device, key in enumerate(keys):
        members[key] = members.get(key, 0) | 1 << device
    return tuple((members[key],) * len(keys) for key in keys)


def rows(state: DeviceState) -> frozenset[int]:
    """Return the chunks that a device holds: its non-empty rows."""
    return frozenset(compress(range(len(state)), state))
