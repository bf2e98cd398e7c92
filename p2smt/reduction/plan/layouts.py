"""Buffer layouts that are only decided as far as the steps require.

Problem: the payload is viewed as a tensor with one dimension per level that is ever scattered, and each buffer has its
dimensions in some order. Steps require that orders are equal, or that they start with given dimensions; trying all
orders would take factorial time in the number of dimensions.

Method: unification (Robinson, "A machine-oriented logic based on the resolution principle", 1965). An order of
dimensions is a sequence of blocks, outermost first. The order within a block of several levels is still open; blocks
are the variables, and blocks of the same name will have the same order. `with_equal` compares two orders from the
outside in. At the first difference between blocks A and B, if the levels of A are a subset of those of B, then
    B := A, (B without A)      everywhere,
and vice versa; if neither is a subset of the other, unification fails.
Invariant: the result represents exactly the orders of the input in which the two are equal (a most general unifier). So
no order is lost, and none is decided twice. Each replacement splits a block or identifies two names, so it terminates.

Example: {1, 2} in open order, unified with the order (2, 1): the block becomes 2, 1 in every buffer that has it.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


class Block(NamedTuple):
    """Adjacent dimensions, as a bit mask of their levels; `name` is 0 if there is only one level."""

    levels: int
    name: int


Order = tuple[Block, ...]
"""The dimensions of a buffer, outermost first."""

Orders = tuple[Order | None, ...]
"""The order of the whole payload, then of every device class; None for a class that holds nothing."""


def levels_of(order: Order) -> int:
    """Return the levels (a bit mask) along which the buffer is not sharded."""
    return sum(block.levels for block in order)


def decided(levels: Iterable[int]) -> Order:
    """Return the dimensions of these levels (numbered from 1) in this fixed order.

    >>> decided((2, 1))
    (Block(levels=2, name=0), Block(levels=1, name=0))
    """
    return tuple(Block(1 << (level - 1), 0) for level in levels)


def undecided(levels: int, orders: Orders) -> Order:
    """Return these levels (a bit mask) in open order, under a name that no other buffer uses."""
    if not levels:
        return ()
    if _is_single(levels):
        return (Block(levels, 0),)
    # Many buffers have the same order, whose names are read once.
    return (Block(levels, 1 + max((b.name for order in {*orders} if order is not None for b in order), default=0)),)


def with_equal(orders: Orders, one: Order, other: Order) -> Orders | None:
    """Return the orders after unifying two of them, or None if they conflict.

    `one` and `other` have the same levels.

    >>> with_equal(((Block(3, 1),), (Block(3, 1),)), (Block(3, 1),), decided((2, 1)))
    ((Block(levels=2, name=0), Block(levels=1, name=0)), (Block(levels=2, name=0), Block(levels=1, name=0)))
    """
    # Many buffers have the same order, so replacements are made in the few different ones.
    # Buffers of one layout are unified once: most of thousands of devices have one of a few.
    different = tuple(dict.fromkeys(orders))
    # The two that are compared travel in front, so that every replacement reaches them too.
    known: Orders = (one, other, *different)
    while (difference := _first_difference(known[0], known[1])) is not None:
        # The block with fewer levels decides more about the order, so the larger one is split by it.
        small, large = sorted(difference, key=lambda block: block.levels.bit_count())
        if small.levels & ~large.levels:
            return None
        rest = undecided(large.levels & ~small.levels, known)
        known = _replaced(known, large, (small, *rest))
    return tuple(map(dict(zip(different, known[2:], strict=True)).__getitem__, orders))


def renamed(orders: Orders) -> Orders:
    """Return the orders with block names renumbered in order of appearance, so that equal states compare equal."""
    # Name 0 stands for a single level, whose order is known, so it keeps its number.
    names: dict[int, int] = {0: 0}
    # Many buffers have the same order, which is renamed once.
    known: dict[Order | None, Order | None] = {None: None}
    for order in orders:
        if order is not None and order not in known:
            known[order] = tuple(Block(b.levels, names.setdefault(b.name, len(names))) for b in order)
    return tuple(map(known.__getitem__, orders))


def concrete(order: Order, preference: Sequence[int]) -> tuple[int, ...]:
    """Return the levels of an order, outermost first; open blocks are ordered as in `preference`."""
    # Blocks come in order; inside an open block any order is allowed, so the preferred one is
    # taken.
    return tuple(level for block in order for level in preference if block.levels >> (level - 1) & 1)


def _is_single(levels: int) -> bool:
    # `levels & (levels - 1)` clears the lowest bit: 0 is left of a single level, whose order is never open.
    return not levels & (levels - 1)


def _first_difference(one: Order | None, other: Order | None) -> tuple[Block, Block] | None:
    assert one is not None, "a buffer that is compared exists"
    assert other is not None, "a buffer that is compared exists"
    return next(((a, b) for a, b in zip(one, other, strict=False) if a != b), None)


def _replaced(orders: Orders, old: Block, new: Order) -> Orders:
    def changed(order: Order | None) -> Order | None:
        if order is None or old not in order:
            return order
        place = order.index(old)
        return (*order[:place], *new, *order[place + 1 :])

    return tuple(map(changed, orders))
