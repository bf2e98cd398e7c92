"""Isolation of a refused statement: the values it reads become inputs, in their inferred layouts.

    program with a refused statement s   ->   inputs v1, v2, ... in their inferred layouts;  s;  output s
Layouts of s depend on those of its operands alone, so s is refused here for the same reason, and the small program can
be resized and run. Since an output declares a layout, one program is made for each possible claim (`claims`).
Complexity: one inference of the statements before s.
Reference: Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", 2002.

Example: of ten statements the ninth, z = x @ y, is refused: the small program has the inputs x and y and this
statement.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product

from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import AxisLayout, Output, Read, Source, SourceKind, Statement, parts
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Layouts, Refused
from p2smt.tensor.layout import Partial, ReductionOp, Replicated, Sliced
from p2smt.tensor.program import Program
from p2smt.tensor.reason import Reason
from p2smt.tensor.shapes import Whole, wholes


def alone(program: Program, refused: Refused) -> Program | None:
    """Return the refused statement or output as a program of its own.

    None for a source, whose declaration is the mistake.
    """
    if refused.refusal.reason is Reason.OUTPUT_LAYOUT:
        return _output_alone(program, refused.statement)
    for number, statement in enumerate(program.statements):
        if statement.name == refused.statement:
            return _statement_alone(program, number)
    return None


def _statement_alone(program: Program, number: int) -> Program | None:
    statement = program.statements[number]
    before = infer(replace(program, statements=program.statements[:number], outputs=()))
    if isinstance(before, Refused):
        return None
    names = dict.fromkeys(each.name for each in parts(statement.expression) if isinstance(each, Read))
    known = wholes(program)
    sources = tuple(_source(program, name, known[name], before.layouts) for name in names)
    return _of(program, sources, (statement,), Output(statement.name))


def _output_alone(program: Program, name: str) -> Program | None:
    inferred = infer(replace(program, outputs=()))
    if isinstance(inferred, Refused):
        return None
    source = _source(program, name, wholes(program)[name], inferred.layouts)
    return _of(program, (source,), (), next(output for output in program.outputs if output.name == name))


def both_alone(program: Program, single: Program, name: str) -> tuple[Program, Program] | None:
    """Return a statement of both programs as a pair of programs, whose inputs are the values that either reads.

    None if one program lacks the statement, or lacks a value that is read, or has it in another shape.
    """
    inferred = infer(program)
    ours = [each for each in program.statements if each.name == name]
    theirs = [each for each in single.statements if each.name == name]
    if isinstance(inferred, Refused) or not ours or not theirs:
        return None
    known, other = wholes(program), wholes(single)
    expressions = ours[0].expression, theirs[0].expression
    names = dict.fromkeys(each.name for every in expressions for each in parts(every) if isinstance(each, Read))
    if any(read not in known or known[read] != other.get(read) for read in names):
        return None
    sources = tuple(_source(program, read, known[read], inferred.layouts) for read in names)
    bare = tuple(replace(source, layouts=()) for source in sources)
    output = Output(name, declared(inferred.layouts[name], program))
    return _of(program, sources, (ours[0],), output), _of(single, bare, (theirs[0],), Output(name))


def _of(program: Program, sources: tuple[Source, ...], statements: tuple[Statement, ...], output: Output) -> Program:
    """Return a part of the program, with the size names it uses."""
    named = {name for source in sources for name in source.names}
    sizes = tuple((name, size) for name, size in program.sizes if name in named)
    return replace(program, sizes=sizes, sources=sources, statements=statements, outputs=(output,))


def claims(program: Program) -> Iterator[Program]:
    """Yield the program with each possible claim about the layout of its result.

    A claim is the whole tensor, or a partial value along some axes; the operands' own layout comes first. A
    program without statements is yielded unchanged.
    """
    if not program.statements:
        yield program
        return
    # only Partial, Replicated, Sliced: others are printed as they are
    partial = [placed for source in program.sources for placed in source.layouts if isinstance(placed.layout, Partial)]
    kinds = [Replicated(), *(Partial(reduction) for reduction in ReductionOp)]
    found = []
    for claim in product(*(kinds for _ in program.mesh)):
        pairs = zip(claim, program.mesh, strict=True)
        placed = tuple(AxisLayout(layout, axis.name) for layout, axis in pairs if isinstance(layout, Partial))
        if len({each.layout for each in placed}) < 2:
            found.append(placed)
    for placed in sorted(found, key=lambda each: set(each) != set(partial)):
        yield replace(program, outputs=tuple(replace(output, layouts=placed) for output in program.outputs))


def _source(program: Program, name: str, whole: Whole, layouts: Mapping[str, Layouts]) -> Source:
    """Return the source of this name, or an input that replaces a statement's value."""
    for source in program.sources:
        if source.name == name:
            return source
    names = ("",) * len(whole.shape)
    placed = declared(layouts[name], program)
    floats = (each.dtype for each in program.sources if not each.dtype.is_whole)
    dtype = whole.dtype or next(floats, DType.F32)  # what is made of numbers alone takes the type of what it meets
    return Source(kind=SourceKind.INPUT, name=name, dtype=dtype, shape=whole.shape, names=names, layouts=placed)


def declared(layouts: Layouts, program: Program) -> tuple[AxisLayout, ...]:
    """Return inferred layouts as declarations; of axes that cut one dimension, outer ones come first."""

    def depth(number: int) -> int:
        layout = layouts[number]
        return len(layout.under) if isinstance(layout, Sliced) else 0

    found = []
    for number in sorted(range(len(layouts)), key=depth):
        layout = layouts[number]
        plain = replace(layout, under=()) if isinstance(layout, Sliced) else layout
        if not isinstance(plain, Replicated):
            found.append(AxisLayout(plain, program.mesh[number].name))
    return tuple(found)
