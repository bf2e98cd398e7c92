"""Repeated parts of a joint problem, such as the layers of a model: found by a shift that maps each part to the next.

Seeds: choices are numbered in the order of a program, so that their classes (costs, and what their links allow) repeat
with a period there. One choice of a rare class in each period is mapped to that of the next period.
Growth: where a goes to b, the neighbours of a go to those of b, link by link in order, as long as classes agree. What
is mapped to itself, such as a mask that all layers read, is a hub and is not gone through.
Parts: what lies nearest to a seed makes a part with it; a part owns the links of its choices that the shift maps to the
same of every other part. All the rest is one more part. Nothing rests on this being right: `parts_check.py` compares
every part with the whole. Complexity: linear in the links, apart from sorting.

Example: choices a0 - b0 - a1 - b1 - a2 - b2, all links alike in turn, have the parts (a0, b0), (a1, b1), (a2, b2).
"""

from collections import Counter, deque
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from p2smt.spmd.engines.problem import JointProblem

_FEWEST = 4
"""The fewest equal parts for which folding pays."""

_PERIODS = 8
"""The number of periods that are tried: the most frequent distances between choices of a class."""


@dataclass(frozen=True, slots=True)
class Repetition:
    """Parts that are alike: of each its choices and its links, by their numbers, in the same order.

    The first `home` of a part's choices are its own; others belong to another part, or to the rest, and are read.
    `shifted` has for each of those that belong to a part the position of the choice that is its like in this part.
    """

    choices: tuple[tuple[int, ...], ...]
    links: tuple[tuple[int, ...], ...]
    home: int
    shifted: tuple[tuple[int, int], ...]


def repetition(problem: JointProblem) -> Repetition | None:
    """The parts of a problem that are alike; None where few are."""
    structure = _Structure.of(problem)
    seeds = structure.seeds()
    return None if len(seeds) < _FEWEST else _Growth(structure, seeds).parts()


@dataclass(frozen=True, slots=True)
class _Structure:
    """For each choice its class, and its links by what they allow and the side that it is on."""

    problem: JointProblem
    classes: list[int]
    near: list[dict[tuple[int, bool], list[int]]]
    masks: list[int]

    @classmethod
    def of(cls, problem: JointProblem) -> "_Structure":
        numbers: dict[object, int] = {}
        masks = [numbers.setdefault(link.allowed, len(numbers)) for link in problem.links]
        near: list[dict[tuple[int, bool], list[int]]] = [{} for _ in problem.choices]
        for link, mask in zip(problem.links, masks, strict=True):
            near[link.left].setdefault((mask, True), []).append(link.right)
            near[link.right].setdefault((mask, False), []).append(link.left)
        classes = []
        for choice, mine in zip(problem.choices, near, strict=True):
            costs = numbers.setdefault(choice.costs, len(numbers))
            # A choice's class is its costs and the kinds of its links, not which choices they lead
            # to.
            key = costs, tuple(sorted([(*each, len(others)) for each, others in mine.items()]))
            classes.append(numbers.setdefault(key, len(numbers)))
        return cls(problem, classes, near, masks)

    def seeds(self) -> list[int]:
        """A choice of each repeated part, in order."""
        classes = np.array(self.classes)
        places: dict[int, list[int]] = {}
        for choice, each in enumerate(self.classes):
            places.setdefault(each, []).append(choice)
        distances = Counter(
            after - before for mine in places.values() if len(mine) >= _FEWEST for before, after in pairwise(mine)
        )
        best: tuple[int, int, int] = (0, 0, 0)
        # Frequent and long periods first: long ones cover the whole layer.
        for period, _ in sorted(distances.items(), key=lambda pair: -pair[0] * pair[1])[:_PERIODS]:
            length, start = _longest_run(classes[:-period] == classes[period:])
            # A run shorter than its period is no repetition.
            best = max(best, (length if length > period else 0, -period, start))
        length, period, start = best[0], -best[1], best[2]
        if not length:
            return []
        # A rare class is least ambiguous to map from one period to the next.
        seed = min(range(start, start + period), key=lambda choice: len(places[self.classes[choice]]))
        return list(range(seed, start + length + period, period))


def _longest_run(same: "np.typing.NDArray[np.bool_]") -> tuple[int, int]:
    """The length of the longest run of true entries, and where it begins."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], same, [False])).astype(np.int8)))
    starts, ends = edges[::2], edges[1::2]
    if not len(starts):
        return 0, 0
    longest = int(np.argmax(ends - starts))
    return int(ends[longest] - starts[longest]), int(starts[longest])


@dataclass(slots=True)
class _Growth:
    """The shift as far as it is known: `after` maps a choice to its like in the next part, `before` back."""

    structure: _Structure
    seeds: list[int]
    after: dict[int, int] = field(default_factory=dict)
    before: dict[int, int] = field(default_factory=dict)
    hubs: set[int] = field(default_factory=set)
    label: dict[int, int] = field(default_factory=dict)

    def parts(self) -> Repetition | None:
        """The parts between the first and the last that are alike."""
        self._grow()
        chains = self._chains()
        longest = max(map(len, chains), default=0)
        # Short chains come from the ends of the model.
        chains = [chain for chain in chains if 2 * len(chain) > longest]
        self.label = self._labelled(chains)
        low = max([self.label[chain[0]] for chain in chains], default=0)
        high = min([self.label[chain[-1]] for chain in chains], default=-1)
        return self._cut(low, high) if high - low + 1 >= _FEWEST else None

    def _grow(self) -> None:
        near = self.structure.near
        waiting = deque([pair for pair in pairwise(self.seeds) if self._pair(*pair)])
        while waiting:
            one, other = waiting.popleft()
            for key, mine in near[one].items():
                theirs = near[other].get(key, [])
                if len(mine) == len(theirs):
                    waiting += [pair for pair in zip(mine, theirs, strict=True) if self._pair(*pair)]
        for hub in self.hubs:
            if hub in self.after:
                del self.before[self.after.pop(hub)]
            if hub in self.before:
                del self.after[self.before.pop(hub)]

    def _pair(self, one: int, other: int) -> bool:
        """Map a choice to another of its class, if neither is mapped yet; whether it is. To itself: it is a hub."""
        if one == other:
            self.hubs.add(one)
            return False
        classes = self.structure.classes
        if classes[one] != classes[other] or one in self.after or other in self.before:
            return False
        self.after[one], self.before[other] = other, one
        return True

    def _chains(self) -> list[list[int]]:
        """A choice that nothing is mapped to, what it is mapped to, and so on."""
        chains = []
        for first in self.after.keys() - self.before.keys():
            chain = [first]
            while chain[-1] in self.after:
                chain.append(self.after[chain[-1]])
            chains.append(chain)
        return sorted(chains)

    def _labelled(self, chains: list[list[int]]) -> dict[int, int]:
        """The number of a part for each choice of a chain: in its middle that of the nearest seed."""
        known = {choice for chain in chains for choice in chain}
        nearest = {seed: number for number, seed in enumerate(self.seeds) if seed in known}
        waiting = deque(nearest)
        while waiting:
            choice = waiting.popleft()
            for others in self.structure.near[choice].values():
                for other in others:
                    if other in known and other not in nearest:
                        nearest[other] = nearest[choice]
                        waiting.append(other)
        label = {}
        for chain in chains:
            middle = len(chain) // 2
            for position, choice in enumerate(chain):
                label[choice] = nearest.get(chain[middle], middle) + position - middle
        return label

    def _shift(self, choice: int, steps: int) -> int | None:
        """The like of a choice some parts further on; None where there is none."""
        if choice in self.hubs:
            return choice
        for _ in range(abs(steps)):
            found = (self.after if steps > 0 else self.before).get(choice)
            if found is None:
                return None
            choice = found
        return choice if choice in self.label else None

    def _cut(self, low: int, high: int) -> Repetition | None:
        """The parts whose links are those of the one in the middle, shifted."""
        problem, masks, middle = self.structure.problem, self.structure.masks, (low + high) // 2
        numbers: dict[tuple[int | None, int | None, int], int] = {
            (link.left, link.right, mask): number
            for number, (link, mask) in enumerate(zip(problem.links, masks, strict=True))
        }
        home = sorted([choice for choice, label in self.label.items() if label == middle])
        inside = set(home)
        owned = [
            number
            for number, link in enumerate(problem.links)
            if link.left in inside or (link.right in inside and link.left in self.hubs)
        ]
        touched = {end for number in owned for end in problem.links[number][:2]}
        every = (*home, *sorted(touched - inside))
        found: dict[int, tuple[tuple[int, ...], tuple[int, ...]]] = {}
        for label in range(low, high + 1):
            image = {choice: self._shift(choice, label - middle) for choice in every}
            ends = [(image[problem.links[each].left], image[problem.links[each].right], masks[each]) for each in owned]
            links = tuple([number for number in map(numbers.get, ends) if number is not None])
            choices = tuple([each for each in image.values() if each is not None])
            if len(choices) == len(every) and len(links) == len(owned):
                found[label] = choices, links
        if middle not in found or len(found) < _FEWEST:
            return None
        position = {choice: number for number, choice in enumerate(home)}
        shifted = []
        for number, choice in enumerate(every[len(home) :], start=len(home)):
            like = None if choice in self.hubs else self._shift(choice, middle - self.label.get(choice, middle))
            if like is not None and like in position:
                shifted.append((number, position[like]))
        kept = list(found.values())
        return Repetition(
            tuple([each[0] for each in kept]), tuple([each[1] for each in kept]), len(home), tuple(shifted)
        )
