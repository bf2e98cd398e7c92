"""The device groups of an instruction."""

from p2smt.placement.groups import DigitGroups
from p2smt.placement.tree import Shape, digits_of, hull_of, present_groups
from p2smt.problem.system.tree import Tree
from p2smt.reduction.language.instruction import Grouping

Groups = tuple[tuple[int, ...], ...]
Blocks = tuple[frozenset[int], ...]


def groups_of(shape: Shape, grouping: Grouping) -> Groups:
    """Return the groups of a grouping on a hierarchy in ascending order, with members in ascending order.

    On an irregular tree, a group with only one existing member is omitted.

    >>> groups_of((2, 3), Grouping(0, 1))
    ((0, 3), (1, 4), (2, 5))
    >>> groups_of((2, 3), Grouping(0, 1, masters=True))
    ((0, 3),)
    >>> groups_of(Tree(((2,), (3, 1))), Grouping(0, 1))
    ((0, 3),)
    """
    below = grouping.below(len(hull_of(shape)))
    if isinstance(shape, Tree):
        return tuple(present_groups(shape, grouping.levels, below))
    # Levels count from 1, positions in a shape from 0.
    varying, zero = (tuple(level - 1 for level in levels) for levels in (grouping.levels, below))
    return tuple(DigitGroups(tuple(shape), varying, zero))


def own_chunks(shape: Shape, device: int, levels: range) -> frozenset[int]:
    """Return the chunks whose digits on `levels` equal the device's: its block in an aligned scatter.

    >>> sorted(own_chunks((2, 3), 4, range(1, 2)))
    [3, 4, 5]
    """
    digits = digits_of(shape)
    own = digits[device]
    # Chunks are numbered as devices are, so that "the chunk of a device" is the one with its digits.
    return frozenset(c for c, of in enumerate(digits) if all(of[level - 1] == own[level - 1] for level in levels))


def groups_with_blocks(shape: Shape, grouping: Grouping) -> tuple[tuple[tuple[int, ...], Blocks], ...]:
    """Return the groups of a grouping, each with its members' own chunks on the levels that vary inside it.

    >>> [[sorted(block) for block in blocks] for _, blocks in groups_with_blocks((2, 2), Grouping(0, 1))]
    [[[0, 1], [2, 3]], [[0, 1], [2, 3]]]
    """
    keys = [digits[grouping.outer : grouping.inner] for digits in digits_of(shape)]
    chunks: dict[tuple[int, ...], set[int]] = {}
    for chunk, key in enumerate(keys):
        chunks.setdefault(key, set()).add(chunk)
    own = {key: frozenset(some) for key, some in chunks.items()}
    return tuple((members, tuple(own[keys[device]] for device in members)) for members in groups_of(shape, grouping))
