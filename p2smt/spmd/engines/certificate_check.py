"""Check that no assignment of a joint problem costs less than a certificate claims, without any search.

The checker shares no code with the search, and its tables are dense. First come removals: options without a compatible
partner, or never better than another one; each is checked on its own, and links that allow everything are dropped. Then
come steps. A message claims lower bounds for the choices that remain: no entry may exceed the sum of all tables that
mention the choice. A cut replaces options of a choice by others: the largest differences, summed over its tables, may
not exceed the loss that it states. A branch has a case for each remaining option of a hub, and proves the least bound
of its cases. The sum of shifts and of messages without neighbours, less all losses, is a lower bound. If choices remain
at the end, costs are moved between tables and choices as the certificate says, which changes no total; the least
entries of all tables and choices are then added to the bound.

    message m over y:   m(y) <= sum over tables t that mention x of  t(x, y),   for every x and y;
    bound = sum of shifts and of messages without neighbours - losses + sum of the least entries that remain.

Complexity: O(entries) additions for each message; no search.
Reference: McConnell et al., "Certifying algorithms", 2011.
"""

from collections.abc import Sequence
from math import prod

import numpy as np

from p2smt.spmd.engines.certificate import Branch, Certificate, DominatedOptions, Message, Shift, Step
from p2smt.spmd.engines.dense_check import allowed_entries, cheaper_option, read, spread, sum_of
from p2smt.spmd.engines.problem import JointProblem
from p2smt.spmd.engines.ranges_check import out_of_range
from p2smt.spmd.engines.removals_check import options_left
from p2smt.spmd.engines.shifts_check import NEVER, Dense, proved_by_shifts

_AT_ONCE = 2**15
"""The most entries of a sum that is compared for all options of a choice at once."""


def check_certificate(problem: JointProblem, certificate: Certificate, assignment: Sequence[int]) -> str | None:
    """Return a fault of a certificate or assignment; None if the bound, and the loss above it, are proved.

    Without a loss the assignment is proved to be optimal.
    """
    if not problem.allows(assignment):
        return "the assignment does not keep a link or a limit"
    fault = check_bound(problem, certificate)
    if fault is not None:
        return fault
    cost, bound, loss = problem.cost(assignment), certificate.bound, certificate.loss
    if cost != bound + loss or loss < 0:
        return f"the assignment costs {cost}, the bound is {bound}{f' with a loss of {loss}' if loss else ''}"
    return None


def check_bound(problem: JointProblem, certificate: Certificate) -> str | None:
    """Return a fault of a certificate's bound; None if it is proved that no assignment costs less."""
    present = out_of_range(problem, certificate) or options_left(problem, certificate)
    if isinstance(present, str):
        return present
    return _Checker(problem, present, certificate).fault()


_Held = list[dict[int, tuple[tuple[int, ...], int]]]
"""For each choice, its tables by key: the scope of a table and its number. All choices of the scope share the key."""


class _FaultError(Exception):
    """A fault found in a certificate."""


class _Checker:
    """Checks the steps of a certificate on dense tables; equal tables are stored once and referred to by number."""

    def __init__(self, problem: JointProblem, present: list[int], certificate: Certificate) -> None:
        self._certificate = certificate
        self._dense: list[Dense] = []
        self._claimed: dict[tuple[int, tuple[int, ...]], int] = {}
        self._accepted: set[tuple[object, ...]] = set()
        self._parts: dict[tuple[int, int, tuple[int, ...]], int | None] = {}
        self._held: _Held = [{} for _ in problem.choices]
        self._added = 0
        options = {mask: _bits(mask) for mask in present}
        self._sizes = [len(options[mask]) for mask in present]
        self._gone = [False] * len(present)
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
                made = allowed_entries(link.allowed, options[present[link.left]], options[present[link.right]])
                known[key] = self._number(made) if made.any() else None
            self._hold((link.left, link.right), known[key])

    def _number(self, entries: Dense) -> int:
        self._dense.append(entries)
        return len(self._dense) - 1

    def _hold(self, scope: tuple[int, ...], number: int | None) -> None:
        """Add a table over a scope; None, for one that allows everything at no cost, adds nothing."""
        if number is not None:
            for choice in scope:
                self._held[choice][self._added] = (scope, number)
            self._added += 1

    def fault(self) -> str | None:
        """Return a fault of the steps or of the stated bound; None if there is none."""
        bound = self._certificate.bound
        try:
            proved = self._bound(self._certificate.messages, self._certificate.branch)
        except _FaultError as fault:
            return str(fault)
        return None if proved == bound else f"the messages add up to {proved}, the bound is {bound}"

    def _bound(self, steps: Sequence[Step], branch: Branch | None) -> int:
        """Return the bound that steps and a branch prove, or NEVER if the rest is infeasible. Raises _FaultError."""
        bound = 0
        for step in steps:
            proved = self._message(step) if isinstance(step, Message) else self._cut(step)
            if proved >= NEVER:
                return NEVER
            bound += proved
        if branch is not None:
            proved = self._branch(branch)
            return NEVER if proved >= NEVER else bound + proved
        if self._certificate.shifts is not None:
            proved = self._shifted(self._certificate.shifts)
            return NEVER if proved >= NEVER else bound + proved
        if not all(self._gone):
            raise _FaultError("a choice has no message")
        return bound

    def _branch(self, branch: Branch) -> int:
        """Return the least bound of all cases."""
        hub = branch.hub
        if self._gone[hub]:
            raise _FaultError(f"there are cases for choice {hub}, which is eliminated")
        if len(branch.cases) != self._sizes[hub]:
            raise _FaultError(f"choice {hub} has {self._sizes[hub]} options, but there are {len(branch.cases)} cases")
        before = self._held, self._sizes, self._gone, self._added
        least = NEVER
        for option, case in enumerate(branch.cases):
            held, sizes, gone, self._added = before
            self._held, self._sizes, self._gone = [dict(each) for each in held], list(sizes), list(gone)
            self._restrict(hub, (option,))
            least = min(least, self._bound(case.messages, case.branch))
        return least

    def _shifted(self, shifts: Sequence[Shift]) -> int:
        """Return the sum of the least entries of all remaining choices and tables after the shifts, or NEVER."""
        left = {choice: size for choice, size in enumerate(self._sizes) if not self._gone[choice]}
        tables = [
            (scope, self._dense[number])
            for choice in left
            for scope, number in self._tables_of(choice)
            if choice == min(scope)
        ]
        proved = proved_by_shifts(shifts, left, tables)
        if isinstance(proved, str):
            raise _FaultError(proved)
        return NEVER if proved is None else proved

    def _cut(self, cut: DominatedOptions) -> int:
        """Check a cut, remove its options, and return minus its loss."""
        choice, instead, loss = cut
        size = self._sizes[choice]
        if self._gone[choice] or len(instead) != size or not all(0 <= each < size for each in instead) or loss < 0:
            raise _FaultError(f"choice {choice} does not have the options that are replaced")
        if any(instead[other] != other for other in instead):
            raise _FaultError(f"options of choice {choice} are replaced by options that are themselves replaced")
        held = [(scope.index(choice), number) for scope, number in self._tables_of(choice)]
        question = (instead, loss, tuple(sorted(held)))
        if question not in self._accepted:
            tables = [np.moveaxis(self._dense[number], column, 0).reshape(size, -1) for column, number in held]
            option = cheaper_option(tables, instead, loss)
            if option is not None:
                raise _FaultError(
                    f"option {option} of choice {choice} is cheaper than its replacement by more than {loss}"
                )
            self._accepted.add(question)
        self._restrict(choice, tuple([option for option, other in enumerate(instead) if option == other]))
        return -loss

    def _tables_of(self, choice: int) -> list[tuple[tuple[int, ...], int]]:
        """Return the tables over a remaining choice, except those that mention an eliminated choice."""
        is_gone = self._gone.__getitem__
        return [each for each in self._held[choice].values() if not any(map(is_gone, each[0]))]

    def _restrict(self, choice: int, kept: tuple[int, ...]) -> None:
        """Keep only some options of a choice."""
        for key, (scope, number) in list(self._held[choice].items()):
            if any(self._gone[other] for other in scope):
                continue
            column = scope.index(choice)
            part = number, column, kept
            if part not in self._parts:
                made = np.take(self._dense[number], kept, axis=column)
                self._parts[part] = self._number(made) if len(scope) == 1 or made.any() else None
            new = self._parts[part]
            for other in scope:
                if new is None:
                    del self._held[other][key]
                else:
                    self._held[other][key] = scope, new
        self._sizes[choice] = len(kept)

    def _message(self, message: Message) -> int:
        """Check a message and return its contribution to the bound; NEVER if it proves that the rest is infeasible."""
        choice, neighbours, gone = message.choice, message.neighbours, self._gone
        if gone[choice] or any(map(gone.__getitem__, neighbours)):
            raise _FaultError(f"choice {choice} is eliminated twice, or has a message to an eliminated choice")
        scope = (*neighbours, choice)
        position = {number: index for index, number in enumerate(scope)}
        if len(position) != len(scope):
            raise _FaultError(f"choice {choice} has a message to itself, or two to one neighbour")
        held = []
        for columns, number in self._tables_of(choice):
            if not all(map(position.__contains__, columns)):
                raise _FaultError(f"choice {choice} has more neighbours than its message")
            held.append((tuple([position[other] for other in columns]), number))
        gone[choice] = True
        shape = tuple([self._sizes[number] for number in scope])
        claimed = self._claim(choice, message.table, shape[:-1])
        question = (shape, tuple(sorted(held)), claimed, message.shift)
        if question not in self._accepted:
            if not self._holds(held, shape, claimed, message.shift):
                raise _FaultError(f"choice {choice} costs less than its message claims")
            self._accepted.add(question)
        if not self._certificate.tables[message.table].rows:
            return NEVER
        if neighbours:
            self._hold(neighbours, claimed)
            return message.shift
        return message.shift + int(self._dense[claimed])

    def _claim(self, choice: int, number: int, shape: tuple[int, ...]) -> int:
        """Return the number of the dense table that a message claims."""
        if (number, shape) not in self._claimed:
            claimed = read(self._certificate.tables[number], shape)
            if isinstance(claimed, str):
                raise _FaultError(f"choice {choice}: the table of its message {claimed}")
            self._claimed[number, shape] = self._number(claimed)
        return self._claimed[number, shape]

    def _holds(self, held: list[tuple[tuple[int, ...], int]], shape: tuple[int, ...], claimed: int, shift: int) -> bool:
        """True if no entry of the claimed table exceeds the sum of the tables, for any option of the choice."""
        least, last = np.minimum(self._dense[claimed] + shift, NEVER), len(shape) - 1
        tables = [spread(self._dense[number], columns, shape) for columns, number in held]
        tables.sort(key=lambda entries: entries.size)
        if prod(shape) <= _AT_ONCE:
            return bool((sum_of(tables) >= least[..., None]).all())
        each_option = ([entries[..., option] for entries in tables] for option in range(shape[last]))
        return all(bool((sum_of(entries) >= least).all()) for entries in each_option)


def _bits(mask: int) -> tuple[int, ...]:
    return tuple([option for option in range(mask.bit_length()) if mask & (1 << option)])
