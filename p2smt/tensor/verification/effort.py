"""Cost estimate of running a program on simulated ranks, to refuse runs that would take too long."""

from dataclasses import dataclass
from math import prod
from typing import assert_never

from p2smt.tensor.conversion import AllToAll
from p2smt.tensor.expression import Call, Convert, Expression, Number, Ranks, Read
from p2smt.tensor.meaning import Meaning
from p2smt.tensor.placing import world
from p2smt.tensor.prime_field import PrimeField
from p2smt.tensor.program import Program
from p2smt.tensor.shapes import flops
from p2smt.tensor.typed_walk import shapes_of, typed_walk

MOST_ELEMENTS = 20_000_000
"""The largest number of elements of all values of all ranks, at 8 bytes each."""
MOST_FLOPS = 2_000_000_000
MOST_FLOPS_IN_FIELD = 500_000
"""The largest number of operations over a prime field, whose elements are Python integers."""
MOST_STARTED = 50_000
"""The largest number of array operations on all ranks, including messages, at about 20 us each."""


@dataclass(frozen=True, slots=True)
class CheckEffort:
    """The cost of a simulation over all ranks, if each computed whole tensors.

    `flops` are arithmetic operations, `elements` those of all values and subexpressions, `started` array
    operations.
    """

    flops: int
    elements: int
    started: int

    def affordable(self, meaning: Meaning) -> bool:
        """True if the simulation takes only seconds in this arithmetic."""
        most = MOST_FLOPS_IN_FIELD if isinstance(meaning, PrimeField) else MOST_FLOPS
        return self.flops <= most and self.elements <= MOST_ELEMENTS and self.started <= MOST_STARTED

    def __str__(self) -> str:
        begun = f", {self.started:.1e} arrays" if self.started > MOST_STARTED else ""
        return f"{self.flops:.1e} operations on {self.elements:.1e} elements{begun}"


def effort(program: Program) -> CheckEffort:
    """Return the cost of a program on its mesh. ProgramError if shapes do not fit."""
    walk = typed_walk(program)
    counted = elements = sum(prod(source.shape) for source in program.sources)
    started = len(program.sources)
    for each in walk:
        held = prod(each.whole.shape)
        elements += held
        started += _started(each.expression, program)
        if isinstance(each.expression, Call):
            counted += flops(each.expression, shapes_of(walk, each)) + held
    ranks = world(program.mesh)
    return CheckEffort(counted * ranks, elements * ranks, started * ranks)


def _started(part: Expression, program: Program) -> int:
    """Return the number of array operations of an expression; an all-to-all has one per rank."""
    match part:
        case Call():
            return 1
        case Convert(AllToAll(), _, axis):
            return program.mesh[program.axis(axis)].size
        case Convert():
            return 1
        case Read() | Number() | Ranks():
            return 0
        case _:
            assert_never(part)
