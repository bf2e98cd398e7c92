"""Cautions about payloads that are smaller than those for which a system's parameters are known."""

from p2smt.problem.quantity import format_bytes
from p2smt.problem.system.network import System


def is_extrapolated(system: System, payload: int) -> bool:
    """True if times of this payload, in bytes, are an extrapolation: which program is faster is then not claimed."""
    return payload < system.known_from


def extrapolation_text(system: System) -> str:
    """A caution that says from which payload on the parameters are known, and why."""
    why = (
        "they are those of NCCL's Simple protocol, and small messages take others"
        if system.measured_from is None
        else "they were fitted to larger payloads"
    )
    return f"below {format_bytes(system.known_from)} the figures are extrapolated ({why}): no gain is claimed"
