"""What running a program on simulated ranks takes, so that what is too large is said to be, and not begun."""

from dataclasses import dataclass
from math import prod

from p2smt.tensor.meaning import Meaning
from p2smt.tensor.placing import world
from p2smt.tensor.prime_field import PrimeField
from p2smt.tensor.program import Call, Program, Read, parts
from p2smt.tensor.shapes import Whole, flops, whole_of, wholes

MOST_ELEMENTS = 20_000_000
"""Elements of all values of all ranks, 8 bytes each."""
MOST_FLOPS = 2_000_000_000
MOST_FLOPS_IN_FIELD = 500_000
"""Elements of the field are Python's whole numbers."""


@dataclass(frozen=True, slots=True)
class Effort:
    """Operations on numbers, and elements that are kept, of all ranks; as if each had everything whole."""

    flops: int
    elements: int

    def affordable(self, meaning: Meaning) -> bool:
        """Whether it is a matter of seconds in this arithmetic."""
        most = MOST_FLOPS_IN_FIELD if isinstance(meaning, PrimeField) else MOST_FLOPS
        return self.flops <= most and self.elements <= MOST_ELEMENTS

    def __str__(self) -> str:
        return f"{self.flops:.1e} operations on {self.elements:.1e} elements"


def effort(program: Program) -> Effort:
    """That of a program on its mesh. ProgramError if shapes do not fit."""
    known = wholes(program)
    counted = elements = sum(prod(source.shape) for source in program.sources)
    for statement in program.statements:
        for part in parts(statement.expression):
            elements += prod(known[statement.name].shape)
            if isinstance(part, Call):
                counted += _flops(part, known)
    return Effort(counted * world(program.mesh), elements * world(program.mesh))


def _flops(call: Call, known: dict[str, Whole]) -> int:
    shapes = tuple(
        known[operand.name].shape if isinstance(operand, Read) else whole_of(operand, known).shape
        for operand in call.operands
    )
    return flops(call, shapes) + prod(whole_of(call, known).shape)
