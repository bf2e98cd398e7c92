"""The cores of one machine that all devices of a system share."""

from dataclasses import dataclass
from math import inf

from p2smt.errors import ProblemError


@dataclass(frozen=True, slots=True)
class Processors:
    """`cores` that all devices share, and the seconds of one of them that collectives on processors take.

    `call_s` is what a device's call of a collective takes, `message_s` what a message takes, sent and got, `port_s`
    what it takes besides for every port that it passes.
    """

    cores: int
    call_s: float
    message_s: float
    port_s: float = 0.0


def check_processors(processors: Processors) -> None:
    """Raise ProblemError for no cores, and for what is no time."""
    if processors.cores < 1:
        raise ProblemError(f"processors have {processors.cores} cores; cores are a whole number >= 1")
    times = ("call", processors.call_s), ("message", processors.message_s), ("port", processors.port_s)
    for what, seconds in times:
        if not 0 <= seconds < inf:
            raise ProblemError(f"processors: {what} {seconds} is no time")
