"""Cost accounting of a distributed program whose collectives are fused into buckets, as in emitted code."""

from collections.abc import Sequence

from p2smt.spmd.account.instruction import Account
from p2smt.spmd.account.instructions import Accounts
from p2smt.spmd.devices.cluster import Cluster
from p2smt.spmd.devices.network import NetworkModel
from p2smt.tensor.buckets import BUCKET
from p2smt.tensor.program import Program


def in_buckets(
    program: Program, cluster: Cluster, most: int = BUCKET, networks: Sequence[NetworkModel] = ()
) -> Account:
    """Return the account of a program with collectives fused into buckets of at most `most` bytes; 0 fuses none."""
    return Accounts(cluster, networks).in_buckets(program, most)


def best_bucket(program: Program, cluster: Cluster, most: int = BUCKET) -> int:
    """Return the bucket size, in bytes, to emit a program with: `most`, or 0 if buckets are slower or do not fit.

    Buckets do not fit if a device exceeds its memory with them but not without them.
    """
    accounts = Accounts(cluster)
    return most if gains(accounts.of(program), accounts.in_buckets(program, most), cluster) else 0


def gains(apart: Account, together: Account, cluster: Cluster) -> bool:
    """True if buckets pay off: the account with buckets (`together`) is not slower than the one without, and fits."""
    if together.time > apart.time:
        return False
    return not any(
        device.memory is not None and before <= device.memory < held
        for device, before, held in zip(cluster.devices, apart.memory, together.memory, strict=True)
    )
