"""Checks that no assignment of a joint problem costs less than a certificate says; it searches nothing.

It shares no code with the search: tables are dense here. First options are taken away that nothing goes with, or that
another one is never worse than; each removal is looked at on its own, and links that then hold whatever is chosen say
nothing. Claimed is then, for each choice in turn, what it leaves those that come after it at least. With all tables
that hold the choice added up, no entry may be below the message that takes their place. The sum of shifts and of
messages without neighbours is a lower bound, and an assignment that costs as much is an optimum.
"""

from collections.abc import Sequence
from math import prod

import numpy as np
import numpy.typing as npt

from p2smt.spmd.elimination import Certificate, Message
from p2smt.spmd.problem import JointProblem
from p2smt.spmd.simplification import Removal
from p2smt.spmd.table import Table

Dense = npt.NDArray[np.int64]
NEVER = 2**60
"""What options cost that do not go together; sums of real costs are far below it."""

MOST_ENTRIES = 2**27

_ADDED = 6
"""So many tables, each of which is at most NEVER, are added to another before sums are cut down to NEVER."""


def check_certificate(problem: JointProblem, certificate: Certificate, assignment: Sequence[int]) -> str | None:
    """What is wrong with a certificate or an assignment; None if the assignment is proved to cost least."""
    if sum(max(choice.costs) for choice in problem.choices) >= NEVER // 4:
        return "costs are too large to be told from what is not allowed"
    if not problem.allows(assignment):
        return "the assignment does not keep a link or a limit"
    present = _present(problem, certificate)
    if isinstance(present, str):
        return present
    fault = _Checker(problem, present, certificate).bound()
    if fault is not None:
        return fault
    cost = problem.cost(assignment)
    return None if cost == certificate.bound else f"the assignment costs {cost}, the bound is {certificate.bound}"


_Near = dict[int, tuple[int, tuple[int, ...]]]
"""By the number of a link: the other choice, and which of its options each option goes with, as bits."""


def _present(problem: JointProblem, certificate: Certificate) -> list[int] | str:
    """The options of each choice that are left after all removals, as bits, or the first removal not allowed."""
    present = [2 ** len(choice.costs) - 1 for choice in problem.choices]
    near = _near(problem)
    for removal in certificate.removals:
        choice, option = removal.choice, removal.option
        if not present[choice] & (1 << option):
            return f"option {option} of choice {choice} is taken away twice"
        present[choice] -= 1 << option
        fault = _removed(removal, problem.choices[choice].costs, near[choice], present)
        if fault is not None:
            return f"option {option} of choice {choice} is {fault}"
    return present


def _removed(removal: Removal, costs: Sequence[int], near: _Near, present: Sequence[int]) -> str | None:
    """What is wrong with taking an option away."""
    option, instead = removal.option, removal.instead
    if instead is None:
        if removal.link not in near:
            return "taken away for a link that it is not in"
        other, masks = near[removal.link]
        return "not left without support" if masks[option] & present[other] else None
    if not present[removal.choice] & (1 << instead) or costs[instead] > costs[option]:
        return "cheaper than what is taken instead"
    if any(masks[option] & present[other] & ~masks[instead] for other, masks in near.values()):
        return "one that goes with more than what is taken instead"
    return None


def _near(problem: JointProblem) -> list[_Near]:
    """The links of every choice."""
    sides: dict[tuple[tuple[int, ...], int], tuple[int, ...]] = {}
    near: list[_Near] = [{} for _ in problem.choices]
    for number, link in enumerate(problem.links):
        key = (link.allowed, len(problem.choices[link.right].costs))
        if key not in sides:
            sides[key] = _from_the_right(*key)
        near[link.left][number] = (link.right, link.allowed)
        near[link.right][number] = (link.left, sides[key])
    return near


def _from_the_right(allowed: tuple[int, ...], count: int) -> tuple[int, ...]:
    """For each option of the right choice the bits of the left options that it goes with."""
    turned = [0] * count
    for left, mask in enumerate(allowed):
        for right in range(count):
            turned[right] |= ((mask >> right) & 1) << left
    return tuple(turned)


class _Checker:
    """Dense tables, of which those that are alike are kept once and held by number."""

    def __init__(self, problem: JointProblem, present: list[int], certificate: Certificate) -> None:
        self._certificate = certificate
        self._dense: list[Dense] = []
        self._claimed: dict[tuple[int, tuple[int, ...]], int | str] = {}
        self._accepted: set[tuple[object, ...]] = set()
        self._held: list[list[tuple[tuple[int, ...], int]]] = [[] for _ in problem.choices]
        options = {mask: _bits(mask) for mask in present}
        self._sizes = [len(options[mask]) for mask in present]
        self._gone = [False] * len(present)
        self._constant = 0
        known: dict[tuple[object, ...], int | None] = {}
        for number, choice in enumerate(problem.choices):
            mine = (choice.costs, present[number])
            if mine not in known:
                left = [choice.costs[option] for option in options[present[number]]]
                known[mine] = self._number(np.array(left, dtype=np.int64))
            self._hold((number,), known[mine])
        for link in problem.links:
            key = (link.allowed, present[link.left], present[link.right])
            if key not in known:
                made = _allowed(link.allowed, options[present[link.left]], options[present[link.right]])
                known[key] = self._number(made) if made.any() else None
            self._hold((link.left, link.right), known[key])

    def _number(self, entries: Dense) -> int:
        self._dense.append(entries)
        return len(self._dense) - 1

    def _hold(self, scope: tuple[int, ...], number: int | None) -> None:
        """A table that allows everything for nothing is none."""
        if number is not None:
            for choice in scope:
                self._held[choice].append((scope, number))

    def bound(self) -> str | None:
        """What is wrong with the messages, or with their sum."""
        for message in self._certificate.messages:
            fault = self._message(message)
            if fault is not None:
                return fault
        if not all(self._gone):
            return "a choice has no message"
        if self._constant != self._certificate.bound:
            return f"the messages add up to {self._constant}, the bound is {self._certificate.bound}"
        return None

    def _message(self, message: Message) -> str | None:
        choice, neighbours, gone = message.choice, message.neighbours, self._gone
        if gone[choice] or any(gone[number] for number in neighbours):
            return f"choice {choice} is taken away twice, or leaves something to one that is"
        scope = (*neighbours, choice)
        position = {number: index for index, number in enumerate(scope)}
        if len(position) != len(scope):
            return f"choice {choice} leaves something to itself, or to another twice"
        held = []
        for columns, number in self._held[choice]:
            if any(gone[other] for other in columns):
                continue
            if any(other not in position for other in columns):
                return f"choice {choice} has more neighbours than its message"
            held.append((tuple([position[other] for other in columns]), number))
        gone[choice] = True
        shape = tuple([self._sizes[number] for number in scope])
        claimed = self._claim(message.table, shape[:-1])
        if isinstance(claimed, str):
            return f"choice {choice}: {claimed}"
        self._constant += message.shift + (0 if neighbours else int(self._dense[claimed]))
        question = (shape, tuple(sorted(held)), claimed, message.shift)
        if question not in self._accepted:
            if not self._holds(held, shape, claimed, message.shift):
                return f"choice {choice} leaves less than its message says"
            self._accepted.add(question)
        if neighbours:
            self._hold(neighbours, claimed)
        return None

    def _claim(self, number: int, shape: tuple[int, ...]) -> int | str:
        """The number of the dense table that a message's stands for, or what is wrong with it."""
        if (number, shape) not in self._claimed:
            self._claimed[number, shape] = self._read(self._certificate.tables[number], shape)
        return self._claimed[number, shape]

    def _read(self, table: Table, shape: tuple[int, ...]) -> int | str:
        if prod(shape) > MOST_ENTRIES:
            return "the table of its message is too large to be checked"
        codes, costs = table.codes, table.costs
        if len(codes) != len(costs) or (len(codes) and not 0 <= codes.min() <= codes.max() < prod(shape)):
            return "the table of its message has rows that are none"
        if len(costs) and not 0 <= costs.min() <= costs.max() < NEVER:
            return "the table of its message has costs that are none"
        claimed = np.full(prod(shape), NEVER, dtype=np.int64)
        claimed[codes] = costs
        return self._number(claimed.reshape(shape))

    def _holds(self, held: list[tuple[tuple[int, ...], int]], shape: tuple[int, ...], claimed: int, shift: int) -> bool:
        """Whether the sum of the tables is nowhere below the message, whichever option the choice has."""
        least = np.minimum(self._dense[claimed] + shift, NEVER)
        last = len(shape) - 1
        spread = [_spread(self._dense[number], columns, shape) for columns, number in held]
        spread.sort(key=lambda entries: entries.size)
        for option in range(shape[last]):
            total = np.zeros((1,) * last, dtype=np.int64)
            for number, entries in enumerate(spread, start=1):
                total = total + entries[..., option]
                if number % _ADDED == 0:
                    total = np.minimum(total, NEVER)
            if not (total >= least).all():
                return False
        return True


def _spread(entries: Dense, columns: tuple[int, ...], shape: tuple[int, ...]) -> Dense:
    """A table as one over all choices of a message: of length 1 where it does not speak of a choice."""
    lengths = [shape[column] if column in columns else 1 for column in range(len(shape))]
    return np.transpose(entries, np.argsort(columns)).reshape(lengths)


def _bits(mask: int) -> tuple[int, ...]:
    return tuple([option for option in range(mask.bit_length()) if mask & (1 << option)])


def _allowed(allowed: tuple[int, ...], left: tuple[int, ...], right: tuple[int, ...]) -> Dense:
    rows = [[0 if (allowed[option] >> other) & 1 else NEVER for other in right] for option in left]
    return np.array(rows, dtype=np.int64).reshape(len(left), len(right))
