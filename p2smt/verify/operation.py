"""The operations of verification plans, and their properties."""

from enum import StrEnum
from functools import lru_cache
from typing import Literal

from p2smt.collective import Collective, Communication, Exchange


class LocalOperation(StrEnum):
    """Operations that every member of a group executes alone.

    COPY writes the source to the target, ADD adds it to the target, SCALE writes it divided by the step's
    divisor, and NEGATE writes it with the opposite sign.
    """

    COPY = "Copy"
    ADD = "Add"
    SCALE = "Scale"
    NEGATE = "Negate"


Operation = Communication | LocalOperation

GoalCollective = Collective | Literal[Exchange.ALL_TO_ALL]
"""A collective that a plan can implement."""

GOAL_COLLECTIVES: tuple[GoalCollective, ...] = (*Collective, Exchange.ALL_TO_ALL)

OPERATIONS: tuple[Operation, ...] = (*Collective, *Exchange, *LocalOperation)


@lru_cache(maxsize=128)
def operation_named(name: str) -> Operation | None:
    """Return the operation with a name in any spelling; None if there is none.

    >>> operation_named("all_reduce"), operation_named("AllToAll"), operation_named("Copy"), operation_named("Gather")
    (<Collective.ALL_REDUCE: 'AllReduce'>, <Exchange.ALL_TO_ALL: 'AllToAll'>, <LocalOperation.COPY: 'Copy'>, None)
    """
    return next((one for one in OPERATIONS if name in _spellings(one)), None)


def _spellings(operation: Operation) -> tuple[str, ...]:
    match operation:
        case LocalOperation():
            return operation.value, operation.value.lower()
        case Collective() | Exchange():
            return operation.value, operation.hyphenated, operation.underscored


def goal_named(name: str) -> GoalCollective | None:
    """Return the collective with a name in any spelling that a plan can implement; None if there is none."""
    operation = operation_named(name)
    return next((one for one in GOAL_COLLECTIVES if one is operation), None)


def adds_members(operation: Operation) -> bool:
    """True if the operation adds up the members' parts."""
    match operation:
        case Collective():
            return operation.adds
        case Exchange() | LocalOperation():
            return False


def has_root(operation: Operation) -> bool:
    """True if one member has a special role."""
    match operation:
        case Collective():
            return operation.from_root or operation.to_root
        case Exchange():
            match operation:
                case Exchange.SEND:
                    return True
                case Exchange.ALL_TO_ALL:
                    return False
        case LocalOperation():
            return False


def reads_target(operation: Operation) -> bool:
    """True if a member also contributes the content of its target."""
    match operation:
        case LocalOperation.ADD:
            return True
        case LocalOperation.COPY | LocalOperation.SCALE | LocalOperation.NEGATE | Collective() | Exchange():
            return False


def changes_sign(operation: Operation) -> bool:
    """True if the result is the content read multiplied by -1."""
    match operation:
        case LocalOperation.NEGATE:
            return True
        case LocalOperation.COPY | LocalOperation.ADD | LocalOperation.SCALE | Collective() | Exchange():
            return False


def has_blocks(operation: Operation) -> bool:
    """True if the source or the target consists of one block per member."""
    return any(blocks_of(operation))


def blocks_of(operation: Operation) -> tuple[bool, bool]:
    """Return two flags: if the source consists of one block per member, and if the target does."""
    match operation:
        case Collective():
            return operation.scatters, operation.gathers
        case Exchange():
            match operation:
                case Exchange.ALL_TO_ALL:
                    return True, True
                case Exchange.SEND:
                    return False, False
        case LocalOperation():
            return False, False


def can_be_in_place(operation: Operation) -> bool:
    """True if source and target may be the same part, in which each member owns one block."""
    scattered, gathered = blocks_of(operation)
    return scattered != gathered


def written(operation: Operation, read: int, members: int) -> int | None:
    """Return the number of chunks written to a member's target, given the number read; None if blocks are uneven."""
    scattered, gathered = blocks_of(operation)
    if scattered and read % members:
        return None
    return read // (members if scattered else 1) * (members if gathered else 1)
