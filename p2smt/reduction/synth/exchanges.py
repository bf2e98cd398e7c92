"""Programs for an all-to-all: one after the other along ranges of levels, in some order.

Blocks first go to the device with the right digits on one range of levels, then on the next, until all are where they
belong (hierarchical all-to-all, as in DeepSpeed-MoE, 2022, section 5.3).
"""

from collections.abc import Iterator

from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.language import Language

Exchange = tuple[Grouping, ...]
"""The groups of one all-to-all after the other."""


def exchanges(language: Language, limit: int) -> tuple[Exchange, ...]:
    """Every order of disjoint groupings that cover all levels, at most `limit` of them, the shortest first.

    >>> from p2smt.reduction.language.language import full_language
    >>> len(exchanges(full_language(2), 5)), len(exchanges(full_language(3), 5))
    (3, 11)
    """
    usable = [grouping for grouping in language.groupings if not grouping.masters]
    found = _covering(usable, frozenset(range(1, language.levels + 1)), limit)
    return tuple(sorted(found, key=lambda exchange: (len(exchange), exchange)))


def _covering(usable: list[Grouping], left: frozenset[int], limit: int) -> Iterator[Exchange]:
    if not left:
        yield ()
    elif limit:
        for grouping in usable:
            if left.issuperset(grouping.levels):
                for rest in _covering(usable, left.difference(grouping.levels), limit - 1):
                    yield (grouping, *rest)
