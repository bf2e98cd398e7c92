"""Certificates of a search, which `certificate_check.py` verifies: messages, cuts, cases and cost shifts.

Example: choices a, b, c with links a-b and b-c. Message(a, (b,), ...) claims min over a of what a and the link a-b
cost, as a table over b; Message(b, (c,), ...) the same of b with that table; Message(c, (), ...) the rest. The shifts
and the last table add up to the bound.
"""

from dataclasses import dataclass
from typing import NamedTuple

from p2smt.spmd.engines.simplification import Removal
from p2smt.spmd.engines.table import Table


class Message(NamedTuple):
    """The table that an eliminated choice leaves to its neighbours: a lower bound for each row.

    `table` is the number of a table. `shift` comes on top whatever they choose. Neighbours that have options of no row
    have none that go together with the choice. A table without rows says that nothing goes together.
    """

    choice: int
    neighbours: tuple[int, ...]
    table: int
    shift: int


class Cut(NamedTuple):
    """Options removed from those that are left: `instead[o]` replaces option o, and is o itself where o stays.

    Whatever the other choices are, the replacement costs at most `loss` more, in picoseconds.
    """

    choice: int
    instead: tuple[int, ...]
    loss: int

    @property
    def kept(self) -> tuple[int, ...]:
        """The options that stay, which are numbered anew in this order."""
        return tuple([option for option, other in enumerate(self.instead) if option == other])


Step = Message | Cut


@dataclass(frozen=True, slots=True)
class Branch:
    """One case for each option that is left of a hub."""

    hub: int
    cases: tuple["Case", ...]


MOST_SHIFTED = 2**50
"""Picoseconds that are moved at once: sums of them stay far below what stands for options that do not go together."""


class Shift(NamedTuple):
    """Costs moved from the tables over several choices to the choices themselves; the sum of both stays the same.

    `scope` are the choices, in order. `amounts[p][o]` is taken from every row that has option o of the p-th choice, and
    added to what that option costs; amounts below 0 go the other way. None is beyond `MOST_SHIFTED`.
    """

    scope: tuple[int, ...]
    amounts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Case:
    """Steps with a hub fixed; they end with all choices eliminated, with a table without rows, or with a branch."""

    messages: tuple[Step, ...]
    branch: Branch | None = None


@dataclass(frozen=True, slots=True)
class Certificate:
    """Options removed first, then messages and cuts in order, and the bound that they add up to.

    The bound is the sum of all shifts less the sum of all losses; behind a branch, the least of its cases. Messages
    number the options that are left; alike ones share one of the `tables`. The assignment that comes with it costs at
    most `loss` more than the bound. With `shifts` choices may be left: once these costs are moved, every choice and
    every table counts with its least entry.
    """

    removals: tuple[Removal, ...]
    tables: tuple[Table, ...]
    messages: tuple[Step, ...]
    bound: int
    loss: int = 0
    branch: Branch | None = None
    shifts: tuple[Shift, ...] | None = None
