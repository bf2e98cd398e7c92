"""A distributed program's layouts as JAX PartitionSpecs."""

from functools import partial
from math import prod

from p2smt.emit.mesh.constants import quoted
from p2smt.emit.mesh.stored import StoredSource, mesh_table, stored, stored_table
from p2smt.emit.template import filled
from p2smt.errors import ProgramError
from p2smt.tensor.expression import ProgramAxis, SourceKind
from p2smt.tensor.program import Program


def emit_partition_specs(program: Program) -> str:
    """Return a file with the mesh and the PartitionSpec of every parameter, state and input.

    Raises ProgramError as `stored` does, and for lengths that the axes do not divide, which JAX does not support.
    """
    every = stored(program, "JAX")
    for each in every:
        _check_lengths(each, program.mesh)
    table = partial(stored_table, entries="PartitionSpec", every=every, text=partial(_spec, program.mesh))
    return filled(
        "jax/templates/partition_specs.py.in",
        name=program.name,
        devices=str(prod(axis.size for axis in program.mesh)),
        mesh=mesh_table(program),
        parameters=table("PARAMETERS", kind=SourceKind.PARAMETER),
        states=table("STATES", kind=SourceKind.STATE),
        inputs=table("INPUTS", kind=SourceKind.INPUT),
    )


def _check_lengths(each: StoredSource, mesh: tuple[ProgramAxis, ...]) -> None:
    for dimension, length in enumerate(each.source.shape):
        ranks = 1
        for cut, axis in zip(each.cuts, mesh, strict=True):
            ranks *= axis.size if cut == dimension else 1
        if length % ranks:
            raise ProgramError(
                f"dimension {dimension} of {each.source.name} has length {length}, cut over {ranks} "
                "devices; JAX needs a multiple of the number of devices, so pad the dimension or cut it "
                "over fewer"
            )


def _spec(mesh: tuple[ProgramAxis, ...], each: StoredSource) -> str:
    """Return the PartitionSpec: the axes of every dimension, without trailing unsharded dimensions."""
    parts = []
    for dimension in range(len(each.source.shape)):
        names = [quoted(axis.name) for cut, axis in zip(each.cuts, mesh, strict=True) if cut == dimension]
        parts.append("None" if not names else names[0] if len(names) == 1 else f"({', '.join(names)})")
    # A PartitionSpec may be shorter than the rank; trailing `None` adds nothing.
    while parts and parts[-1] == "None":
        parts.pop()
    return f"PartitionSpec({', '.join(parts)})"
