"""The operations of plans restated on bit-vectors: contributions are numbers of 32 bits, or more if sums need it.

A plan is right exactly when for all numbers, and whatever undefined buffers hold, every result is the sum of its
group's contributions, or their average. Same operations, names and order as `verify/execution.py`, written
independently: there contributions are counted, here numbers are added. A cell is a fraction, a term over a number;
where a plan works on integers, it stands for the quotient without its fraction, which is taken before anything is added
to it, and contributions are too small to overflow.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import lcm

from p2smt.collective import Collective, Exchange
from p2smt.smt.answer import Answer, Sat, Unsat
from p2smt.smt.interrupts import Interruptible
from p2smt.smt.solver import Logic, Solver
from p2smt.smt.sums import Number, Sums
from p2smt.verify.growth import greatest_count, unit
from p2smt.verify.operation import Local, Operation
from p2smt.verify.plan import Step, VerificationPlan

LEAST_BITS = 32
INTEGER_BITS = 12

Cell = tuple[Number, int] | None
Block = list[Cell]


@dataclass(frozen=True, slots=True)
class Difference:
    """Numbers on which a plan goes wrong: with `contributions[device, chunk]` (all others 0), a result is not the sum.

    `got` and `wanted` are what `device` has and should have in `chunk`, modulo 2^`bits` and, where the plan divides,
    both times the same number.
    """

    device: int
    chunk: int
    contributions: dict[tuple[int, int], int]
    got: int
    wanted: int
    bits: int


@Interruptible()
def difference(plan: VerificationPlan, deadline: float | None = None) -> Answer[Difference]:
    """Whether there are numbers on which a plan goes wrong; where there are none, it is right.

    Its steps keep the rules of shape. `deadline` is a time of `time.monotonic`.
    """
    with Sums(_bits(plan)) as sums:
        return _difference(plan, PlanRules(plan, sums), deadline)


def _difference(plan: VerificationPlan, rules: "PlanRules", deadline: float | None) -> Answer[Difference]:
    known: dict[tuple[int, int], bool] = {}
    state = rules.run()
    for group in plan.goal:
        for chunk in range(plan.chunks):
            wanted = rules.wanted(group, chunk)
            for device in group:
                pairs = rules.compared(state[device][plan.result][chunk], wanted)
                got, aim = pairs[-1]
                key = (got.value, aim.value)
                if key not in known:
                    known[key] = any(rules.sums.same(*pair) for pair in pairs)
                if not known[key]:
                    return rules.ask(got, aim, (device, chunk), deadline)
    return Unsat()


@Interruptible()
def evaluated(
    plan: VerificationPlan, contributions: Mapping[tuple[int, int], int], device: int, chunk: int
) -> tuple[Fraction, Fraction] | None:
    """What a device ends with in a chunk and should, on these contributions, all others being 0.

    None where it depends on what is undefined. The plan's steps keep the rules of shape.
    """
    most = max(contributions.values()).bit_length() + unit(plan).bit_length()
    with Sums(_bits(plan) + most) as sums:
        rules = PlanRules(plan, sums, contributions)
        group = next(group for group in plan.goal if device in group)
        cells = rules.run()[device][plan.result][chunk], rules.wanted(group, chunk)
        found = [rules.value(cell) for cell in cells]
        return None if found[0] is None or found[1] is None else (found[0], found[1])


class PlanRules:
    """A plan on contributions that are free numbers, or on given ones."""

    def __init__(
        self, plan: VerificationPlan, sums: Sums, contributions: Mapping[tuple[int, int], int] | None = None
    ) -> None:
        self._plan = plan
        self.sums = sums
        small = _contribution_bits(plan) if plan.integers else None
        places = product(range(plan.devices), range(plan.chunks))
        if contributions is None:
            self._given = {place: sums.free(small) for place in places}
        else:
            self._given = dict.fromkeys(places, sums.constant(0))
            self._given |= {place: sums.constant(number) for place, number in contributions.items()}

    def run(self) -> list[dict[str, Block]]:
        """What every buffer of every device holds at the end."""
        zero: Cell = (self.sums.constant(0), 1)
        plan = self._plan
        state = [
            {name: [zero] * length if name in plan.zeros else self.unknown(length) for name, length in plan.buffers}
            for _ in range(plan.devices)
        ]
        for device in range(plan.devices):
            state[device][plan.result] = [(self._given[device, chunk], 1) for chunk in range(plan.chunks)]
        for step in plan.steps:
            target = slice(step.target.start, step.target.end)
            for group in step.groups:
                read = [_brought(state[device], step) for device in group]
                for device, block in zip(group, RULES[step.operation](self, step, read), strict=True):
                    if block is not None:
                        state[device][step.target.buffer][target] = self._divided(block, step.divisor)
        return state

    def unknown(self, length: int) -> Block:
        """What nobody may rely on: a new number whenever it is read, for sums alone can never cancel it."""
        return [None] * length

    def sum(self, read: list[Block]) -> Block:
        """The members' blocks, added."""
        return [self._total(cells) for cells in zip(*read, strict=True)]

    def wanted(self, group: tuple[int, ...], chunk: int) -> Cell:
        """What all of a group should have in a chunk."""
        total = self.sums.total(self._given[device, chunk] for device in group)
        return self._divided([(total, 1)], len(group) if self._plan.average else 1)[0]

    def compared(self, got: Cell, wanted: Cell) -> list[tuple[Number, Number]]:
        """Pairs of numbers: the two cells are equal if those of any pair are, and only if those of the last are."""
        one, other = self._read(got), self._read(wanted)
        least = lcm(one[1], other[1])
        whole = self.sums.times(one[0], least // one[1]), self.sums.times(other[0], least // other[1])
        return [whole, (self._quotient(one), self._quotient(other))] if self._plan.integers else [whole]

    def value(self, cell: Cell) -> Fraction | None:
        """The number that a cell is, if it is one."""
        if cell is None:
            return None
        number = (self._quotient(cell), 1) if self._plan.integers else cell
        value = self.sums.value(number[0])
        return None if value is None else Fraction(value, number[1])

    def ask(self, got: Number, wanted: Number, place: tuple[int, int], deadline: float | None) -> Answer[Difference]:
        """Whether the two can differ, and numbers for which they do."""
        terms = self.sums.term(got), self.sums.term(wanted)
        solver = Solver("numbers on which the plan goes wrong", [terms[0] != terms[1]], Logic.BIT_VECTORS)
        answer = solver.ask(deadline)
        if not isinstance(answer, Sat):
            return answer
        value = answer.model.number
        given = {key: value(self.sums.term(number)) for key, number in self._given.items()}
        given = {key: number for key, number in given.items() if number}
        return Sat(Difference(*place, given, value(terms[0]), value(terms[1]), self.sums.bits))

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


def _contribution_bits(plan: VerificationPlan) -> int:
    """So many that a contribution can be large enough to be seen behind every division."""
    return max(INTEGER_BITS, unit(plan).bit_length() + 1)


def _bits(plan: VerificationPlan) -> int:
    """So many that no count of a contribution, however a plan adds it up, is 0 modulo 2^bits."""
    divided = sum(step.divisor.bit_length() for step in plan.steps) + plan.devices.bit_length()
    return max(LEAST_BITS, greatest_count(plan).bit_length() + divided + _contribution_bits(plan))


def all_reduce(rules: PlanRules, step: Step, read: list[Block]) -> list[Block | None]:
    """Everyone the sum."""
    total = rules.sum(read)
    return [total for _ in read]


def reduce_scatter(rules: PlanRules, step: Step, read: list[Block]) -> list[Block | None]:
    """Member `i` block `i` of the sum; in place it knows nothing of the others."""
    total, size = rules.sum(read), len(read[0]) // len(read)
    found: list[Block | None] = []
    for first in range(0, len(total), size):
        own = total[first : first + size]
        found.append([*rules.unknown(first), *own, *rules.unknown(len(total) - first - size)] if step.in_place else own)
    return found


def reduce(rules: PlanRules, step: Step, read: list[Block]) -> list[Block | None]:
    """The root the sum, nobody else anything known."""
    return [rules.sum(read) if place == step.root else rules.unknown(len(read[0])) for place in range(len(read))]


def all_gather(rules: PlanRules, step: Step, read: list[Block]) -> list[Block | None]:
    """Everyone all parts in group order; in place part `i` is block `i` of member `i`."""
    size = len(read[0]) // len(read)
    joined: Block = []
    for place, block in enumerate(read):
        joined += block[place * size : place * size + size] if step.in_place else block
    return [joined for _ in read]


def broadcast(rules: PlanRules, step: Step, read: list[Block]) -> list[Block | None]:
    """Everyone what the root has."""
    return [read[step.root] for _ in read]


def send(rules: PlanRules, step: Step, read: list[Block]) -> list[Block | None]:
    """Everyone but the root what the root has."""
    return [read[step.root] if place != step.root else None for place in range(len(read))]


def all_to_all(rules: PlanRules, step: Step, read: list[Block]) -> list[Block | None]:
    """Member `j` block `j` of everyone."""
    size = len(read[0]) // len(read)
    return [[term for block in read for term in block[j * size :][:size]] for j in range(len(read))]


def add(rules: PlanRules, step: Step, read: list[Block]) -> list[Block | None]:
    """Everyone alone source plus target."""
    size = step.target.length
    return [rules.sum([block[:size], block[size:]]) for block in read]


def copy(rules: PlanRules, step: Step, read: list[Block]) -> list[Block | None]:
    """Everyone alone its source; divided afterwards, as all that is written, it is a scale."""
    return [*read]


RULES: dict[Operation, Callable[[PlanRules, Step, list[Block]], list[Block | None]]] = {
    Collective.ALL_REDUCE: all_reduce,
    Collective.REDUCE_SCATTER: reduce_scatter,
    Collective.REDUCE: reduce,
    Collective.ALL_GATHER: all_gather,
    Collective.BROADCAST: broadcast,
    Exchange.SEND: send,
    Exchange.ALL_TO_ALL: all_to_all,
    Local.ADD: add,
    Local.COPY: copy,
    Local.SCALE: copy,
}


def _brought(held: dict[str, Block], step: Step) -> Block:
    found: Block = []
    for part in step.reads:
        found += held[part.buffer][part.start : part.end]
    return found
