"""Find repeated parts of a joint problem, such as the layers of a model, as a shift that maps each part to the next.

Seeds: choices are numbered in program order, so their classes (costs, and the kinds of their links) repeat with a
period. One choice of a rare class in each period is mapped to that of the next period.
Growth: if a is mapped to b, the neighbours of a are mapped to those of b, link by link in order, as long as classes
agree. A choice mapped to itself, such as a mask that all layers read, is a hub, and growth stops there.
Parts: the choices nearest to a seed form a part with it. A part owns the links of its choices that the shift maps to
links of every other part. Everything else is the rest. Correctness does not depend on this heuristic: `parts_check.py`
compares every part with the whole problem. Complexity: linear in the links, apart from sorting.

    shift(a) = b  implies  shift(neighbour j of a) = neighbour j of b,   as long as their classes agree.

Reference: McKay, "Practical graph isomorphism", 1981, for the problem in general (colours and their refinement).

Example: choices a0 - b0 - a1 - b1 - a2 - b2 with alternating kinds of links have the parts (a0, b0), (a1, b1), (a2,
b2).
"""

from collections import Counter, deque
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from p2smt.spmd.engines.problem import JointProblem

_FEWEST = 4
"""The fewest equal parts for which bounding one of them for all pays off."""

_PERIODS = 8
"""The number of periods that are tried: the most frequent distances between choices of a class."""


@dataclass(frozen=True, slots=True)
class Repetition:
    """Equal parts; for each part its choices and its links, by number and in corresponding order.

    The first `home` choices of a part are its own; the others belong to another part or to the rest. `shifted` has, for
    each of the latter that belongs to another part, its position and the position of its counterpart in this part.
    """

    choices: tuple[tuple[int, ...], ...]
    links: tuple[tuple[int, ...], ...]
    home: int
    shifted: tuple[tuple[int, int], ...]


def repetition(problem: JointProblem) -> Repetition | None:
    """Return the equal parts of a problem; None if there are too few."""
    structure = _Structure.of(problem)
    seeds = structure.seeds()
    return None if len(seeds) < _FEWEST else _Growth(structure, seeds).parts()


@dataclass(frozen=True, slots=True)
class _Structure:
    """For each choice its class, and its links grouped by their allowed pairs and by the side of the choice."""

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
        """Return one choice of each repeated part, in order."""
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
    """Return the length and the start of the longest run of true entries."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], same, [False])).astype(np.int8)))
    starts, ends = edges[::2], edges[1::2]
    if not len(starts):
        return 0, 0
    longest = int(np.argmax(ends - starts))
    return int(ends[longest] - starts[longest]), int(starts[longest])


@dataclass(slots=True)
class _Growth:
    """The shift found so far: `after` maps a choice to its counterpart in the next part, `before` back."""

    structure: _Structure
    seeds: list[int]
    after: dict[int, int] = field(default_factory=dict)
    before: dict[int, int] = field(default_factory=dict)
    hubs: set[int] = field(default_factory=set)
    label: dict[int, int] = field(default_factory=dict)

    def parts(self) -> Repetition | None:
        """Return the range of parts that are equal."""
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
        """Map a choice to another of its class; True if both were unmapped. A choice mapped to itself is a hub."""
        if one == other:
            self.hubs.add(one)
            return False
        classes = self.structure.classes
        if classes[one] != classes[other] or one in self.after or other in self.before:
            return False
        self.after[one], self.before[other] = other, one
        return True

    def _chains(self) -> list[list[int]]:
        """Return the chains of the shift: a choice that nothing maps to, its image, the image of that, and so on."""
        chains = []
        for first in self.after.keys() - self.before.keys():
            chain = [first]
            while chain[-1] in self.after:
                chain.append(self.after[chain[-1]])
            chains.append(chain)
        return sorted(chains)

    def _labelled(self, chains: list[list[int]]) -> dict[int, int]:
        """Return the part number of each choice in a chain; the middle of a chain gets that of the nearest seed."""
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
        """Return the counterpart of a choice `steps` parts further on; None if there is none."""
        if choice in self.hubs:
            return choice
        for _ in range(abs(steps)):
            found = (self.after if steps > 0 else self.before).get(choice)
            if found is None:
                return None
            choice = found
        return choice if choice in self.label else None

    def _cut(self, low: int, high: int) -> Repetition | None:
        """Return the parts whose links are the shifted links of the part in the middle."""
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
