"""The operations of plans, restated on the solver's numbers.

A plan is right exactly if, for all contributions and all undefined contents, every result is as the goal
requires. The operations have the same names and order as in `verify/execution.py`, but are written
independently: there contributions are counted, here numbers are added. A cell is a fraction with a solver term
as numerator. The numbers are bit-vectors of 32 bits, or more if sums need it. For integer plans they are
integers, contributions are non-negative, and a cell stands for the truncated quotient, which is taken before
anything is added to it.

    AllReduce:  cell'[m] = sum over members n of cell[n];    AllGather:  cell'[m][block n] = cell[n].

Complexity: O(members x chunks) terms for each step.
Reference: Lopes et al., "Alive2: bounded translation validation for LLVM", 2021, for meanings that are restated for a
solver.

Example: an AllReduce of a and b among two devices leaves the term a + b on both.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import lcm

from p2smt.collective import Collective, Exchange
from p2smt.smt.sums import Number, Numbers
from p2smt.verify.operation import LocalOperation, Operation
from p2smt.verify.plan import VerificationPlan, VerificationStep

Cell = tuple[Number, int] | None
Block = list[Cell]


class PlanRules:
    """A plan on contributions that are free variables, or on given ones."""

    def __init__(
        self,
        plan: VerificationPlan,
        sums: Numbers,
        contributions: Mapping[tuple[int, int], int] | None = None,
    ) -> None:
        self._plan = plan
        self.sums = sums
        places = product(range(plan.devices), range(plan.goal.source.length))
        if contributions is None:
            self.given = {place: sums.natural() for place in places}
        else:
            self.given = dict.fromkeys(places, sums.constant(0))
            self.given |= {place: sums.constant(number) for place, number in contributions.items()}

    def run(self) -> list[dict[str, Block]]:
        """Return the final contents of every buffer on every device."""
        zero: Cell = (self.sums.constant(0), 1)
        plan = self._plan
        state = [
            {name: [zero] * length if name in plan.zeros else self.unknown(length) for name, length in plan.buffers}
            for _ in range(plan.devices)
        ]
        given = plan.goal.source
        for device in range(plan.devices):
            own: Block = [(self.given[device, chunk], 1) for chunk in range(given.length)]
            state[device][given.buffer][given.start : given.end] = own
        for step in plan.steps:
            target = slice(step.target.start, step.target.end)
            for group in step.groups:
                read = [_brought(state[device], step) for device in group]
                for device, block in zip(group, RULES[step.operation](self, step, read), strict=True):
                    if block is not None:
                        state[device][step.target.buffer][target] = self._divided(block, step.divisor)
        return state

    def unknown(self, length: int) -> Block:
        """Return undefined contents, which become a new variable on every read, so that they never cancel."""
        return [None] * length

    def sum(self, read: list[Block]) -> Block:
        """Return the sum of the members' blocks."""
        return [self._total(cells) for cells in zip(*read, strict=True)]

    def negated(self, block: Block) -> Block:
        """Return a block multiplied by -1; undefined contents stay undefined."""
        return [None if cell is None else (self.sums.times(cell[0], -1), cell[1]) for cell in block]

    def goal(self, group: tuple[int, ...]) -> list[Block]:
        """Return the required contents of the goal's target for every member of a group."""
        goal = self._plan.goal
        match goal.collective:
            case Collective.ALL_REDUCE:
                return [self._summed(group, 0)] * len(group)
            case Collective.REDUCE_SCATTER:
                return [self._summed(group, index * goal.target.length) for index in range(len(group))]
            case Collective.REDUCE:
                return [self._summed(group, 0) if index == goal.root else [] for index in range(len(group))]
            case Collective.ALL_GATHER:
                return [[cell for device in group for cell in self._own(device)]] * len(group)
            case Collective.BROADCAST:
                return [self._own(group[goal.root])] * len(group)
            case Exchange.ALL_TO_ALL:
                size = goal.source.length // len(group)
                own = [self._own(device) for device in group]
                return [[cell for block in own for cell in block[i * size : (i + 1) * size]] for i in range(len(group))]

    def _own(self, device: int) -> Block:
        return [(self.given[device, chunk], 1) for chunk in range(self._plan.goal.source.length)]

    def _summed(self, group: tuple[int, ...], first: int) -> Block:
        """Return the sums or averages over a group, from chunk `first` on."""
        chunks = range(first, first + self._plan.goal.target.length)
        totals = (self.sums.total(self.given[device, chunk] for device in group) for chunk in chunks)
        return self._divided([(total, 1) for total in totals], len(group) if self._plan.goal.average else 1)

    def compared(self, got: Cell, wanted: Cell) -> list[tuple[Number, Number]]:
        """Return pairs of numbers.

        Equality of any pair proves the cells equal, and that of the last is also necessary.
        """
        one, other = self._read(got), self._read(wanted)
        # Fractions are compared over their least common denominator. Integer division is only equal
        # if the quotients are, which equal fractions imply but do not need.
        least = lcm(one[1], other[1])
        whole = self.sums.times(one[0], least // one[1]), self.sums.times(other[0], least // other[1])
        return [whole, (self._quotient(one), self._quotient(other))] if self._plan.integers else [whole]

    def value(self, cell: Cell) -> Fraction | None:
        """Return the value of a constant cell; None if it is not constant."""
        if cell is None:
            return None
        number = (self._quotient(cell), 1) if self._plan.integers else cell
        value = self.sums.value(number[0])
        return None if value is None else Fraction(value, number[1])

    def _total(self, cells: Sequence[Cell]) -> Cell:
        read = [self._read(cell) for cell in cells]
        if self._plan.integers:
            return self.sums.total(map(self._quotient, read)), 1
        least = lcm(*(number for _, number in read))
        return self.sums.total(self.sums.times(term, least // number) for term, number in read), least

    def _read(self, cell: Cell) -> tuple[Number, int]:
        return (self.sums.free(), 1) if cell is None else cell

    def _divided(self, block: Block, divisor: int) -> Block:
        if divisor == 1:
            return block
        return [(term, number * divisor) for term, number in map(self._read, block)]

    def _quotient(self, cell: tuple[Number, int]) -> Number:
        term, number = cell
        return term if number == 1 else self.sums.over(term, number)


def all_reduce(rules: PlanRules, step: VerificationStep, read: list[Block]) -> list[Block | None]:
    """Return the sum for every member."""
    total = rules.sum(read)
    return [total for _ in read]


def reduce_scatter(rules: PlanRules, step: VerificationStep, read: list[Block]) -> list[Block | None]:
    """Return block `i` of the sum for member `i`; in place, the other blocks become undefined."""
    total, size = rules.sum(read), len(read[0]) // len(read)
    found: list[Block | None] = []
    for first in range(0, len(total), size):
        own = total[first : first + size]
        found.append([*rules.unknown(first), *own, *rules.unknown(len(total) - first - size)] if step.in_place else own)
    return found


def reduce(rules: PlanRules, step: VerificationStep, read: list[Block]) -> list[Block | None]:
    """Return the sum for the root; other members become undefined."""
    return [rules.sum(read) if place == step.root else rules.unknown(len(read[0])) for place in range(len(read))]


def all_gather(rules: PlanRules, step: VerificationStep, read: list[Block]) -> list[Block | None]:
    """Return all parts in group order for every member; in place, part `i` is block `i` of member `i`."""
    size = len(read[0]) // len(read)
    joined: Block = []
    for place, block in enumerate(read):
        joined += block[place * size : place * size + size] if step.in_place else block
    return [joined for _ in read]


def broadcast(rules: PlanRules, step: VerificationStep, read: list[Block]) -> list[Block | None]:
    """Return the root's part for every member."""
    return [read[step.root] for _ in read]


def send(rules: PlanRules, step: VerificationStep, read: list[Block]) -> list[Block | None]:
    """Return the root's part for all other members."""
    return [read[step.root] if place != step.root else None for place in range(len(read))]


def all_to_all(rules: PlanRules, step: VerificationStep, read: list[Block]) -> list[Block | None]:
    """Return block `j` of every member for member `j`."""
    size = len(read[0]) // len(read)
    return [[term for block in read for term in block[j * size :][:size]] for j in range(len(read))]


def add(rules: PlanRules, step: VerificationStep, read: list[Block]) -> list[Block | None]:
    """Return source plus target for each member."""
    size = step.target.length
    return [rules.sum([block[:size], block[size:]]) for block in read]


def copy(rules: PlanRules, step: VerificationStep, read: list[Block]) -> list[Block | None]:
    """Return each member's source; the step's divisor is applied afterwards."""
    return [*read]


def negate(rules: PlanRules, step: VerificationStep, read: list[Block]) -> list[Block | None]:
    """Return each member's source multiplied by -1."""
    return [rules.negated(block) for block in read]


RULES: dict[Operation, Callable[[PlanRules, VerificationStep, list[Block]], list[Block | None]]] = {
    Collective.ALL_REDUCE: all_reduce,
    Collective.REDUCE_SCATTER: reduce_scatter,
    Collective.REDUCE: reduce,
    Collective.ALL_GATHER: all_gather,
    Collective.BROADCAST: broadcast,
    Exchange.SEND: send,
    Exchange.ALL_TO_ALL: all_to_all,
    LocalOperation.ADD: add,
    LocalOperation.COPY: copy,
    LocalOperation.SCALE: copy,
    LocalOperation.NEGATE: negate,
}


def _brought(held: dict[str, Block], step: VerificationStep) -> Block:
    found: Block = []
    for part in step.reads:
        found += held[part.buffer][part.start : part.end]
    return found
