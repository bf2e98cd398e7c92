"""Schedules of programs that treat several levels as one, from those over fewer levels.

If no grouping of a program uses the boundary between levels l and l + 1, every group varies on both or on neither, so
the program is one over a hierarchy in which the two are one level. Where l + 1 follows l in order of significance, the
dimensions of both also stay side by side and in this order in every buffer: steps place them together, and a block of
open order has both. So the layouts, and the permutations worth choosing, are those of the program over fewer levels:

    schedules(p stretched to n levels) = { s stretched : s in schedules(p) }.

Stretching writes each joined level as its levels, and a class of devices as all classes that become it: a digit of a
joined level is 0 if all its digits are. `schedule.py` searches the programs over fewer levels alone, of which there
are few (`rules/by_boundaries.py`): 6,129 for the 22,680 over five levels, most of them over three or four.

Complexity: linear in the schedule and its 2^n classes of devices; the search that is saved follows every layout of the
buffers of all classes. The method is p2smt's own. A search over all levels (`searched_schedules`) finds the same in
tests, for every goal and order of significance on two and three levels.

Example: (0..2] AllReduce over two levels is (0..1] AllReduce over one, and class 0b10 of the devices becomes class 1.
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import pairwise

from p2smt.reduction.language.instruction import Grouping
from p2smt.reduction.language.language import Step, Steps
from p2smt.reduction.plan.traces import CollectiveMove
from p2smt.reduction.semantics.level_algebra import class_groups, level_mask


class JoinedLevels:
    """Levels 1..n joined to fewer ones: only at the boundaries in `kept` (a bit mask) does a new level begin.

    `significance` has the joined levels in order of significance. Requires that levels which are joined follow each
    other in the order of significance that is given.
    """

    def __init__(self, kept: int, significance: tuple[int, ...]) -> None:
        self._levels = len(significance)
        inner = [boundary for boundary in range(1, self._levels) if kept >> boundary & 1]
        boundaries = (0, *inner, self._levels)
        self._number = {boundary: number for number, boundary in enumerate(boundaries)}
        self._within = [range(first + 1, last + 1) for first, last in pairwise(boundaries)]
        of = {level: number for number, levels in enumerate(self._within, start=1) for level in levels}
        self.significance = tuple(dict.fromkeys(of[level] for level in significance))
        masks = [level_mask(levels) for levels in self._within]
        sets = range(1 << len(masks))
        self._stretched = [sum(mask for place, mask in enumerate(masks) if joined >> place & 1) for joined in sets]
        classes = range(1 << self._levels)
        self._class = [sum(1 << place for place, mask in enumerate(masks) if one & mask) for one in classes]
        # Programs share few steps and moves, so each is stretched once; the caches end with their owner.
        self.step = cache(self._step)
        self.collective = cache(self._collective)
        self.classes = cache(self._classes)

    def _step(self, step: Step) -> Step:
        (outer, inner, masters), collective = step
        return Grouping(self._number[outer], self._number[inner], masters), collective

    def sets(self, joined: Iterable[int]) -> tuple[int, ...]:
        """Return sets of joined levels (bit masks) as sets of levels, in the same order."""
        return tuple(map(self._stretched.__getitem__, joined))

    def layout(self, joined: Iterable[int]) -> tuple[int, ...]:
        """Return a layout over the joined levels as one over all levels."""
        return tuple(level for number in joined for level in self._within[number - 1])

    def _collective(self, move: CollectiveMove, grouping: Grouping) -> CollectiveMove:
        """Return a move in a grouping of all levels; its roots are those of the groups of all levels."""
        held, stretched = dict(move.held), self._stretched
        roots = (group[0] for group in class_groups(grouping, self._levels))
        return CollectiveMove(
            grouping, move.collective, tuple((root, stretched[held[self._class[root]]]) for root in roots)
        )

    def _classes(self, joined: tuple[int, ...], grouping: Grouping | None) -> tuple[int, ...]:
        """Return the classes of devices that become these, in the order in which `BufferRules` would list them.

        `grouping` is that of the next step over all levels, whose members are listed group by group; None at the end.
        """
        every = [one for one, becomes in enumerate(self._class) if becomes in joined]
        if grouping is None:
            return tuple(every)
        members = [one for group in class_groups(grouping, self._levels) for one in group]
        listed = tuple(dict.fromkeys(self._class[one] for one in members if self._class[one] in joined))
        # A choice of the members alone comes before the same choice of all that lie alike, which is listed ascending.
        return tuple(one for one in members if self._class[one] in joined) if listed == joined else tuple(every)


def joined_levels(steps: Steps, significance: tuple[int, ...]) -> JoinedLevels | None:
    """Return the joined levels of a program; None if it uses every boundary, or levels may not be joined."""
    kept = _apart(significance)
    for grouping, _ in steps:
        kept |= 1 << grouping.outer | 1 << grouping.inner
    every = (1 << len(significance)) - 2  # the inner boundaries: 1 to n - 1
    return None if kept & every == every else _joined(kept & every, significance)


@lru_cache(maxsize=1 << 10)
def _joined(kept: int, significance: tuple[int, ...]) -> JoinedLevels:
    return JoinedLevels(kept, significance)


@lru_cache(maxsize=1 << 10)
def _apart(significance: tuple[int, ...]) -> int:
    """Return the boundaries (a bit mask) of levels that do not follow each other in order of significance."""
    follows = set(pairwise(significance))
    return sum(1 << level for level in range(1, len(significance)) if (level, level + 1) not in follows)
