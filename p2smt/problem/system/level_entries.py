"""The `[[level]]` tables of system files, with one size per level, or one per parent unit."""

from collections.abc import Sequence
from math import prod

import msgspec

from p2smt.errors import ProblemError
from p2smt.problem.system.network import Level, System
from p2smt.problem.system.tree import Tree, check_tree, machine_tree, tree_of


class LevelEntry(msgspec.Struct, frozen=True, omit_defaults=True):
    """One `[[level]]` table; bandwidth and latency (text with a unit) are for levels without a `[[link]]`.

    `size` is one number or, if units are irregular, one number per unit of the level above.
    """

    name: str
    size: int | tuple[int, ...]
    bandwidth: str | int | float | None = None
    latency: str | int | float | None = None


def levels_of(entries: Sequence[LevelEntry], place: str) -> tuple[tuple[Level, ...], Tree | None]:
    """Return the levels with the sizes of their largest units, and the tree if some level lists sizes.

    Raises ProblemError for inconsistent lists; `place` is for messages.
    """
    sizes = [entry.size if isinstance(entry.size, tuple) else (entry.size,) for entry in entries]
    for entry, counts in zip(entries, sizes, strict=True):
        if not counts:
            raise ProblemError(
                f"{place}: level {entry.name[:64]} has no sizes; give a number, or one for each unit above"
            )
    levels = tuple(Level(entry.name, max(counts)) for entry, counts in zip(entries, sizes, strict=True))
    if all(isinstance(entry.size, int) for entry in entries) or any(size < 1 for counts in sizes for size in counts):
        return levels, None
    tree = tree_of(sizes)
    check_tree(tree, [level.size for level in levels])
    return levels, tree


def level_entries(system: System) -> tuple[LevelEntry, ...]:
    """Return the levels, listing sizes per unit only if the kinds of machines do not imply them."""
    if system.tree is None or _is_said_by_kinds(system, system.tree):
        return tuple(LevelEntry(level.name, level.size) for level in system.levels)
    rows = zip(system.levels, system.tree.children, strict=True)
    return tuple(LevelEntry(level.name, counts if len({*counts}) > 1 else level.size) for level, counts in rows)


def _is_said_by_kinds(system: System, tree: Tree) -> bool:
    """True if these kinds, with one size per level, imply the tree."""
    devices = [system.inside if kind.devices is None else kind.devices for kind in system.kinds]
    given = [each for each, kind in zip(devices, system.kinds, strict=True) for _ in range(kind.machines)]
    above, inside = system.sizes[: system.machine + 1], system.sizes[system.machine + 1 :]
    return len(given) == prod(above) and machine_tree(above, given, inside) == tree
