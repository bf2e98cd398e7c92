"""The hops of one group, level by level, without listing its members.

A hop belongs to the outermost level at which its two ends differ. At a level, a group lies in some parent units. In
each parent it has `members[level]` units, numbered from 0, with hops between them, and with bytes that enter or leave a
unit through hops of outer levels. Of parents that look alike only some are listed.

A ring visits members in the order of their numbers, so all members of a unit before the next unit. With m[j] units per
parent at level j it has
    hops[j] = m[0] ... m[j-1] * (m[j] - 1),   one more at the outermost level with m[j] > 1, which closes the ring,
which add up to m[0] ... m[n], one hop per member.

Complexity: O(`FEW`) hops for each level of a ring unless `whole`, O(machines) for trees.
Reference: Patarasu and Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations", 2009.

Example: 2 units of 3 devices; two hops join the units, and two in each unit join its devices.

    >>> [int(level_hops((2, 3), level, HopShape.CYCLE, -1, whole=True).around.sum()) for level in range(2)]
    [2, 4]
"""

from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod
from typing import assert_never

import numpy as np
from numpy.typing import NDArray

from p2smt.cost.network.double_tree import double_tree
from p2smt.cost.network.parallel_trees import tree_ends, tree_shares
from p2smt.cost.network.traffic import HopShape, RingShape

Numbers = NDArray[np.int64]
Amounts = NDArray[np.float64]
Outside = tuple[int, int, float, float]


FEW = 5
"""The most different units in a chain: the first, second, second last, last, and one that represents the others."""


@dataclass(frozen=True, kw_only=True)
class LevelHops:
    """The hops at one level: `amount[i]` bytes go from unit `source[i]` to unit `target[i]` of parent `parent[i]`.

    Hop `i` represents `alike[i]` equal hops in its parent, and `around[i]` hops on the path once around a ring or once
    along a machine's chain. `outside` lists the bytes of hops of outer levels as (parent, unit, bytes in, bytes out).
    Amounts are per byte that a hop of a ring, or one direction of a chain, carries. Unit numbers are below `span`.
    """

    parent: Numbers
    source: Numbers
    target: Numbers
    amount: Amounts
    alike: Numbers
    around: Numbers
    outside: tuple[Outside, ...]
    span: int


def level_hops(members: tuple[int, ...], level: int, shape: HopShape, machine: int, whole: bool) -> LevelHops:
    """Return the hops at one level of a group with `members[j]` units per parent at level `j`, at least 2 in all.

    Levels up to number `machine` are outside machines (-1: none). Unless `whole`, long chains are listed with `FEW`
    units.
    """
    match shape:
        case HopShape.CYCLE | HopShape.FROM_ROOT | HopShape.TO_ROOT:
            return _ring_hops(members, level, shape, whole)
        case HopShape.TREES | HopShape.STAR if level > machine:
            return _chain_hops(members, level, shape, machine, whole)
        case HopShape.TREES:
            return _tree_hops(members, level, machine)
        case HopShape.STAR:
            return _star_hops(members, level, machine, whole)
        case HopShape.DOUBLING:
            return _doubling_hops(members, level)
        case _:
            assert_never(shape)


def _ring_hops(members: tuple[int, ...], level: int, shape: RingShape, whole: bool) -> LevelHops:
    """Return the hops of a ring: a chain in every parent, closed at the outermost level.

    At other levels, bytes enter a chain at unit 0 and leave it at the last unit. A ring from the root lacks the last
    hop, and a ring to the root the first one, so parents 0, 1 and the last can differ.
    """
    into_root, out_of_root = _hops_at_root(shape)
    shared = [number for number, count in enumerate(members) if count > 1]
    outermost, innermost = shared[0], shared[-1]
    chain, parents = _chain(members[level], whole), prod(members[:level])
    last = len(chain)
    hops: list[_Hop] = []
    outside: list[Outside] = []
    # Only three kinds of parents differ: first, second and last.
    for parent in sorted({0, min(1, parents - 1), parents - 1}):
        here = list(chain)
        if level == outermost and into_root:
            here.append((last, 0, 1))
        if level == innermost and not out_of_root and parent == 0:
            here.remove((0, 1, 1))
        # The middle parent stands for all parents between.
        copies = 1 if parent in (0, parents - 1) else parents - 2
        hops += [(parent, source, target, alike, alike * copies) for source, target, alike in here]
        if level > outermost:
            enters = into_root or parent != 0
            leaves = into_root or parent != parents - 1
            if level > innermost and not out_of_root:
                enters, leaves = parent != 1, parent != 0
            outside += [(parent, 0, float(enters), 0.0), (parent, last, 0.0, float(leaves))]
    return _listed(hops, outside, last + 1)


def _hops_at_root(shape: RingShape) -> tuple[bool, bool]:
    """Return (True if there is a hop into the root, True if there is a hop out of the root)."""
    match shape:
        case HopShape.CYCLE:
            return True, True
        case HopShape.FROM_ROOT:
            return False, True
        case HopShape.TO_ROOT:
            return True, False
        case _:
            assert_never(shape)


def _chain_hops(members: tuple[int, ...], level: int, shape: HopShape, machine: int, whole: bool) -> LevelHops:
    """Return a chain in every machine with bytes in both directions; trees or switches connect to its first member."""
    chain, parents = _chain(members[level], whole), prod(members[machine + 1 : level])
    last = len(chain)
    hops: list[_Hop] = []
    outside: list[Outside] = []
    places = sorted({0, min(1, parents - 1), parents - 1})
    # only: a machine passes one byte on to switches that add, and more to other machines of a tree
    adds_outside = shape is HopShape.STAR and prod(members[: machine + 1]) > 1
    through_machines = [(1.0, 1.0)] if adds_outside else _machine_bytes(members, machine)
    seen = [(place, through) for place in places for through in through_machines]
    for number, (parent, (entering, leaving)) in enumerate(seen):
        hops += [(number, a, b, alike, 0 if number else alike * parents) for a, b, alike in chain]
        hops += [(number, b, a, alike, 0) for a, b, alike in chain]
        outside.append((number, 0, entering, leaving) if parent == 0 else (number, 0, 1.0, 1.0))
        if parent < parents - 1:
            outside.append((number, last, 1.0, 1.0))
    return _listed(hops, outside, last + 1)


_Hop = tuple[int, int, int, int, int]


def _chain(units: int, whole: bool) -> list[tuple[int, int, int]]:
    """Return the hops of a chain as (unit, next unit, number of hops represented)."""
    if whole or units <= FEW:
        return [(unit, unit + 1, 1) for unit in range(units - 1)]
    # The hop from 1 to 2 stands for all those between units in the middle.
    return [(0, 1, 1), (1, 2, units - FEW + 1), (2, 3, 1), (3, 4, 1)]


def _listed(hops: list[_Hop], outside: list[Outside], span: int) -> LevelHops:
    parent, source, target, alike, around = np.array(hops, dtype=np.int64).reshape(-1, 5).T
    return LevelHops(
        parent=parent,
        source=source,
        target=target,
        amount=np.ones(len(hops)),
        alike=alike,
        around=around,
        outside=tuple(outside),
        span=span,
    )


def _tree_hops(members: tuple[int, ...], level: int, machine: int) -> LevelHops:
    """Return the edges of the two trees between machines; each edge carries half of the bytes up and half down."""
    ends = _tree_ends(members, machine)
    return _hops_of_ends(members, level, ends // prod(members[level + 1 : machine + 1]), np.full(ends.shape[1], 0.5))


def _hops_of_ends(members: tuple[int, ...], level: int, units: Numbers, amounts: Amounts) -> LevelHops:
    """Return the hops at a level, given the units that all hops of a group leave and enter; `around` is 0."""
    parents = units // members[level]
    further = parents[0] != parents[1]
    crossing = ~further & (units[0] != units[1])
    source, target = units[:, crossing] % members[level]
    passed = [np.bincount(units[row, further], weights=amounts[further]) for row in (1, 0)]
    span = max(column.size for column in passed)
    entering, leaving = (np.pad(column, (0, span - column.size)) for column in passed)
    touched = np.flatnonzero(entering + leaving).tolist()
    return LevelHops(
        parent=parents[0, crossing],
        source=source,
        target=target,
        amount=amounts[crossing],
        alike=np.ones_like(source),
        around=np.zeros_like(source),
        outside=tuple((*divmod(unit, members[level]), float(entering[unit]), float(leaving[unit])) for unit in touched),
        span=members[level],
    )


def _star_hops(members: tuple[int, ...], level: int, machine: int, whole: bool) -> LevelHops:
    """Return hops from every unit of machines to switches that reduce, and back; each port has the bytes of a ring.

    One hop, at the outermost level, counts for latency.
    """
    if prod(members[: machine + 1]) == 1:
        return _listed([], [], 1)
    hops = _ring_hops(members[: machine + 1], level, HopShape.CYCLE, whole)
    around = np.zeros_like(hops.around)
    around[:1] = level == _outermost(members)
    return replace(hops, around=around)


def _doubling_hops(members: tuple[int, ...], level: int) -> LevelHops:
    """Return hops to the units 1, 2, 4 ... further; for latency, one hop per length counts, at the outermost level."""
    ends, amounts = tree_ends(members)
    hops = _hops_of_ends(members, level, ends // prod(members[level + 1 :]), amounts)
    around = np.zeros_like(hops.around)
    around[:1] = len(tree_shares(prod(members))) if level == _outermost(members) else 0
    return replace(hops, around=around)


def _outermost(members: tuple[int, ...]) -> int:
    return next(level for level, count in enumerate(members) if count > 1)


def _tree_ends(members: tuple[int, ...], machine: int) -> Numbers:
    """Return the source and target machines of both trees' traffic, one column per edge and direction."""
    machines = prod(members[: machine + 1])
    columns = []
    for parents in double_tree(machines):
        # The root of a tree has no parent (-1).
        children = np.flatnonzero(parents >= 0)
        columns += [np.stack([children, parents[children]]), np.stack([parents[children], children])]
    return np.concatenate(columns, axis=1)


def _machine_bytes(members: tuple[int, ...], machine: int) -> list[tuple[float, float]]:
    """Return the distinct pairs (bytes in, bytes out) of machines, ascending."""
    machines = prod(members[: machine + 1])
    if machines == 1:
        return [(0.0, 0.0)]
    sources, targets = _tree_ends(members, machine)
    entering, leaving = np.bincount(targets, minlength=machines), np.bincount(sources, minlength=machines)
    # A pair (entering, leaving) as one number, so that numpy counts pairs; counts are halves of the bytes.
    span = int(leaving.max()) + 1
    pairs = np.flatnonzero(np.bincount(entering * span + leaving)).tolist()
    return [(pair // span / 2, pair % span / 2) for pair in pairs]


@lru_cache(maxsize=1024)
def tree_hops_to_root(members: tuple[int, ...], machine: int, latencies: tuple[float, ...]) -> tuple[int, ...]:
    """Return the numbers of hops per level on the slowest path from a machine to the root of one of its two trees.

    `latencies[j]` is the latency of a hop at level `j`, in seconds.
    """
    machines = prod(members[: machine + 1])
    prices = np.array(latencies[: machine + 1])
    slowest = np.zeros(machine + 1, dtype=np.int64)
    for parents in double_tree(machines):
        above = np.where(parents < 0, np.arange(machines), parents)
        hops = _edge_levels(members, machine, above)
        # Pointer jumping: each round doubles the part of the way to the root that is added up, O(log depth) rounds.
        while (above[above] != above).any():
            hops, above = hops + hops[:, above], above[above]
        found = hops[:, int(np.argmax(prices @ hops))]
        slowest = max((slowest, found), key=lambda way: float(prices @ way))
    return tuple(slowest.tolist())


def _edge_levels(members: tuple[int, ...], machine: int, above: Numbers) -> Numbers:
    """Return an array (levels, machines): 1 at the outermost level at which a machine and its parent differ, else 0."""
    own = np.arange(above.size)
    levels = np.zeros((machine + 1, above.size), dtype=np.int64)
    free = np.ones(above.size, dtype=bool)
    for level in range(machine + 1):
        inside = prod(members[level + 1 : machine + 1])
        differs = own // inside != above // inside
        levels[level] = differs & free
        # A hop belongs to the outermost level at which its ends differ, so later levels skip it.
        free &= ~differs
    return levels
