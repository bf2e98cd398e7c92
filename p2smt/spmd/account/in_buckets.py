"""The account of a distributed program with its collectives in buckets, as in emitted code."""

from collections.abc import Sequence

from p2smt.spmd.account.instruction import Account
from p2smt.spmd.account.instructions import account
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.network import Network
from p2smt.tensor.buckets import BUCKET, bucketed
from p2smt.tensor.program import Program


def in_buckets(program: Program, cluster: Cluster, most: int = BUCKET, networks: Sequence[Network] = ()) -> Account:
    """The account of a program whose buckets have at most so many bytes, 0 for none."""
    made = bucketed(program, most)
    return account(made.program, cluster, networks, made.buckets)


def best_bucket(program: Program, cluster: Cluster, most: int = BUCKET) -> int:
    """The size of buckets with which a program is emitted: `most`, or 0 where buckets gain nothing or do not fit.

    They do not fit where a device holds more than its memory with them, and not without.
    """
    return most if gains(account(program, cluster), in_buckets(program, cluster, most), cluster) else 0


def gains(apart: Account, together: Account, cluster: Cluster) -> bool:
    """True if a program is emitted in buckets, by its accounts with single calls and with buckets."""
    if together.time > apart.time:
        return False
    return not any(
        device.memory is not None and before <= device.memory < held
        for device, before, held in zip(cluster.devices, apart.memory, together.memory, strict=True)
    )
