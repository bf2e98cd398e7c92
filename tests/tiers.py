"""How much of a large set of cases the tier that runs tries.

`scripts/test` runs the standard tier: every kind of case, a few of each. `scripts/test --all` runs the full tier: all
cases, the tests marked `thorough`, and twenty times as many examples of every property. A test says how it is cut:

    @pytest.mark.parametrize("sizes", sample(ALL_SIZES, 4))    # evenly spaced; all of them in the full tier
    @settings(max_examples=examples(4))                        # 4; 80 in the full tier
    @pytest.mark.thorough                                      # the full tier alone

A case goes into the full tier only if the standard one notices the same faults without it; `scripts/mutate.py` says
which faults it does not notice.
"""

import os
from collections.abc import Iterable
from typing import TypeVar

VARIABLE = "P2SMT_TEST_TIER"
"""Set by conftest before any module of tests is imported."""
FULL = "full"
MORE_EXAMPLES = 20

Case = TypeVar("Case")


def is_full() -> bool:
    """Whether the full tier runs."""
    return os.environ.get(VARIABLE) == FULL


def examples(count: int) -> int:
    """The number of examples of a property: `count`, twenty times as many in the full tier."""
    return count * MORE_EXAMPLES if is_full() else count


def sample(cases: Iterable[Case], count: int) -> list[Case]:
    """All cases in the full tier; otherwise `count` of them, evenly spaced, the first and the last among them.

    >>> evenly_spaced("abcdefg", 3), evenly_spaced("ab", 3), evenly_spaced("abc", 1)
    (['a', 'd', 'g'], ['a', 'b'], ['a'])
    """
    return list(cases) if is_full() else evenly_spaced(cases, count)


def evenly_spaced(cases: Iterable[Case], count: int) -> list[Case]:
    """`count` of the cases, or all if there are fewer, the first and the last among them."""
    known = list(cases)
    if count >= len(known):
        return known
    if count == 1:
        return known[:1]
    return [known[round(index * (len(known) - 1) / (count - 1))] for index in range(count)]
