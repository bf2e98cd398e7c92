"""Programs for an all-to-all: a sequence of all-to-alls along disjoint ranges of levels.

After the step along a range, every block is on a device whose digits on that range are those of its destination
(hierarchical all-to-all, as in DeepSpeed-MoE, 2022, section 5.3).

Method: backtracking over exact covers of the levels 1..n by ranges, in every order. A cover by m ranges is a
composition of n into m parts, so with all ranges usable there are
    sum over m = 1 ... min(n, limit) of  C(n - 1, m - 1) * m!   programs.
Example: for n = 3 there is 1 with one range, 2 * 2 with two and 1 * 6 with three: 11.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.language import Language


@dataclass(frozen=True, slots=True)
class AllToAllProgram:
    """A sequence of all-to-alls, one per grouping, in all its groups at once; blocks are reordered between them."""

    groupings: tuple[Grouping, ...]


def all_to_all_programs(language: Language, limit: int) -> tuple[AllToAllProgram, ...]:
    """Return all sequences of at most `limit` disjoint groupings that together cover all levels, shortest first.

    >>> from p2smt.reduction.language.language import full_language
    >>> len(all_to_all_programs(full_language(2), 5)), len(all_to_all_programs(full_language(3), 5))
    (3, 11)
    """
    usable = [grouping for grouping in language.groupings if not grouping.masters]
    found = _covering(usable, frozenset(range(1, language.levels + 1)), limit)
    return tuple(map(AllToAllProgram, sorted(found, key=lambda groupings: (len(groupings), groupings))))


def _covering(usable: list[Grouping], left: frozenset[int], limit: int) -> Iterator[tuple[Grouping, ...]]:
    if not left:
        yield ()
    elif limit:
        for grouping in usable:
            if left.issuperset(grouping.levels):
                for rest in _covering(usable, left.difference(grouping.levels), limit - 1):
                    yield (grouping, *rest)
