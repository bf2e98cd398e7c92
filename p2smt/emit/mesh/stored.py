"""Storage layouts of a distributed program's sources, per mesh axis, for frameworks that split evenly."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from p2smt.emit.mesh.constants import quoted
from p2smt.errors import ProgramError
from p2smt.tensor.expression import ProgramAxis, Source, SourceKind
from p2smt.tensor.inference import infer
from p2smt.tensor.judgement import Refused
from p2smt.tensor.layout import Layout, Replicated, Sliced, chunk_sizes, layout_text, sizes_as_text
from p2smt.tensor.program import Program

KINDS = (SourceKind.PARAMETER, SourceKind.STATE, SourceKind.INPUT)
"""The kinds of sources that are stored in a layout."""


@dataclass(frozen=True, slots=True)
class StoredSource:
    """A source and, for every mesh axis, the dimension that it shards; None if it shards none."""

    source: Source
    cuts: tuple[int | None, ...]


def stored(program: Program, framework: str) -> tuple[StoredSource, ...]:
    """Return all parameters, states and inputs of a distributed program.

    Raises ProgramError for a program on one device, for blocks that differ from torch.chunk's, and for sources that are
    neither sharded nor replicated. `framework` is for messages.
    """
    if not program.mesh:
        raise ProgramError(f"program {program.name} has no mesh; shard it first with p2smt shard")
    inferred = infer(program)
    if isinstance(inferred, Refused):
        raise ProgramError(
            f"program {program.name} is not a valid distributed program: {inferred}; p2smt verify shows the mistake"
        )
    return tuple(
        StoredSource(source, _cuts(source, inferred.layouts[source.name], program.mesh, framework))
        for source in program.sources
        if source.kind in KINDS
    )


def mesh_table(program: Program) -> str:
    """Return the assignment of the mesh, MESH, to the sizes of its axes by name."""
    axes = "".join(f"    {quoted(axis.name)}: {axis.size},\n" for axis in program.mesh)
    return f"MESH = {{\n{axes}}}\n"


def stored_table(
    constant: str, entries: str, kind: SourceKind, every: Iterable[StoredSource], text: Callable[[StoredSource], str]
) -> str:
    """Return the assignment of a table with the text of every source of a kind by name; its type names `entries`."""
    rows = "".join(f"    {quoted(each.source.name)}: {text(each)},\n" for each in every if each.source.kind is kind)
    kept = f"{{\n{rows}}}" if rows else "{}"
    return f"{constant}: dict[str, {entries}] = {kept}\n"


def _cuts(
    source: Source, layouts: tuple[Layout, ...], mesh: tuple[ProgramAxis, ...], framework: str
) -> tuple[int | None, ...]:
    blocks: list[tuple[int, ...]] = [(length,) for length in source.shape]
    found: list[int | None] = []
    for number, (layout, axis) in enumerate(zip(layouts, mesh, strict=True)):
        match layout:  # only Replicated, Sliced: others are refused, or match no rule and no conversion
            case Replicated():
                found.append(None)
            case Sliced(dimension, sizes, under):
                if under != tuple(before for before in range(number) if found[before] == dimension):
                    raise ProgramError(
                        f"{source.name} is cut by a later axis before {axis.name}; {framework} cuts by the axes in "
                        "mesh order; swap the axes in --mesh"
                    )
                blocks[dimension] = _checked(source.name, blocks[dimension], axis, sizes, framework)
                found.append(dimension)
            case _:
                raise ProgramError(
                    f"{source.name} is {layout_text(layout)}; {framework} stores tensors sliced or replicated; "
                    "choose one of these by a --condition of p2smt shard"
                )
    return tuple(found)


def _checked(
    name: str, before: tuple[int, ...], axis: ProgramAxis, sizes: tuple[int, ...] | None, framework: str
) -> tuple[int, ...]:
    """Return the blocks into which an axis splits blocks; raises ProgramError if they differ from torch.chunk's."""
    blocks = tuple(size for block in before for size in chunk_sizes(block, axis.size))
    if sizes is not None and sizes != blocks:
        raise ProgramError(
            f"{name} is cut into {sizes_as_text(sizes)}, but {framework} cuts it into "
            f"{sizes_as_text(blocks)}; use --shares even, and lengths divisible by the number of "
            "devices"
        )
    return blocks
