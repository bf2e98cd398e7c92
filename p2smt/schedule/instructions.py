"""Parsing of the reduction program that implements a collective."""

from p2smt.reduction.language.instruction import grouping_of
from p2smt.reduction.language.language import Step
from p2smt.reduction.language.text import parse_program
from p2smt.schedule.outcome import StepRefusedError
from p2smt.schedule.why import Why

Levels = tuple[tuple[str, int], ...]
"""Level names and sizes, outermost first."""


def instructions(text: str, levels: Levels) -> list[Step]:
    """Return the instructions of a reduction program, in order.

    StepRefusedError if groups have one member; ProgramError if the text is not a program.
    """
    names = ["root", *(name for name, _ in levels)]
    found: list[Step] = []
    for instruction in parse_program(text, names):
        grouping = grouping_of(instruction.slice, instruction.form, len(levels))
        if grouping is None:
            raise StepRefusedError(Why.NOT_THE_GOAL, f"an instruction of {text} has groups of one")
        found.append((grouping, instruction.collective))
    return found
