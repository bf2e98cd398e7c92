"""A distributed program's layouts as DTensor placements."""

from p2smt.emit.mesh.constants import quoted
from p2smt.emit.mesh.stored import StoredSource, stored
from p2smt.emit.template import filled
from p2smt.tensor.expression import SourceKind
from p2smt.tensor.program import Program


def emit_placements(program: Program) -> str:
    """Return a file that distributes a module's parameters, and batches, in the program's layouts.

    Parameters have the module's own names, or `m.` before one, as `p2smt capture` writes names that begin with a digit.
    Raises ProgramError as `stored` does.
    """
    every = stored(program, "DTensor")
    axes = "".join(f"    {quoted(axis.name)}: {axis.size},\n" for axis in program.mesh)
    devices = 1
    for axis in program.mesh:
        devices *= axis.size
    return filled(
        "torch/templates/placements.py.in",
        name=program.name,
        devices=str(devices),
        mesh=f"MESH = {{\n{axes}}}\n",
        parameters=_table("PARAMETERS", SourceKind.PARAMETER, every),
        states=_table("STATES", SourceKind.STATE, every),
        inputs=_table("INPUTS", SourceKind.INPUT, every),
    )


def _table(constant: str, kind: SourceKind, every: tuple[StoredSource, ...]) -> str:
    rows = "".join(
        f"    {quoted(each.source.name)}: ({_placements(each)}),\n" for each in every if each.source.kind is kind
    )
    kept = f"{{\n{rows}}}" if rows else "{}"
    return f"{constant}: dict[str, tuple[Placement, ...]] = {kept}\n"


def _placements(each: StoredSource) -> str:
    texts = [_placement(cut) for cut in each.cuts]
    return f"{texts[0]}," if len(texts) == 1 else ", ".join(texts)


def _placement(cut: int | None) -> str:
    return "Replicate()" if cut is None else f"Shard({cut})"
