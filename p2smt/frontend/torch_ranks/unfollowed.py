"""Errors that end the tracing of a function."""

from typing import ClassVar


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
