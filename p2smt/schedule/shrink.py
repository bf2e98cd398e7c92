"""The same program with small tensors, so that it can be run in numpy."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from math import prod

from p2smt.errors import ProgramError
from p2smt.tensor.frame import Attribute
from p2smt.tensor.layout import Sliced
from p2smt.tensor.program import (
    Axis,
    Call,
    Convert,
    Expression,
    Number,
    Placed,
    Program,
    Ranks,
    Read,
    Source,
    Statement,
)
from p2smt.tensor.shapes import wholes

MOST_ELEMENTS = 20_000
_LENGTHS = ((3, 2, 4, 5), (2, 3, 2, 3), (4, 6, 2, 3), (6, 4, 8, 12), (12, 8, 24, 6))


def small(program: Program, *, ranks: bool = True) -> Iterator[Program]:
    """Programs like this one, smallest first, the program itself last if it is small enough.

    Lengths that are equal stay equal; with `ranks` the axes of the mesh are cut down to two ranks. Sizes of blocks that
    are written keep their tensors as they are.
    """
    meshes = [tuple(Axis(axis.name, min(2, axis.size)) for axis in program.mesh)] if ranks else []
    for mesh in dict.fromkeys([*meshes, program.mesh]):
        for lengths in _lengths(program):
            made = _with(program, lengths, mesh)
            if made is not None and made != program:
                yield made
    if _elements(program) <= MOST_ELEMENTS:
        yield program


def _lengths(program: Program) -> Iterator[Mapping[int, int]]:
    fixed = _written(program)
    theirs = [length for source in program.sources for length in source.shape]
    found = [length for length in dict.fromkeys(theirs) if length > 1 and length not in fixed]
    for choice in _LENGTHS:
        yield {length: choice[number % len(choice)] for number, length in enumerate(found)}


def _written(program: Program) -> frozenset[int]:
    """Lengths of tensors whose blocks are written."""
    return frozenset(
        length
        for source in program.sources
        if any(isinstance(each.layout, Sliced) and each.layout.sizes is not None for each in source.layouts)
        for length in source.shape
    )


def _with(program: Program, lengths: Mapping[int, int], mesh: tuple[Axis, ...]) -> Program | None:
    sources = tuple(_source(source, lengths) for source in program.sources)
    sizes = tuple((name, lengths.get(size, size)) for name, size in program.sizes)
    statements = tuple(Statement(each.name, _expression(each.expression, lengths)) for each in program.statements)
    made = replace(program, sources=sources, sizes=sizes, statements=statements, mesh=mesh)
    try:
        wholes(made)
    except ProgramError:
        return None
    return made if _elements(made) <= MOST_ELEMENTS else None


def _source(source: Source, lengths: Mapping[int, int]) -> Source:
    layouts = tuple(Placed(each.layout, each.axis) for each in source.layouts)
    return replace(source, shape=tuple(lengths.get(length, length) for length in source.shape), layouts=layouts)


def _expression(expression: Expression, lengths: Mapping[int, int]) -> Expression:
    match expression:
        case Call(name, operands, attributes):
            inner = tuple(_expression(operand, lengths) for operand in operands)
            changed = name in ("reshape", "one_hot", "slice")
            return Call(name, inner, tuple(_attribute(each, lengths) for each in attributes) if changed else attributes)
        case Convert(conversion, operand, axis):
            return Convert(conversion, _expression(operand, lengths), axis)
        case Read() | Number() | Ranks():
            return expression


def _attribute(attribute: Attribute, lengths: Mapping[int, int]) -> Attribute:
    match attribute:
        case tuple():
            return tuple(lengths.get(number, number) for number in attribute)
        case int():
            return lengths.get(attribute, attribute)
        case str() | float():
            return attribute


def _elements(program: Program) -> int:
    try:
        return sum(prod(whole.shape) for whole in wholes(program).values())
    except ProgramError:
        return 2 * MOST_ELEMENTS


def sizes_text(program: Program) -> str:
    r"""How large the tensors are, for people: named sizes, or the shapes of sources.

    >>> from p2smt.tensor.text.parser import parse_program
    >>> sizes_text(parse_program("program p\nsize N = 3\ninput x : f32[N]\noutput x"))
    'N=3'
    """
    used = {name for source in program.sources for name in source.names}
    named = [f"{name}={size}" for name, size in program.sizes if name in used]
    shapes = [f"{source.name} {list(source.shape)}" for source in program.sources if source.shape]
    return ", ".join(named or shapes)
