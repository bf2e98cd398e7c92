"""Outputs made whole on every device by the program itself, as emitted code gives them."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from p2smt.tensor.conversion import AllGather, AllReduce, Conversion
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Inferred
from p2smt.tensor.layout import Layout, Local, OnRank, Partial, Replicated, Sliced
from p2smt.tensor.program import Convert, Output, Program, Read, Statement, versions
from p2smt.tensor.tidying import renamed


def with_whole_outputs(program: Program, but: Collection[str] = ()) -> Program:
    """The program whose outputs `but` these are Replicated; what it has over is joined with other sums in a bucket.

    A search leaves an output as it lies, a loss as a summand on each device, and counts nothing for it; a step that is
    emitted sums it up. States stay where they lie, as do values without a whole, and programs on a mesh of several
    axes.
    """
    inferred = infer(program)
    if len(program.mesh) != 1 or not isinstance(inferred, Inferred):
        return program
    kept = {source.name for source in program.sources} | set(versions(program).values()) | set(but)
    layouts = {each.name: inferred.layouts[each.name][0] for each in program.outputs if each.name not in kept}
    gathers = {name: made for name, layout in layouts.items() if (made := _gather(layout)) is not None}
    if not gathers:
        return program
    parts = _names(program, gathers)
    apart = renamed(program, parts)
    statements = _with_gathers(apart, {part: (name, gathers[name]) for name, part in parts.items()})
    outputs = (Output(each.name) if each.name in gathers else each for each in program.outputs)
    return replace(program, statements=tuple(statements), outputs=tuple(outputs))


def _gather(layout: Layout) -> Conversion | None:
    """What makes a value whole; None where it is, or has no whole."""
    match layout:
        case Partial(reduction):
            return AllReduce(reduction)
        case Sliced(dimension):
            return AllGather(dimension)
        case Replicated() | Local() | OnRank():
            return None


def _names(program: Program, outputs: Mapping[str, Conversion]) -> dict[str, str]:
    """A free name for what every output is made of."""
    taken = {source.name for source in program.sources} | {each.name for each in program.statements}
    names = {}
    for output in outputs:
        name = f"{output}_local"
        while name in taken:
            name += "_"
        taken.add(name)
        names[output] = name
    return names


def _with_gathers(program: Program, of: Mapping[str, tuple[str, Conversion]]) -> Iterator[Statement]:
    for statement in program.statements:
        yield statement
        if statement.name in of:
            name, conversion = of[statement.name]
            yield Statement(name, Convert(conversion, Read(statement.name)))
