"""Errors that end the tracing of a function."""

from os import sep
from pathlib import Path
from traceback import extract_tb
from typing import ClassVar

_OURS, _TORCH = str(Path(__file__).parents[2]), f"{sep}torch{sep}"
_PIPELINING = str(Path("torch", "distributed", "pipelining"))


class UnfollowedError(Exception):
    """The function does what cannot be followed, so that nothing is known of it.

    `first` is the first of this process: a function that catches it, and goes on, is not followed either.
    """

    first: ClassVar[BaseException | None] = None

    def __init__(self, why: str) -> None:
        super().__init__(why)
        ends_the_claim(self)


def ends_the_claim(cause: BaseException) -> None:
    """Nothing is claimed of the function, whatever it makes of this error."""
    UnfollowedError.first = UnfollowedError.first or cause


class MisfitError(Exception):
    """On real ranks the call would be refused."""


class RaceError(Exception):
    """The rank touches what a call is at work on."""


def of_values(cause: BaseException) -> str:
    """The message for an error that asks for values of tensors."""
    if any(_PIPELINING in each.filename for each in extract_tb(cause.__traceback__)):
        return "torch.distributed.pipelining agrees by values of tensors, which are not known; call send and recv"
    return "it depends on the values of tensors"


def place_of(cause: BaseException, path: str) -> str:
    """The last line of a file that an error came through, and the innermost of others that are not torch's nor ours."""
    frames = [
        each
        for each in extract_tb(cause.__traceback__)
        if each.filename == path or not (each.filename.startswith((_OURS, "<")) or _TORCH in each.filename)
    ]
    own = [each.lineno for each in frames if each.filename == path]
    if not own:
        return ""
    last = frames[-1]
    return f"line {own[-1]}: " if last.filename == path else f"line {own[-1]} ({last.filename}:{last.lineno}): "
