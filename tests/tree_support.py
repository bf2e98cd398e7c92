"""Trees of unlike sizes for tests, and programs on them by a definition that shares nothing with the package's."""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

from p2smt.collective import Collective
from p2smt.problem.system.tree import Tree
from p2smt.reduction.language.instruction import Grouping

Path = tuple[int, ...]
Bits = frozenset[tuple[Path, Path]]
"""The (chunk, contributor) pairs that a device holds."""
World = dict[Path, Bits]


def compositions(total: int) -> Iterator[tuple[int, ...]]:
    """All ways to write a number as a sum of numbers from 1 on, in order."""
    if total == 0:
        yield ()
    for first in range(1, total + 1):
        yield from ((first, *rest) for rest in compositions(total - first))


def trees_of(devices: int, levels: int) -> Iterator[Tree]:
    """All trees with this many devices and levels, no level of which has one child everywhere."""
    for children in _levels(devices, levels):
        if all(max(counts) > 1 for counts in children):
            yield Tree(children)


def _levels(devices: int, levels: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    if levels == 1:
        yield ((devices,),)
        return
    for last in compositions(devices):
        yield from ((*above, last) for above in _levels(len(last), levels - 1))


def is_in_order(tree: Tree) -> bool:
    """Whether siblings stand in non-increasing order: one tree of all that differ in the order of siblings only."""
    below: list[tuple[object, ...]] = [()] * tree.devices
    for counts in reversed(tree.children):
        left = iter(below)
        units = [tuple(next(left) for _ in range(count)) for count in counts]
        if any(list(unit) != sorted(unit, key=_key, reverse=True) for unit in units):
            return False
        below = list(units)
    return True


def _key(unit: tuple[object, ...]) -> tuple[int, str]:
    return len(unit), repr(unit)


def paths_of(tree: Tree) -> list[Path]:
    """The digits of every device, unit by unit."""
    reached: list[Path] = [()]
    for counts in tree.children:
        reached = [(*path, digit) for path, count in zip(reached, counts, strict=True) for digit in range(count)]
    return reached


def programs_by_definition(
    tree: Tree, goal: Collective, limit: int
) -> frozenset[tuple[tuple[frozenset[tuple[Path, ...]], Collective], ...]]:
    """All programs as sequences of (groups, collective), by trying all."""
    devices = paths_of(tree)
    start, end = _goal(goal, devices)
    along = _groupings(devices)
    steps = {(groups, collective) for groups in along for collective in Collective}
    found = set()
    frontier: list[tuple[World, tuple[tuple[frozenset[tuple[Path, ...]], Collective], ...]]] = [(start, ())]
    for _ in range(limit):
        reached = []
        for world, program in frontier:
            for groups, collective in steps:
                after = _applied(world, groups, along[groups], collective)
                if after is not None and all(after[device] == bits for device, bits in end.items()):
                    found.add((*program, (groups, collective)))
                elif after is not None:
                    reached.append((after, (*program, (groups, collective))))
        frontier = reached
    return frozenset(found)


def groups_by_definition(tree: Tree, grouping: Grouping) -> frozenset[tuple[Path, ...]]:
    """The groups of two or more devices that agree outside the grouping's levels."""
    together = defaultdict(list)
    for path in paths_of(tree):
        if not grouping.masters or not any(path[grouping.inner :]):
            together[path[: grouping.outer], path[grouping.inner :]].append(path)
    return frozenset(tuple(members) for members in together.values() if len(members) > 1)


def _groupings(devices: list[Path]) -> dict[frozenset[tuple[Path, ...]], range]:
    found: dict[frozenset[tuple[Path, ...]], range] = {}
    levels = len(devices[0])
    for outer, inner, masters in product(range(levels), range(levels + 1), (False, True)):
        if outer < inner and not (masters and inner == levels):
            together = defaultdict(list)
            for path in devices:
                if not masters or not any(path[inner:]):
                    together[path[:outer], path[inner:]].append(path)
            groups = frozenset(tuple(members) for members in together.values() if len(members) > 1)
            found.setdefault(groups, range(outer, inner))
    return found


def _goal(goal: Collective, devices: list[Path]) -> tuple[World, World]:
    own = {d: frozenset((c, d) for c in devices) for d in devices}
    merged = {d: frozenset(product(devices, devices)) for d in devices}
    shards = {d: frozenset((d, j) for j in devices) for d in devices}
    alone: World = {d: merged[d] if d == devices[0] else frozenset() for d in devices}
    match goal:
        case Collective.ALL_REDUCE:
            return own, merged
        case Collective.REDUCE_SCATTER:
            return own, shards
        case Collective.ALL_GATHER:
            return shards, merged
        case Collective.REDUCE:
            return own, {devices[0]: merged[devices[0]]}
        case Collective.BROADCAST:
            return alone, merged


def _applied(world: World, groups: frozenset[tuple[Path, ...]], along: range, collective: Collective) -> World | None:
    after = dict(world)
    for members in groups:
        result = _in_group({member: world[member] for member in members}, along, collective)
        if result is None:
            return None
        after.update(result)
    return after


def _in_group(group: World, along: range, collective: Collective) -> World | None:
    root, held = next(iter(group)), list(group.values())
    union = frozenset().union(*held)
    chunks = [frozenset(chunk for chunk, _ in bits) for bits in held]
    if collective is Collective.BROADCAST:
        fits = bool(held[0]) and union == held[0] and set(held) != {held[0]}
        return dict.fromkeys(group, held[0]) if fits else None
    if collective is Collective.ALL_GATHER:
        even = set(map(len, chunks)) == {len(frozenset().union(*chunks)) / len(group)}
        return dict.fromkeys(group, union) if all(held) and even else None
    if not all(held) or len(set(chunks)) > 1 or sum(map(len, held)) != len(union):
        return None
    if collective is Collective.ALL_REDUCE:
        return dict.fromkeys(group, union)
    if collective is Collective.REDUCE:
        return {member: union if member == root else frozenset() for member in group}
    levels = slice(along.start, along.stop)
    kept = {member: frozenset((c, j) for c, j in union if c[levels] == member[levels]) for member in group}
    share = Fraction(len(chunks[0]), len(group))
    return kept if all(len({c for c, _ in bits}) == share for bits in kept.values()) else None
