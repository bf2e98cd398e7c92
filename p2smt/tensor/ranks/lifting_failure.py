"""The reason why SPMD code could not be lifted to one distributed program."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LiftingFailure:
    """The first statement whose arrays could not be read as parts of one tensor, and why."""

    statement: str
    reason: str

    def __str__(self) -> str:
        return f"{self.statement}: {self.reason}" if self.statement else self.reason
