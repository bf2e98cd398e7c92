"""Cautions about payloads below the range for which a system's parameters are known."""

from p2smt.problem.quantity import format_bytes
from p2smt.problem.system.network import System


def is_extrapolated(system: System, payload: int) -> bool:
    """True if the times of a payload (bytes) are extrapolated; then no claim is made about which program is faster."""
    return payload < system.known_from


def extrapolation_text(system: System) -> str:
    """Return a caution that states the smallest payload for which the parameters hold, and the reason."""
    why = (
        "they are those of NCCL's Simple protocol, and small messages take others"
        if system.measured_from is None
        else "they were fitted to larger payloads"
    )
    return f"below {format_bytes(system.known_from)} the figures are extrapolated ({why}): no gain is claimed"
