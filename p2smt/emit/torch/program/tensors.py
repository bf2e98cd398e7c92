"""Descriptions of whole tensors in an emitted file: sources and outputs, with their sharding."""

from collections.abc import Iterable

from p2smt.emit.torch.program.cuts import cut_of
from p2smt.emit.torch.program.indices import index_limits
from p2smt.emit.torch.program.lines import broken
from p2smt.emit.torch.program.statements import StatementWriter
from p2smt.emit.torch.program.value import TORCH_TYPES, Value, type_text
from p2smt.errors import ProgramError
from p2smt.tensor.dtype import DType
from p2smt.tensor.expression import Source, SourceKind
from p2smt.tensor.layout import Local, OnRank, Partial, ReductionOp, layout_text
from p2smt.tensor.program import Program


def constant_text(writer: StatementWriter, source: Source) -> str:
    """Return the expression of a filled constant."""
    value = writer.values[source.name]
    shape = _row(span.length for span in writer.cuts.spans(value.shape, value.layouts))
    dtype = type_text(source.dtype, writer.real)
    return f"torch.full({shape}, {source.value!r}, dtype={dtype}, device=at.device)"


def tensors_literal(program: Program, writer: StatementWriter, *, in_parts: bool = False) -> str:
    """Return the table of all sources: kind, type, shape, layout."""
    return _table("TENSORS", tensor_entries(program, writer, in_parts=in_parts))


def tensor_entries(program: Program, writer: StatementWriter, *, in_parts: bool = False) -> list[tuple[str, str]]:
    """Return (name, literal) for each source; with `in_parts`, inputs need not be shards of a whole tensor."""
    limits = index_limits(program)
    parameters = {source.name for source in program.sources if source.kind is SourceKind.PARAMETER}
    entries = []
    for source in program.sources:
        if source.kind is SourceKind.CONSTANT:
            continue
        kind = _kind(source, parameters)
        below = f"below={limits[source.name]}" if source.name in limits else ""
        entries.append((source.name, _tensor(kind, source.name, _value(writer, source), writer, below, in_parts)))
    return entries


def outputs_literal(program: Program, writer: StatementWriter, *, in_parts: bool = False) -> str:
    """Return the table of outputs."""
    return _table("OUTPUTS", output_entries(program, writer, in_parts=in_parts))


def output_entries(program: Program, writer: StatementWriter, *, in_parts: bool = False) -> list[tuple[str, str]]:
    """Return (name, literal) for each output; with `in_parts`, outputs need not be shards of a whole tensor."""
    entries = []
    for output in program.outputs:
        value = writer.values[output.name]
        entries.append((output.name, _tensor("output", output.name, value, writer, "", in_parts)))
    return entries


def differing(name: str, entries: list[tuple[str, str]], like: str, others: list[tuple[str, str]]) -> str:
    """Return a table as a copy of another one with different entries; both have the same names."""
    apart = [entry for entry in entries if entry not in others]
    if not apart:
        return f"{name} = {like}\n"
    lines = "".join(broken(f'    "{key}": {text},') + "\n" for key, text in apart)
    return f"{name} = {like} | {{\n{lines}}}\n"


def _kind(source: Source, parameters: set[str]) -> str:
    """Return the kind of a source; a parameter's own states are moments, the optimizer's part of a checkpoint."""
    of = source.name.rpartition(".")[0]
    return "moment" if source.kind is SourceKind.STATE and of in parameters else source.kind.value


def _value(writer: StatementWriter, source: Source) -> Value:
    return writer.values[source.name]


def _tensor(kind: str, name: str, value: Value, writer: StatementWriter, below: str, in_parts: bool) -> str:
    """Return the literal of a tensor.

    Parameters and states must be shards of a whole tensor; without `in_parts` so must inputs and outputs.
    """
    summed, roots, local, reduced = [], [], [], ""
    in_parts = in_parts and kind in ("input", "output")
    for axis, layout in enumerate(value.layouts):
        match layout:  # only Local, OnRank, Partial: others are refused, or match no rule and no conversion
            case Partial(ReductionOp.SUM):
                summed.append(str(axis))
            case OnRank(rank):
                roots.append(f"({axis}, {rank})")
            case Partial(reduction) if in_parts:
                summed.append(str(axis))
                reduced = f'reduced="{reduction.name}"'
            case Local() if in_parts:
                local.append(str(axis))
            case Partial() | Local():
                raise ProgramError(
                    f"{name} is {layout_text(layout)}: inputs and outputs of emitted steps must be partial, "
                    "sliced or replicated; convert it in the program"
                )
            case _:
                pass
    dtype = value.dtype or DType.F32
    words = [f'"{kind}"', "REAL" if dtype is writer.real else TORCH_TYPES[dtype], _row(map(str, value.shape))]
    for word, entries in (("cuts", _cuts(value, writer)), ("summed", summed), ("roots", roots), ("local", local)):
        if entries:
            words.append(f"{word}={_row(entries)}")
    return f"Tensor({', '.join([*words, *(each for each in (reduced, below) if each)])})"


def _cuts(value: Value, writer: StatementWriter) -> list[str]:
    """Return the sharded dimensions with the names of their shardings."""
    found = ((dimension, cut_of(value.layouts, dimension)) for dimension in range(len(value.shape)))
    return [f"({dimension}, {writer.cuts.constant(cut)})" for dimension, cut in found if cut is not None]


def _row(texts: Iterable[str]) -> str:
    listed = list(texts)
    return f"({', '.join(listed)}{',' if len(listed) == 1 else ''})"


def _table(name: str, entries: list[tuple[str, str]]) -> str:
    """Return a dict literal with one entry per line."""
    lines = "".join(broken(f'    "{key}": {text},') + "\n" for key, text in entries)
    return f"{name} = {{\n{lines}}}\n" if entries else f"{name}: dict[str, Tensor] = {{}}\n"
