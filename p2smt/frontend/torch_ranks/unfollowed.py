"""Errors that end the tracing of a function."""

from os import sep
from pathlib import Path
from traceback import extract_tb
from typing import ClassVar

_OURS, _TORCH = str(Path(__file__).parents[2]), f"{sep}torch{sep}"
_PIPELINING = str(Path("torch", "distributed", "pipelining"))


class UnfollowedError(Exception):
    """Raised where the function cannot be traced, so that nothing is known of it.

    `first` is the first of this process: a function that catches it, and goes on, is not followed either.
    """

    first: ClassVar[BaseException | None] = None

    def __init__(self, why: str) -> None:
        super().__init__(why)
        ends_the_claim(self)


def ends_the_claim(cause: BaseException) -> None:
    """Note that nothing can be claimed of the function, even if it catches this error."""
    UnfollowedError.first = UnfollowedError.first or cause


class MisfitError(Exception):
    """Raised for a call that real ranks would refuse."""


class RaceError(Exception):
    """Raised where the rank touches memory that a running call uses."""


def of_values(cause: BaseException) -> str:
    """The message for an error caused by a request for values of tensors."""
    if any(_PIPELINING in each.filename for each in extract_tb(cause.__traceback__)):
        return "torch.distributed.pipelining agrees by values of tensors, which are not known; call send and recv"
    return "it depends on the values of tensors"


def place_of(cause: BaseException, path: str) -> str:
    """The last line of a file in an error's traceback, and the innermost line outside of torch and p2smt."""
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
