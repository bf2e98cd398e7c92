"""The kinds of files that plans come from."""

from enum import StrEnum


class Format(StrEnum):
    """Hand-written plans, p2smt's own, and what other tools write."""

    HAND = "hand"
    P2SMT = "p2smt"
    HLO = "hlo"
    STABLEHLO = "stablehlo"
    MSCCL = "msccl"
    TORCH = "torch"
