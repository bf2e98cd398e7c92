"""Certificates of a search, which `certificate_check.py` verifies: messages, cuts, branches and cost shifts.

Example: choices a, b, c with links a-b and b-c. Message(a, (b,), ...) claims a table over b, the minimum over a of the
cost of a and the link a-b. Message(b, (c,), ...) claims the minimum over b of b's cost, that table and the link b-c;
Message(c, (), ...) claims the rest. The sum of the shifts and the last table is the bound.
"""

from dataclasses import dataclass
from typing import NamedTuple

from p2smt.spmd.engines.simplification import Removal
from p2smt.spmd.engines.table import Table


class Message(NamedTuple):
    """The table over its neighbours that an eliminated choice is replaced by: a lower bound for each row.

    `table` is the number of a table, and `shift` is added to all of its rows. Combinations of neighbours' options
    that have no row are infeasible; a table without rows claims that the whole problem is infeasible.
    """

    choice: int
    neighbours: tuple[int, ...]
    table: int
    shift: int


class DominatedOptions(NamedTuple):
    """Options removed from those that remain: `instead[o]` replaces option o, and is o itself if o stays.

    Whatever the other choices are, the replacement costs at most `loss` picoseconds more.
    """

    choice: int
    instead: tuple[int, ...]
    loss: int

    @property
    def kept(self) -> tuple[int, ...]:
        """Return the options that stay; afterwards they are renumbered in this order."""
        return tuple([option for option, other in enumerate(self.instead) if option == other])


Step = Message | DominatedOptions


@dataclass(frozen=True, slots=True)
class Branch:
    """A case distinction: one case for each remaining option of a hub, a choice that many others are linked to."""

    hub: int
    cases: tuple["Case", ...]


MOST_SHIFTED = 2**50
"""The most picoseconds moved at once; sums of such amounts stay far below the cost that marks infeasible options."""


class Shift(NamedTuple):
    """Costs moved from the tables over several choices to the choices themselves; the total of both is unchanged.

    `scope` lists the choices in order. `amounts[p][o]` is subtracted from every row with option o of the p-th choice
    and added to the cost of that option; it may be negative, and its magnitude is at most `MOST_SHIFTED`.
    """

    scope: tuple[int, ...]
    amounts: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Case:
    """Steps taken with a hub fixed. They end with all choices eliminated, an infeasible table, or a branch."""

    messages: tuple[Step, ...]
    branch: Branch | None = None


@dataclass(frozen=True, slots=True)
class Certificate:
    """A proof of a lower bound: options removed first, then messages and cuts in order.

    The bound is the sum of all shifts less the sum of all losses, plus the least bound of the cases if there is a
    branch. Messages number the options that remain; equal tables are stored once in `tables`. The accompanying
    assignment costs at most `loss` more than the bound. If `shifts` is not None, choices may remain at the end: after
    these costs are moved, the least entries of all remaining choices and tables are added.
    """

    removals: tuple[Removal, ...]
    tables: tuple[Table, ...]
    messages: tuple[Step, ...]
    bound: int
    loss: int = 0
    branch: Branch | None = None
    shifts: tuple[Shift, ...] | None = None
