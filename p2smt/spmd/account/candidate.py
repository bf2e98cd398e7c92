"""A program that is fastest for some sharding ratios, with its time and memory."""

from dataclasses import dataclass

from p2smt.spmd.account.instruction import Account
from p2smt.spmd.devices.shares import Shares
from p2smt.tensor.program import Program


@dataclass(frozen=True, slots=True)
class Candidate:
    """The cheapest program for some sharding ratios.

    `recomputed` are operations of the forward pass whose results the backward pass computes again.
    """

    shares: Shares
    program: Program
    account: Account
    recomputed: tuple[str, ...] = ()
