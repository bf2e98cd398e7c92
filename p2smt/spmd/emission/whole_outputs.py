"""Replicate a program's outputs on every device, as emitted code returns them."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from p2smt.spmd.emission.writing import StatementBuilder
from p2smt.tensor.conversion import AllGather, AllReduce, Conversion
from p2smt.tensor.expression import Convert, Output, ProgramAxis, Read
from p2smt.tensor.inference import judge
from p2smt.tensor.judgement import JudgedProgram, Layouts, Refused
from p2smt.tensor.layout import Local, OnRank, Partial, Sliced
from p2smt.tensor.program import Program, versions
from p2smt.tensor.tidying import renamed


def with_whole_outputs(program: Program, but: Collection[str] = (), judged: JudgedProgram | None = None) -> Program:
    """Return the program with all outputs replicated, except those in `but`.

    A search leaves an output sharded or partial at no cost, such as a loss that is a partial value on each device; an
    emitted step has to sum it. States keep their layout, as do values that cannot be replicated. On a mesh of several
    axes partial values are summed first, while shards are still small; if several axes shard one dimension, the last
    axis is gathered first. `judged` are the layouts of the program, where they are known.
    """
    layouts_of = judge(program) if judged is None else judged
    if isinstance(layouts_of, Refused):
        return program
    kept = {source.name for source in program.sources} | set(versions(program).values()) | set(but)
    layouts = {each.name: layouts_of.layouts[each.name] for each in program.outputs if each.name not in kept}
    gathers = {name: made for name, each in layouts.items() if (made := _gathers(each, program.mesh))}
    if not gathers:
        return program
    writing = StatementBuilder({source.name for source in program.sources} | {each.name for each in program.statements})
    parts = {name: writing.fresh(f"{name}_local") for name in gathers}
    for statement in renamed(program, parts).statements:
        writing.add(statement.name, statement.expression)
        for name in (name for name, part in parts.items() if part == statement.name):
            _gather(writing, statement.name, name, gathers[name])
    outputs = (Output(each.name) if each.name in gathers else each for each in program.outputs)
    return replace(program, statements=tuple(writing.statements), outputs=tuple(outputs))


def _gathers(layouts: Layouts, mesh: tuple[ProgramAxis, ...]) -> tuple[tuple[Conversion, str], ...]:
    """Return the (conversion, axis name) pairs that replicate a value; empty if it is replicated, or cannot be."""
    # only Local, OnRank: others have a whole
    if any(isinstance(layout, Local | OnRank) for layout in layouts):
        return ()
    sums: list[tuple[Conversion, str]] = []
    parts: list[tuple[Conversion, str]] = []
    for layout, axis in reversed(list(zip(layouts, mesh, strict=True))):
        name = axis.name if len(mesh) > 1 else ""
        match layout:  # only Partial, Sliced: others are whole, or have no whole
            case Partial(reduction):
                sums.append((AllReduce(reduction), name))
            case Sliced(dimension):
                parts.append((AllGather(dimension), name))
            case _:
                pass
    return (*sums, *parts)


def _gather(writing: StatementBuilder, part: str, name: str, gathers: Sequence[tuple[Conversion, str]]) -> None:
    """Write each collective as a statement of its own, so that those of several outputs can share a bucket."""
    for number, (conversion, axis) in enumerate(gathers, start=1):
        made = name if number == len(gathers) else writing.fresh(f"{name}_partly")
        writing.add(made, Convert(conversion, Read(part), axis))
        part = made
