"""A conversion as a call of the emitted file's functions (`templates/program/collectives.py.in`)."""

from dataclasses import dataclass, replace

from p2smt.emit.torch.program.calls import number_tensor
from p2smt.emit.torch.program.cuts import Cuts, cut_of
from p2smt.emit.torch.program.value import Value, type_text
from p2smt.tensor.conversion import (
    AllGather,
    AllReduce,
    AllToAll,
    Broadcast,
    Conversion,
    Keep,
    Rebalance,
    Reduce,
    ReduceScatter,
    Send,
    Slice,
)
from p2smt.tensor.dtype import DType
from p2smt.tensor.judgement import Layouts
from p2smt.tensor.layout import OnRank, ReductionOp
from p2smt.tensor.way import Way

OPERATORS = {ReductionOp.SUM: "", ReductionOp.MAX: ", dist.ReduceOp.MAX", ReductionOp.MIN: ", dist.ReduceOp.MIN"}


@dataclass(frozen=True, slots=True)
class EmittedAxis:
    """A mesh axis: its number, its name in emitted code, and its number of ranks."""

    number: int
    name: str
    ranks: int


def converted(
    conversion: Conversion,
    value: Value,
    after: Layouts,
    along: EmittedAxis,
    cuts: Cuts,
    way: Way,
    real: DType,
    by: str = "",
) -> Value:
    """Return a conversion along an axis; `way` is for unequal shards, `by` names a reduction program's function."""
    value = number_tensor(value, real)
    match conversion:
        case AllReduce() | ReduceScatter() | AllGather() | AllToAll() | Rebalance():
            text = _among_all(conversion, value, after, along, cuts, way, by)
        case Slice() | Keep() | Reduce() | Broadcast() | Send():
            text = _with_one(conversion, value, after, along, cuts, real)
    return replace(value, text=text, layouts=after, is_atom=True, is_name=False, along=along.number)


def _among_all(
    conversion: AllReduce | ReduceScatter | AllGather | AllToAll | Rebalance,
    value: Value,
    after: Layouts,
    along: EmittedAxis,
    cuts: Cuts,
    way: Way,
    by: str,
) -> str:
    what = f"{value.text}, {along.name}"
    match conversion:
        case AllReduce(reduction):
            text = f"{by or 'all_reduce'}({what}{OPERATORS[reduction]})"
        case ReduceScatter(dimension, _, reduction):
            name = by or f"reduce_scatter{suffix(value, after, dimension, along, cuts, way)}"
            text = f"{name}({what}, {dimension}, {part_of(value, after, dimension, cuts)}{OPERATORS[reduction]})"
        case AllGather(dimension):
            name = by or f"all_gather{suffix(value, value.layouts, dimension, along, cuts, way)}"
            text = f"{name}({what}, {dimension}, {part_of(value, value.layouts, dimension, cuts)})"
        case AllToAll(source, target):
            held, made = part_of(value, value.layouts, source, cuts), part_of(value, after, target, cuts)
            text = f"all_to_all({what}, {source}, {held}, {target}, {made})"
        case Rebalance(dimension):
            held, made = part_of(value, value.layouts, dimension, cuts), part_of(value, after, dimension, cuts)
            text = f"rebalance({what}, {dimension}, {held}, {made})"
    return text


def _with_one(
    conversion: Slice | Keep | Reduce | Broadcast | Send,
    value: Value,
    after: Layouts,
    along: EmittedAxis,
    cuts: Cuts,
    real: DType,
) -> str:
    what = f"{value.text}, {along.name}"
    match conversion:
        case Slice(dimension):
            text = f"own_slice({what}, {dimension}, {part_of(value, after, dimension, cuts)})"
        case Keep(root):
            text = f"kept_on({what}, {root})"
        case Reduce(root, reduction):
            text = f"reduce({what}, {root}{OPERATORS[reduction]})"
        case Broadcast(root):
            text = f"broadcast({what}, {root}, {_like(value, cuts, real)})"
        case Send():
            before = value.layouts[along.number]
            assert isinstance(before, OnRank)  # only OnRank: the value is known to be on one rank
            text = f"send({what}, {before.rank}, {_like(value, cuts, real)})"
    return text


def part_of(value: Value, layouts: Layouts, dimension: int, cuts: Cuts) -> str:
    """Return the name of a rank's part of a dimension."""
    cut = cut_of(layouts, dimension)
    assert cut is not None
    return cuts.chunk(cut) if dimension == value.chunked else cuts.part(cut)


def suffix(value: Value, layouts: Layouts, dimension: int, along: EmittedAxis, cuts: Cuts, way: Way) -> str:
    """Return the suffix of the function for a conversion; "" for equal shards, which need no padding."""
    match way:
        case Way.PLAIN | Way.PADDED | Way.PROGRAM:
            return "" if _are_even(value, layouts, dimension, along, cuts) else "_padded"
        case Way.GROUPED:
            return "_grouped"
        case Way.EXCHANGE:
            return "_exchanged"


def _are_even(value: Value, layouts: Layouts, dimension: int, along: EmittedAxis, cuts: Cuts) -> bool:
    """True if all ranks along an axis have shards of equal size."""
    cut = cut_of(layouts, dimension)
    assert cut is not None
    groups = [cut.sizes[start : start + along.ranks] for start in range(0, len(cut.sizes), along.ranks)]
    return all(len(set(group)) == 1 for group in groups) and (cuts.even_chunks or dimension != value.chunked)


def _like(value: Value, cuts: Cuts, real: DType) -> str:
    """Return the shape and type of a value, for a rank that only receives it."""
    assert value.dtype is not None
    lengths = [span.length for span in cuts.spans(value.shape, value.layouts, value.chunked)]
    shape = f"({', '.join(lengths)}{',' if len(lengths) == 1 else ''})"
    return f"{shape}, {type_text(value.dtype, real)}"
