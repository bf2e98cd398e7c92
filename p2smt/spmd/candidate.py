"""A program that is fastest for some shares, and what it takes."""

from dataclasses import dataclass

from p2smt.spmd.instructions import Account
from p2smt.spmd.shares import Shares
from p2smt.tensor.program import Program


@dataclass(frozen=True, slots=True)
class Candidate:
    """The cheapest program for some shares.

    `meaning` is what the trade calls it; `recomputed` are operations of the forward pass whose results the backward
    pass computes again. Both are empty where nobody has asked.
    """

    shares: Shares
    program: Program
    account: Account
    meaning: tuple[str, ...] = ()
    recomputed: tuple[str, ...] = ()
