"""Fold parts of a joint problem that are linked to few other choices, such as an optimizer, into one choice each.

A part P is a set of choices connected by links. Its least cost, given options y of the choices around it, is

    f(y) = min over the options x of P of  sum of the costs of x, where all links allow x and y,

computed by bucket elimination inside the part (`table.py`), once for all equal parts. In the folded problem the part is
one choice, whose options are blocks of f: products of sets of options of y on which f <= c. f(y) is the least c of a
block that contains y, so an optimum of the folded problem is one of the whole problem; proofs are made on the whole
problem. Blocks are grown greedily, one choice of y after the other.

Complexity: that of eliminating a part, and the entries of f (at most `_MOST_ENTRIES`) times its blocks.
Reference: Dechter, "Bucket elimination", Artificial Intelligence 113 (1999).

Example: f(y) = 3, 5, 5 for the three options of y: the blocks are ({1}, 3) and ({1, 2, 3}, 5); where both contain y,
the first is cheaper.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
import numpy.typing as npt

from p2smt.spmd.engines.disjoint_sets import DisjointSets
from p2smt.spmd.engines.elimination import TooLargeError
from p2smt.spmd.engines.problem import Best, Choice, Compatibility, Impossible, JointProblem
from p2smt.spmd.engines.solving import JointSolver
from p2smt.spmd.engines.table import NEVER, Minimum, Scoped, binary, bytes_of_minimum, minimum, unary

_Masks = tuple[int, ...]

_MOST_INSIDE = 300
"""The most choices of a part; larger parts are not folded."""

_MOST_ENTRIES = 2**13
"""The most entries of a table over the choices around a part."""


@dataclass(frozen=True, slots=True)
class ProblemPart:
    """A part's choices (`inside`), the choices linked to them (`around`), and the links of the part.

    Each link is (left, right, number); left and right are positions in `inside` followed by `around`.
    """

    inside: tuple[int, ...]
    around: tuple[int, ...]
    links: tuple[tuple[int, int, int], ...]

    @property
    def ends(self) -> tuple[tuple[int, int], ...]:
        """Return the positions of the two choices of each link."""
        return tuple([(left, right) for left, right, _ in self.links])


@dataclass(frozen=True, slots=True, eq=False)
class PartCosts:
    """Costs of a part in blocks: `masks[c][b]` has the options of the c-th choice around it in block b, as bits.

    `sizes` are numbers of options, of the choices inside, then of those around; `taken` has the choices inside in
    elimination order, each with its neighbours at that point and its minimum.
    """

    costs: tuple[int, ...]
    masks: tuple[_Masks, ...]
    sizes: tuple[int, ...]
    taken: tuple[tuple[int, tuple[int, ...], Minimum], ...]

    def options(self, around: Sequence[int]) -> tuple[int, ...]:
        """Return the cheapest options of the choices inside, given those of the choices around."""
        inside = len(self.sizes) - len(around)
        chosen = [0] * inside + list(around)
        for choice, neighbours, least in reversed(self.taken):
            wanted = 0
            for neighbour in neighbours:
                wanted = wanted * self.sizes[neighbour] + chosen[neighbour]
            chosen[choice] = int(least.taken[int(np.searchsorted(least.table.codes, wanted))])
        return tuple(chosen[:inside])


def parts_of(problem: JointProblem, inside: frozenset[int]) -> tuple[ProblemPart, ...]:
    """Return the connected parts of some choices, without those that are too large."""
    sets = DisjointSets(inside)
    for link in problem.links:
        if link.left in inside and link.right in inside:
            sets.join(link.left, link.right)
    members: dict[int, list[int]] = {}
    for choice in sorted(inside):
        members.setdefault(sets.first(choice), []).append(choice)
    touching: dict[int, list[int]] = {first: [] for first in members}
    for number, link in enumerate(problem.links):
        end = link.left if link.left in inside else link.right
        if end in inside:
            touching[sets.first(end)].append(number)
    few = [first for first, choices in members.items() if len(choices) <= _MOST_INSIDE]
    return tuple(_part(problem, tuple(members[first]), touching[first]) for first in few)


def _part(problem: JointProblem, inside: tuple[int, ...], touching: Iterable[int]) -> ProblemPart:
    position = {choice: number for number, choice in enumerate(inside)}
    links = []
    for number in touching:
        link = problem.links[number]
        for end in (link.left, link.right):
            position.setdefault(end, len(position))
        links.append((position[link.left], position[link.right], number))
    return ProblemPart(inside, tuple(position)[len(inside) :], tuple(links))


class ProblemFold:
    """A folding for problems with the same linked pairs of choices, whatever their costs, options and allowed pairs."""

    def __init__(self, problem: JointProblem, inside: frozenset[int], solver: JointSolver | None = None) -> None:
        self._solver = solver or JointSolver()
        self._parts = parts_of(problem, inside)
        hidden = {choice for part in self._parts for choice in part.inside}
        gone = {number for part in self._parts for _, _, number in part.links}
        self._outside = tuple([choice for choice in range(len(problem.choices)) if choice not in hidden])
        self._links = tuple([number for number in range(len(problem.links)) if number not in gone])
        self._new = {choice: number for number, choice in enumerate(self._outside)}
        self._numbers: dict[tuple[int, ...], int] = {}
        self._known: dict[tuple[object, ...], PartCosts] = {}

    def cheapest(self, problem: JointProblem) -> Best | Impossible:
        """Return the cheapest assignment of the whole problem, ignoring limits."""
        if any(
            prod([len(problem.choices[each].costs) for each in part.around]) > _MOST_ENTRIES for part in self._parts
        ):
            return self._solver.solve(problem).answer
        try:
            folded = [self._part(problem, part) for part in self._parts]
        except TooLargeError:
            return self._solver.solve(problem).answer
        answer = self._solver.solve(self._joined(problem, folded)).answer
        return Best(self._whole(problem, folded, answer), answer.cost) if isinstance(answer, Best) else answer

    def _part(self, problem: JointProblem, part: ProblemPart) -> PartCosts:
        numbers = self._numbers
        key = (
            tuple([numbers.setdefault(problem.choices[each].costs, len(numbers)) for each in part.inside]),
            tuple([len(problem.choices[each].costs) for each in part.around]),
            tuple([numbers.setdefault(problem.links[each].allowed, len(numbers)) for _, _, each in part.links]),
            part.ends,
        )
        if key not in self._known:
            self._known[key] = _folded(problem, part, self._solver.search.memory)
        return self._known[key]

    def _joined(self, problem: JointProblem, folded: Sequence[PartCosts]) -> JointProblem:
        """Return the problem outside of all parts, with one choice per part for its block."""
        choices = [problem.choices[choice] for choice in self._outside]
        links = []
        for number in self._links:
            link = problem.links[number]
            links.append(Compatibility(self._new[link.left], self._new[link.right], link.allowed))
        for part, one in zip(self._parts, folded, strict=True):
            for choice, masks in zip(part.around, one.masks, strict=True):
                links.append(Compatibility(len(choices), self._new[choice], masks))
            choices.append(Choice("part", one.costs))
        return JointProblem(tuple(choices), tuple(links))

    def _whole(self, problem: JointProblem, folded: Sequence[PartCosts], answer: Best) -> tuple[int, ...]:
        options = [0] * len(problem.choices)
        for choice, option in zip(self._outside, answer.assignment, strict=False):
            options[choice] = option
        known: dict[tuple[PartCosts, tuple[int, ...]], tuple[int, ...]] = {}
        for part, one in zip(self._parts, folded, strict=True):
            around = tuple([options[choice] for choice in part.around])
            if (one, around) not in known:
                known[one, around] = one.options(around)
            for choice, option in zip(part.inside, known[one, around], strict=True):
                options[choice] = option
        return tuple(options)


def _folded(problem: JointProblem, part: ProblemPart, memory: int) -> PartCosts:
    """Eliminate the choices inside a part, smallest tables first, and return its costs.

    Raises TooLargeError if a table needs more than `memory` bytes.
    """
    inside = len(part.inside)
    sizes = tuple([len(problem.choices[each].costs) for each in (*part.inside, *part.around)])
    tables: list[Scoped] = [
        ((number,), unary(problem.choices[choice].costs)) for number, choice in enumerate(part.inside)
    ]
    tables += [((left, right), binary(problem.links[link].allowed, sizes[right])) for left, right, link in part.links]
    near: list[set[int]] = [set() for _ in sizes]
    for left, right, _ in part.links:
        near[left].add(right)
        near[right].add(left)
    taken, shift = [], 0
    waiting = set(range(inside))
    while waiting:
        choice = min(waiting, key=lambda each: (prod([sizes[other] for other in near[each]]), each))
        waiting.remove(choice)
        neighbours = tuple(sorted(near[choice]))
        scope = {other: position for position, other in enumerate((*neighbours, choice))}
        mine = [(tuple([scope[each] for each in columns]), table) for columns, table in tables if choice in columns]
        tables = [each for each in tables if choice not in each[0]]
        lengths = [sizes[each] for each in scope]
        needed = sum(bytes_of_minimum([columns for columns, _ in mine], lengths))
        if needed > memory:
            raise TooLargeError(needed, memory)
        least = minimum(mine, lengths)
        taken.append((choice, neighbours, least))
        shift += least.shift
        tables.append((neighbours, least.table))
        for other in neighbours:
            near[other] |= near[choice]
            near[other] -= {other, choice}
    left_over = [(tuple([each - inside for each in columns]), table) for columns, table in tables]
    blocks = _blocks(_dense(left_over, sizes[inside:]))
    costs = tuple([shift + cost for cost, _ in blocks])
    masks = tuple([tuple([block[position] for _, block in blocks]) for position in range(len(part.around))])
    return PartCosts(costs, masks, sizes, tuple(taken))


def _dense(tables: Sequence[Scoped], sizes: Sequence[int]) -> npt.NDArray[np.int64]:
    """Return the sum of tables over the choices around a part; NEVER marks forbidden combinations."""
    total = np.zeros(tuple(sizes), dtype=np.int64)
    for columns, table in tables:
        mine = [sizes[column] for column in columns]
        whole = np.full(prod(mine), NEVER, dtype=np.int64)
        whole[table.codes] = table.costs
        order = np.argsort(columns)
        shape = [size if column in columns else 1 for column, size in enumerate(sizes)]
        total = np.minimum(total + np.transpose(whole.reshape(mine), order).reshape(shape), NEVER)
    return total


def _blocks(dense: npt.NDArray[np.int64]) -> list[tuple[int, _Masks]]:
    """Return blocks of options (as bits) with their costs; each entry is the least cost of a block that contains it.

    Each block is grown from an entry as far as possible, one choice after the other.
    """
    found = []
    is_left = np.array(dense < NEVER)
    while is_left.any():
        entry = np.unravel_index(int(np.argmax(is_left)), dense.shape)
        # The first cell not covered yet; its block grows one choice at a time, as far as costs stay
        # at or below this one.
        cost = int(dense[entry])
        chosen = [[int(option)] for option in entry]
        for position in range(len(chosen)):
            chosen[position] = list(range(dense.shape[position]))
            others = tuple(axis for axis in range(len(chosen)) if axis != position)
            fits = (dense[np.ix_(*chosen)] <= cost).all(axis=others)
            chosen[position] = [int(option) for option in np.flatnonzero(fits)]
        block = np.ix_(*chosen)
        # A block can contain cheaper cells; only those of exactly this cost are covered by it.
        is_left[block] &= dense[block] != cost
        found.append((cost, tuple([sum(1 << option for option in options) for options in chosen])))
    return found
