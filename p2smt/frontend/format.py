"""File formats that plans are read from."""

from enum import StrEnum


class Format(StrEnum):
    """File formats: hand-written plans, p2smt's own plans, other tools' schedules, and tensor programs."""

    HAND = "hand"
    P2SMT = "p2smt"
    HLO = "hlo"
    STABLEHLO = "stablehlo"
    MSCCL = "msccl"
    MSCCLPP = "mscclpp"
    TORCH = "torch"
    TENSOR = "tensor"
