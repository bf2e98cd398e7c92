"""The kinds of files that plans come from."""

from enum import StrEnum


class Format(StrEnum):
    """Hand-written plans, p2smt's own, what other tools write; and tensor programs, which are no plans."""

    HAND = "hand"
    P2SMT = "p2smt"
    HLO = "hlo"
    STABLEHLO = "stablehlo"
    MSCCL = "msccl"
    MSCCLPP = "mscclpp"
    TORCH = "torch"
    TENSOR = "tensor"
