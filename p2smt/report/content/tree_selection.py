"""Select the devices of irregular units to draw: all of them, or some units of each shape.

Equal subtrees get equal numbers from the leaves up, by hash consing (tree isomorphism as in Aho, Hopcroft and Ullman,
"The Design and Analysis of Computer Algorithms", 1974, section 3.2, with ordered children):
    shape(unit) = number of the tuple (shape(child) for its children).
Of a unit's children, the first of every shape come before the second of any. The most children per unit for which the
drawing has at most the asked number of devices is found by trying one less each time.
Complexity: O(devices) for the shapes, and for each number of children tried.

Example: three nodes of 8, 8 and 5 GPUs, two of each unit: nodes 0 and 2, one of either shape, and two GPUs in each.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from p2smt.placement.matrix import ParallelismMatrix
from p2smt.problem.system.tree import Tree


@dataclass(frozen=True, slots=True)
class TreeSelection:
    """The devices of a placement on irregular units that a drawing shows: at most `most` children of every unit.

    Children are chosen so that every distinct shape appears once before any shape appears twice.
    """

    matrix: ParallelismMatrix
    tree: Tree
    most: int

    @property
    def units(self) -> tuple[tuple[int, ...], ...]:
        """Per level, the drawn units' indices within their parent, parent after parent."""
        inside, _ = _drawn(self.tree, self.most)
        return tuple(tuple(number for numbers in level for number in numbers) for level in inside)

    @property
    def shape(self) -> Tree:
        """The number of drawn children of every drawn unit, as a tree."""
        inside, _ = _drawn(self.tree, self.most)
        return Tree(tuple(tuple(map(len, level)) for level in inside))

    @property
    def devices(self) -> tuple[int, ...]:
        """The ranks of the drawn devices, ascending."""
        return _drawn(self.tree, self.most)[1]

    @property
    def total(self) -> int:
        """The number of devices, drawn or not."""
        return self.tree.devices

    @property
    def whole(self) -> bool:
        """True if every device is drawn."""
        return len(self.devices) == self.total


def select_units(matrix: ParallelismMatrix, tree: Tree, whole_to: int, else_to: int) -> TreeSelection:
    """Return the devices to draw: all if the tree has up to `whole_to` devices, otherwise at most `else_to`.

    >>> chosen = select_units(ParallelismMatrix(((3, 8),)), Tree(((3,), (8, 8, 5))), 16, 6)
    >>> chosen.devices, chosen.units
    ((0, 1, 16, 17), ((0, 2), (0, 1, 0, 1)))
    """
    if tree.devices <= whole_to:
        return TreeSelection(matrix, tree, max(tree.hull))
    most = next(most for most in range(else_to, 0, -1) if len(_drawn(tree, most)[1]) <= else_to)
    return TreeSelection(matrix, tree, most)


@lru_cache(maxsize=256)
def _drawn(tree: Tree, most: int) -> tuple[tuple[tuple[tuple[int, ...], ...], ...], tuple[int, ...]]:
    """Return, per level and drawn unit, the indices of its drawn children; and the ranks of the drawn devices."""
    shapes, units = _shapes(tree), [0]
    inside = []
    for counts, below in zip(tree.children, shapes, strict=True):
        firsts = _firsts(counts)
        numbers = [_some(below[firsts[unit] : firsts[unit] + counts[unit]], most) for unit in units]
        units = [firsts[unit] + number for unit, own in zip(units, numbers, strict=True) for number in own]
        inside.append(tuple(numbers))
    return tuple(inside), tuple(units)


def _firsts(counts: Sequence[int]) -> list[int]:
    """Return the offset of each unit's first child among all units of the next level, and finally their number."""
    firsts = [0]
    for count in counts:
        firsts.append(firsts[-1] + count)
    return firsts


@lru_cache(maxsize=16)
def _shapes(tree: Tree) -> tuple[tuple[int, ...], ...]:
    """Return, per level, an identifier for every child unit; units with equal subtrees share an identifier."""
    below: tuple[int, ...] = (0,) * tree.devices
    found = [below]
    # From the leaves up: equal tuples of child shapes get the same number (hash consing).
    for counts in reversed(tree.children[1:]):
        firsts, known = _firsts(counts), dict[tuple[int, ...], int]()
        own = (below[first : first + count] for first, count in zip(firsts, counts, strict=False))
        below = tuple(known.setdefault(shape, len(known)) for shape in own)
        found.append(below)
    return tuple(reversed(found))


def _some(shapes: Sequence[int], most: int) -> tuple[int, ...]:
    """Return the indices of at most `most` shapes, taking the first of every distinct shape before any second one.

    >>> _some((0, 0, 0, 1), 2), _some((0, 0, 0, 1), 3)
    ((0, 3), (0, 1, 3))
    """
    seen: dict[int, int] = {}
    turns = []
    for place, shape in enumerate(shapes):
        seen[shape] = seen.get(shape, 0) + 1
        turns.append((seen[shape], place))
    return tuple(sorted(place for _, place in sorted(turns)[:most]))
