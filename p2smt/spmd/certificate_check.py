"""Checks that no assignment of a joint problem costs less than a certificate says; it searches nothing.

It shares no code with the search: tables are dense here. First options are taken away that nothing goes with, or that
another one is never worse than; each removal is looked at on its own, and links that then hold whatever is chosen say
nothing. Claimed is then, for each choice in turn, what it leaves those that come after it at least. With all tables
that hold the choice added up, no entry may be below the message that takes their place. The sum of shifts and of
messages without neighbours is a lower bound, and an assignment that costs as much is an optimum.
"""

from collections.abc import Sequence
from hashlib import sha256
from math import prod

import numpy as np
import numpy.typing as npt

from p2smt.spmd.elimination import Certificate, Message
from p2smt.spmd.problem import JointProblem, Link

Dense = npt.NDArray[np.int64]
NEVER = 2**60
"""What options cost that do not go together; sums of real costs are far below it."""

MOST_ENTRIES = 2**25


def check_certificate(problem: JointProblem, certificate: Certificate, assignment: Sequence[int]) -> str | None:
    """What is wrong with a certificate or an assignment; None if the assignment is proved to cost least."""
    if sum(max(choice.costs) for choice in problem.choices) >= NEVER // 4:
        return "costs are too large to be told from what is not allowed"
    if not problem.allows(assignment):
        return "the assignment does not keep a link or a limit"
    present = _present(problem, certificate)
    if isinstance(present, str):
        return present
    fault = _Checker(problem, present).bound(certificate)
    if fault is not None:
        return fault
    cost = problem.cost(assignment)
    return None if cost == certificate.bound else f"the assignment costs {cost}, the bound is {certificate.bound}"


def _present(problem: JointProblem, certificate: Certificate) -> list[list[int]] | str:
    """The options of each choice that are left after all removals, or the first removal that is not allowed."""
    present = [set(range(len(choice.costs))) for choice in problem.choices]
    near: list[list[Link]] = [[] for _ in problem.choices]
    for link in problem.links:
        near[link.left].append(link)
        near[link.right].append(link)
    for removal in certificate.removals:
        choice, option, instead = removal.choice, removal.option, removal.instead
        if option not in present[choice]:
            return f"option {option} of choice {choice} is taken away twice"
        present[choice].discard(option)
        if instead is None:
            assert removal.link is not None
            if any(_goes(problem.links[removal.link], choice, option, other) for other in
                   present[_other(problem.links[removal.link], choice)]):  # fmt: skip
                return f"option {option} of choice {choice} is not left without support"
            continue
        costs = problem.choices[choice].costs
        if instead not in present[choice] or costs[instead] > costs[option]:
            return f"option {option} of choice {choice} is cheaper than what is taken instead"
        for link in near[choice]:
            for other in present[_other(link, choice)]:
                if _goes(link, choice, option, other) and not _goes(link, choice, instead, other):
                    return f"option {option} of choice {choice} goes with more than what is taken instead"
    return [sorted(options) for options in present]


def _other(link: Link, choice: int) -> int:
    return link.right if link.left == choice else link.left


def _goes(link: Link, choice: int, option: int, other: int) -> bool:
    return link.keeps(option, other) if link.left == choice else link.keeps(other, option)


class _Checker:
    def __init__(self, problem: JointProblem, present: list[list[int]]) -> None:
        self._sizes = [len(options) for options in present]
        self._held: list[list[tuple[tuple[int, ...], Dense]]] = [[] for _ in problem.choices]
        self._constant = 0
        for number, choice in enumerate(problem.choices):
            self._hold((number,), np.array([choice.costs[option] for option in present[number]], dtype=np.int64))
        dense: dict[tuple[tuple[int, ...], ...], Dense] = {}
        for link in problem.links:
            key = (link.allowed, tuple(present[link.left]), tuple(present[link.right]))
            if key not in dense:
                dense[key] = _allowed(*key)
            if dense[key].any():
                self._hold((link.left, link.right), dense[key])
        self._gone = [False] * len(self._sizes)
        self._accepted: set[bytes] = set()

    def _hold(self, scope: tuple[int, ...], entries: Dense) -> None:
        for choice in scope:
            self._held[choice].append((scope, entries))

    def bound(self, certificate: Certificate) -> str | None:
        """What is wrong with the messages, or with their sum."""
        for message in certificate.messages:
            fault = self._message(message)
            if fault is not None:
                return fault
        if not all(self._gone):
            return "a choice has no message"
        if self._constant != certificate.bound:
            return f"the messages add up to {self._constant}, the bound is {certificate.bound}"
        return None

    def _message(self, message: Message) -> str | None:
        choice, neighbours = message.choice, message.neighbours
        if self._gone[choice] or any(self._gone[number] for number in neighbours):
            return f"choice {choice} is taken away twice, or leaves something to one that is"
        self._gone[choice] = True
        scope = (*neighbours, choice)
        held = [
            pair for pair in self._held[choice] if not any(self._gone[other] for other in pair[0] if other != choice)
        ]
        if any(set(columns) - set(scope) for columns, _ in held):
            return f"choice {choice} has more neighbours than its message"
        shape = [self._sizes[number] for number in scope]
        if prod(shape) > MOST_ENTRIES:
            return f"the tables of choice {choice} are too large to be checked"
        claimed = np.full(prod(shape[:-1]), NEVER, dtype=np.int64)
        row = np.zeros(message.table.rows, dtype=np.int64)
        for options, size in zip(message.table.options, shape, strict=False):
            row = row * size + options
        claimed[row] = message.table.costs
        claimed = claimed.reshape(shape[:-1])
        self._constant += message.shift + (0 if neighbours else int(claimed))
        if not self._holds(held, scope, shape, np.minimum(claimed + message.shift, NEVER)):
            return f"choice {choice} leaves less than its message says"
        if neighbours:
            self._hold(neighbours, claimed)
        return None

    def _holds(
        self, held: list[tuple[tuple[int, ...], Dense]], scope: tuple[int, ...], shape: list[int], claimed: Dense
    ) -> bool:
        """Whether the sum of the tables is nowhere below the message; the same question is answered once."""
        position = {number: index for index, number in enumerate(scope)}
        parts = [(tuple(position[number] for number in columns), entries) for columns, entries in held]
        digest = sha256(repr(shape).encode() + claimed.tobytes())
        for columns, entries in parts:
            digest.update(repr((columns, entries.shape)).encode() + entries.tobytes())
        content = digest.digest()
        if content in self._accepted:
            return True
        total = np.zeros(shape, dtype=np.int64)
        for columns, entries in parts:
            order = np.argsort(columns)
            ones = [1] * len(shape)
            for column in columns:
                ones[column] = shape[column]
            total = np.minimum(total + np.transpose(entries, order).reshape(ones), NEVER)
        holds = bool((total.min(axis=-1) >= claimed).all())
        if holds:
            self._accepted.add(content)
        return holds


def _allowed(allowed: tuple[int, ...], left: tuple[int, ...], right: tuple[int, ...]) -> Dense:
    rows = [[0 if (allowed[option] >> other) & 1 else NEVER for other in right] for option in left]
    return np.array(rows, dtype=np.int64).reshape(len(left), len(right))
