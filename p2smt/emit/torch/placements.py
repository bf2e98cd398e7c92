"""A distributed program's layouts as DTensor placements."""

from functools import partial
from math import prod

from p2smt.emit.mesh.stored import StoredSource, mesh_table, stored, stored_table
from p2smt.emit.template import filled
from p2smt.tensor.expression import SourceKind
from p2smt.tensor.program import Program


def emit_placements(program: Program) -> str:
    """Return a file that distributes a module's parameters, and batches, in the program's layouts.

    Parameters have the module's own names, or `m.` before one, as `p2smt capture` writes names that begin with a digit.
    Raises ProgramError as `stored` does.
    """
    every = stored(program, "DTensor")
    table = partial(stored_table, entries="tuple[Placement, ...]", every=every, text=_placements)
    return filled(
        "torch/templates/placements.py.in",
        name=program.name,
        devices=str(prod(axis.size for axis in program.mesh)),
        mesh=mesh_table(program),
        parameters=table("PARAMETERS", kind=SourceKind.PARAMETER),
        states=table("STATES", kind=SourceKind.STATE),
        inputs=table("INPUTS", kind=SourceKind.INPUT),
    )


def _placements(each: StoredSource) -> str:
    texts = [_placement(cut) for cut in each.cuts]
    return f"({texts[0]},)" if len(texts) == 1 else f"({', '.join(texts)})"


def _placement(cut: int | None) -> str:
    return "Replicate()" if cut is None else f"Shard({cut})"
