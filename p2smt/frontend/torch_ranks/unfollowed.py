"""Errors that stop the tracing of a function."""

from os import sep
from pathlib import Path
from traceback import extract_tb
from typing import ClassVar

_OURS, _TORCH = str(Path(__file__).parents[2]), f"{sep}torch{sep}"
_PIPELINING = str(Path("torch", "distributed", "pipelining"))


class UnfollowedError(Exception):
    """Raised if the function cannot be traced, so that no verdict about it is possible.

    `first` is the first such error of this process: a function that catches the error and continues is not traced
    either.
    """

    first: ClassVar[BaseException | None] = None

    def __init__(self, why: str) -> None:
        super().__init__(why)
        ends_the_claim(self)


def ends_the_claim(cause: BaseException) -> None:
    """Note that no verdict about the function is possible, even if it catches this error."""
    UnfollowedError.first = UnfollowedError.first or cause


class MisfitError(Exception):
    """Raised for a call that real ranks would reject."""


class RaceError(Exception):
    """Raised if the rank accesses memory that a running call uses."""


def of_values(cause: BaseException) -> str:
    """Return the message for an error caused by a read of tensor values."""
    if any(_PIPELINING in each.filename for each in extract_tb(cause.__traceback__)):
        return "torch.distributed.pipelining agrees by values of tensors, which are not known; call send and recv"
    return "it depends on the values of tensors"


def place_of(cause: BaseException, path: str) -> str:
    """Return the last line of `path` in an error's traceback, and the innermost line outside of torch and p2smt."""
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
