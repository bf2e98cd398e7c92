"""Reduction of a program to small tensors on few ranks, so that numpy can run it."""

from collections.abc import Iterator, Mapping
from math import prod

from p2smt.errors import ProgramError
from p2smt.tensor.placing import world
from p2smt.tensor.program import Program
from p2smt.tensor.shapes import wholes
from p2smt.tensor.verification.resize import NewSizes, lengths_of, resized

MOST_ELEMENTS = 20_000
"""The largest number of elements of all values on all ranks."""
# Lengths by rank of size: divisible and indivisible ones, equal and different neighbours; the
# product stays small.
_LENGTHS = ((3, 2, 4, 5), (2, 3, 2, 3), (4, 6, 2, 3), (6, 4, 8, 12), (12, 8, 24, 6))


def small(program: Program) -> Iterator[tuple[NewSizes, Program]]:
    """Yield small versions of a program with the size changes, at first on two ranks per axis.

    Equal lengths stay equal. The program itself comes last, if it is small enough.
    """
    two = {axis.name: 2 for axis in program.mesh}
    for ranks in (two, {}):
        for lengths in _lengths(program):
            resizing = NewSizes(ranks, lengths)
            made = resized(program, resizing)
            if _elements(made) <= MOST_ELEMENTS:
                yield resizing, made


def _lengths(program: Program) -> Iterator[Mapping[int, int]]:
    found = sorted(length for length in lengths_of(program) if length > 1)
    for choice in _LENGTHS:
        yield {length: choice[number % len(choice)] for number, length in enumerate(found)}
    yield {}


def _elements(program: Program) -> int:
    """Return the number of elements on all ranks; above the limit if shapes no longer fit."""
    try:
        return world(program.mesh) * sum(prod(whole.shape) for whole in wholes(program).values())
    except ProgramError:
        return MOST_ELEMENTS + 1


def sizes_text(program: Program) -> str:
    r"""Return the tensor sizes as text: named sizes, or else the shapes of sources.

    >>> from p2smt.tensor.text.parser import parse_program
    >>> sizes_text(parse_program("program p\nsize N = 3\ninput x : f32[N]\noutput x"))
    'N=3'
    """
    used = {name for source in program.sources for name in source.names}
    named = [f"{name}={size}" for name, size in program.sizes if name in used]
    shapes = [f"{source.name} {list(source.shape)}" for source in program.sources if source.shape]
    return ", ".join(named or shapes)
