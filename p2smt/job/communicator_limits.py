"""Check limits on a device's communicators: their number and their memory."""

from collections.abc import Sequence

from p2smt.job.candidate import Communicators
from p2smt.placement.digits import DeviceMap
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.condition import FewCommunicators, LittleMemory, ProgramCondition

PAIR_BYTES, GROUP_BYTES = 544 * 10**6, 688 * 10**6
"""Device memory in bytes of a communicator of two ranks, and of a larger one.

Measured on A100s by a user (NCCL issue 964, 2023).
"""


def keeps_limit(communicators: Communicators, sizes: Sequence[int], limit: ProgramCondition) -> bool:
    """True if a device may be in these communicators; `sizes` are the sizes of the placement's digits."""
    match limit:
        case FewCommunicators(most):
            return len(communicators) <= most
        case LittleMemory(most_bytes):
            return communicator_bytes(communicators, sizes) <= most_bytes


def communicator_bytes(communicators: Communicators, sizes: Sequence[int]) -> int:
    """Return the device memory that communicators take, in bytes."""
    members = ([sizes[place] for place in places if sizes[place] > 1] for places in communicators)
    return sum(PAIR_BYTES if factors == [2] else GROUP_BYTES for factors in members)


def digit_sizes(matrix: ParallelismMatrix) -> tuple[int, ...]:
    """Return the sizes of the device number's digits, most significant first."""
    return tuple(digit.size for digit in DeviceMap(matrix).digits)
