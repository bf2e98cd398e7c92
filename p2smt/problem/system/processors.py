"""Cores of one machine that are shared by all devices of a system."""

from dataclasses import dataclass
from math import inf

from p2smt.errors import ProblemError


@dataclass(frozen=True, slots=True)
class Processors:
    """The number of cores shared by all devices, and the core time in seconds that collectives on gloo take.

    `call_s` is the time of a device's call of a collective, `message_s` that of sending and receiving a
    message, and `port_s` an additional time for every port on the message's path.
    """

    cores: int
    call_s: float
    message_s: float
    port_s: float = 0.0


def check_processors(processors: Processors) -> None:
    """Raise ProblemError if there are no cores, or for an invalid time."""
    if processors.cores < 1:
        raise ProblemError(f"processors have {processors.cores} cores; give a whole number of at least 1")
    times = ("call", processors.call_s), ("message", processors.message_s), ("port", processors.port_s)
    for what, seconds in times:
        if not 0 <= seconds < inf:
            raise ProblemError(f"processors: {what} {seconds} is not a time; write one such as 5us")
