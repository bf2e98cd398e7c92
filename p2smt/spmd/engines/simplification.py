"""Remove options that cannot be needed: those without a compatible partner, and dominated ones.

Two rules are applied until nothing changes:

    unsupported  a link leaves the option no option of the other choice (arc consistency; Mackworth, "Consistency in
                 networks of relations", 1977);
    dominated    another option a of its choice has cost[a] <= cost[o] and is compatible with all that o is compatible
                 with (neighbourhood substitution; Freuder, "Eliminating interchangeable values", AAAI 1991).

Neither removal raises the optimum. Dominance ignores limits, so problems with limits keep dominated options.
Complexity: a choice is visited again only when a neighbour lost an option; comparing its options takes the square of
their number, each comparison being one operation on bit masks.

Example: option b1 is compatible with no option of a, so it is unsupported. Then a1 and a2 are both compatible with b2
only, and a2, which costs more, is dominated.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from p2smt.spmd.engines.bits import picked, transposed
from p2smt.spmd.engines.problem import Choice, Compatibility, JointProblem


class Removal(NamedTuple):
    """A removed option: `instead` dominates it, or link number `link` leaves it no partner."""

    choice: int
    option: int
    instead: int | None = None
    link: int | None = None


@dataclass(frozen=True, slots=True)
class SimplifiedProblem:
    """The simplified problem, the removals in order, and each choice's remaining options by their old numbers."""

    problem: JointProblem
    removals: tuple[Removal, ...]
    kept: tuple[tuple[int, ...], ...]


def simplify(problem: JointProblem, known: "SimplificationCache | None" = None) -> SimplifiedProblem:
    """Return the problem without unsupported and dominated options; a choice can end up without any option.

    `known` caches results for problems with equal parts.
    """
    return _Simplifier(problem, known or SimplificationCache()).run()


_MANY_OPTIONS = 24
"""The number of different sets of compatible options above which numpy compares all pairs of them."""

_ROWS = 64
"""The number of sets that are compared with all earlier ones at once."""

_Rule = tuple[int, int | None, int | None]
"""A removal without its choice: the option, its replacement, and the position of the link that leaves it no partner."""


@dataclass(slots=True)
class SimplificationCache:
    """Cached removals and restricted links, with costs and masks by number; usable for any number of problems."""

    masks: list[tuple[int, ...]] = field(default_factory=list)
    numbers: dict[tuple[int, ...], int] = field(default_factory=dict)
    sides: dict[tuple[tuple[int, ...], int], tuple[int, int]] = field(default_factory=dict)
    alike: dict[tuple[tuple[int, ...], tuple[int, ...]], int] = field(default_factory=dict)
    lost: dict[tuple[int, ...], tuple[int, tuple[_Rule, ...]]] = field(default_factory=dict)
    restricted: dict[tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]], tuple[int, ...]] = field(
        default_factory=dict
    )

    def number(self, masks: tuple[int, ...]) -> int:
        """Return the number of a link's masks."""
        if masks not in self.numbers:
            self.numbers[masks] = len(self.masks)
            self.masks.append(masks)
        return self.numbers[masks]


class _Simplifier:
    """Simplifies a problem; equal choices with equal neighbours lose the same options, computed once."""

    def __init__(self, problem: JointProblem, known: SimplificationCache) -> None:
        self._problem = problem
        self._known = known
        self._present = [(1 << len(choice.costs)) - 1 for choice in problem.choices]
        self._removals: list[Removal] = []
        self._near: list[list[tuple[int, int, int]]] = [[] for _ in problem.choices]
        for number, link in enumerate(problem.links):
            key = (link.allowed, len(problem.choices[link.right].costs))
            if key not in known.sides:
                known.sides[key] = known.number(link.allowed), known.number(transposed(*key))
            left, right = known.sides[key]
            self._near[link.left].append((number, link.right, left))
            self._near[link.right].append((number, link.left, right))
        # what a choice loses depends on this number, and on the options present in it and in its neighbours
        self._alike = [
            known.alike.setdefault((choice.costs, tuple([masks for _, _, masks in near])), len(known.alike))
            for choice, near in zip(problem.choices, self._near, strict=True)
        ]
        self._others = [tuple([other for _, other, _ in near]) for near in self._near]

    def run(self) -> SimplifiedProblem:
        waiting = list(reversed(range(len(self._present))))
        queued = [True] * len(waiting)
        while waiting:
            choice = waiting.pop()
            queued[choice] = False
            if self._reduce(choice):
                for other in self._others[choice]:
                    if not queued[other]:
                        queued[other] = True
                        waiting.append(other)
        kept: dict[int, tuple[int, ...]] = {mask: _options(mask) for mask in set(self._present)}
        every = tuple([kept[mask] for mask in self._present])
        return SimplifiedProblem(restricted(self._problem, every, self._known), tuple(self._removals), every)

    def _reduce(self, choice: int) -> bool:
        """Remove options of a choice; True if any was removed."""
        before, near = self._present[choice], self._near[choice]
        alike = (self._alike[choice], before, *map(self._present.__getitem__, self._others[choice]))
        if alike not in self._known.lost:
            self._known.lost[alike] = self._reduced(choice)
        after, removals = self._known.lost[alike]
        for option, instead, position in removals:
            link = None if position is None else near[position][0]
            self._removals.append(Removal(choice, option, instead, link))
        self._present[choice] = after
        return after != before

    def _reduced(self, choice: int) -> tuple[int, tuple[_Rule, ...]]:
        """Return the remaining options of a choice, and the removals in order."""
        costs, left = self._problem.choices[choice].costs, self._present[choice]
        near = [(self._known.masks[masks], self._present[other]) for _, other, masks in self._near[choice]]
        fits: dict[int, list[int]] = {}
        removals: list[_Rule] = []
        for option in _options(left):
            masks = [allowed[option] & present for allowed, present in near]
            if all(masks):
                fits[option] = masks
            else:
                removals.append((option, None, masks.index(0)))
        if not self._problem.limits:
            removals += _dominated(costs, fits, [present.bit_length() for _, present in near])
        for option, _, _ in removals:
            left &= ~(1 << option)
        return left, tuple(removals)


def _dominated(costs: tuple[int, ...], fits: dict[int, list[int]], widths: list[int]) -> list[_Rule]:
    """Return the removals of dominated options; `widths` are the bits of each link's mask.

    The compatible options of an option along all links are compared as one number, the concatenated masks.
    """
    wide: dict[int, int] = {}
    for option, masks in fits.items():
        every = 0
        for mask, width in zip(masks, widths, strict=True):
            every = (every << width) | mask
        wide[option] = every
    order = sorted(wide, key=lambda option: (costs[option], -wide[option].bit_count(), option))
    # What goes with the same as an earlier option costs as much or more, so one option stands for each set.
    firsts: dict[int, int] = {}
    for option in order:
        firsts.setdefault(wide[option], option)
    instead = _replacements(firsts, sum(widths))
    return [(option, instead[wide[option]], None) for option in order if instead[wide[option]] != option]


def _replacements(firsts: dict[int, int], width: int) -> dict[int, int]:
    """Return for each set, as bits, the first option that is kept and has all of it; `firsts` has an option of each."""
    if len(firsts) > _MANY_OPTIONS:
        return _compared_at_once(firsts, width)
    kept: list[tuple[int, int]] = []
    instead: dict[int, int] = {}
    for mine, option in firsts.items():
        other = next((other for other, theirs in kept if not mine & ~theirs), None)
        instead[mine] = option if other is None else other
        if other is None:
            kept.append((option, mine))
    return instead


def _compared_at_once(firsts: dict[int, int], width: int) -> dict[int, int]:
    """Return the same as `_replacements`, with all pairs of sets compared by numpy, one word after the other."""
    sets, options = list(firsts), list(firsts.values())
    wide = -(-width // 64) * 8
    words = np.frombuffer(b"".join([each.to_bytes(wide, "little") for each in sets]), dtype=np.uint64)
    # One row for each word of all sets, so that a comparison of one word reads consecutive memory.
    columns = np.ascontiguousarray(words.reshape(len(sets), -1).T)
    found: list[int] = []
    lacking = ~columns
    for begin in range(0, len(sets), _ROWS):
        end = min(begin + _ROWS, len(sets))
        # has[i, j]: set j < i has all of set i, for the rows of a block, so that comparisons stay in the cache
        has = np.tri(end - begin, end, k=begin - 1, dtype=bool)
        for column, without in zip(columns, lacking, strict=True):
            has &= (column[begin:end, None] & without[:end]) == 0
        for row in np.flatnonzero(has.any(axis=1)).tolist():
            if len(found) == 0:
                found = list(range(len(sets)))
            # Sets that are replaced replace nothing; what has all of them has all of this one, too.
            having = np.flatnonzero(has[row]).tolist()
            found[begin + row] = next((each for each in having if found[each] == each), begin + row)
    return {each: options[found[row] if found else row] for row, each in enumerate(sets)}


def _options(mask: int) -> tuple[int, ...]:
    return tuple([option for option, bit in enumerate(f"{mask:b}"[::-1]) if bit == "1"])


def restricted(
    problem: JointProblem, kept: tuple[tuple[int, ...], ...], known: SimplificationCache | None = None
) -> JointProblem:
    """Return the problem with only these options, renumbered."""
    choices = tuple(
        [
            choice
            if len(options) == len(choice.costs)
            else Choice(choice.name, tuple([choice.costs[option] for option in options]))
            for choice, options in zip(problem.choices, kept, strict=True)
        ]
    )
    made = (known or SimplificationCache()).restricted
    links = []
    for link in problem.links:
        key = (link.allowed, kept[link.left], kept[link.right])
        if key not in made:
            masks = [link.allowed[option] for option in kept[link.left]]
            made[key] = picked(masks, kept[link.right], len(problem.choices[link.right].costs))
        links.append(Compatibility(link.left, link.right, made[key]))
    return JointProblem(choices, tuple(links))
