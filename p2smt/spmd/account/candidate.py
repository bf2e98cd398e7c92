"""A distributed program with the sharding ratios it was searched for, its time and its memory."""

from dataclasses import dataclass

from p2smt.spmd.account.instruction import Account
from p2smt.spmd.devices.shares import Shares
from p2smt.tensor.program import Program


@dataclass(frozen=True, slots=True)
class Candidate:
    """The cheapest program found for some sharding ratios.

    `recomputed` names the operations of the forward pass whose results the backward pass computes again.
    """

    shares: Shares
    program: Program
    account: Account
    recomputed: tuple[str, ...] = ()
