"""How frameworks write an order of the axes: `megatron:tp-cp-dp-pp`, `deepspeed:pipe,data,model`.

Each word here was read in the framework's source: Megatron-LM `megatron/core/parallel_state.py` (RankGenerator: the
first name varies fastest; names that are missing have size 1), torchtitan `torchtitan/distributed/parallel_dims.py`
(dimensions outermost first, in an order that is fixed), DeepSpeed `deepspeed/runtime/pipe/topology.py`
(ProcessTopology: axes row-major, the last varies fastest).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import prod

from p2smt.errors import ProblemError
from p2smt.placement.matrix import ParallelismMatrix
from p2smt.placement.order import Order, matrix_of_order, order_of
from p2smt.problem.model import Axis
from p2smt.problem.names import MAX_NAMES


class Notation(StrEnum):
    """Who writes the order; AXES is p2smt's own: all axes, outermost first."""

    AXES = "axes"
    MEGATRON = "megatron"
    TORCHTITAN = "torchtitan"
    DEEPSPEED = "deepspeed"


@dataclass(frozen=True, slots=True)
class Convention:
    """How a notation is written; `names` are those the framework knows, in its default order, as it writes them."""

    separator: str
    innermost_first: bool
    names: tuple[str, ...] = ()


CONVENTIONS = {
    Notation.AXES: Convention(",", innermost_first=False),
    Notation.MEGATRON: Convention("-", innermost_first=True, names=("tp", "cp", "ep", "dp", "pp")),
    Notation.TORCHTITAN: Convention(",", innermost_first=False, names=("pp", "dp_replicate", "dp_shard", "cp", "tp")),
    Notation.DEEPSPEED: Convention(",", innermost_first=False, names=("pipe", "data", "model")),
}
_MAX_TEXT = 66 * (MAX_NAMES + 8)


def parse_order(text: str, axes: Sequence[Axis]) -> tuple[Notation, Order]:
    """Read `NOTATION:NAMES`; axes of size 1 may be left out, and then stand outermost.

    A name of the framework that is no axis of the job has size 1 there and places nothing. Raises ProblemError for a
    notation or a name that there is not, a name given twice, and an axis of more than one shard that is missing.

    >>> parse_order("megatron:tp-cp-dp-pp", [Axis("pp", 2), Axis("dp", 4), Axis("tp", 8)])
    (<Notation.MEGATRON: 'megatron'>, (0, 1, 2))
    """
    kind, colon, names = text.partition(":")
    if not colon or kind not in set(Notation):
        raise ProblemError(
            f"order {text[:80]!r} does not parse; write NOTATION:NAMES such as megatron:tp-cp-dp-pp or "
            f"deepspeed:pipe,data,model, the notations are {', '.join(Notation)}"
        )
    notation = Notation(kind)
    convention = CONVENTIONS[notation]
    words = [word.strip() for word in names[:_MAX_TEXT].split(convention.separator)]
    known = [axis.name for axis in axes]
    for word in words:
        if word not in known and word not in convention.names:
            raise ProblemError(f"order {text[:80]!r}: {word[:80]!r} is no axis; the axes are {', '.join(known)}")
        if words.count(word) > 1:
            raise ProblemError(f"order {text[:80]!r} names {word} twice; name every axis once")
    if missing := [axis.name for axis in axes if axis.size > 1 and axis.name not in words]:
        raise ProblemError(f"order {text[:80]!r} leaves out {', '.join(missing)}; only axes of size 1 may be missing")
    if convention.innermost_first:
        words.reverse()
    of_one = [number for number, name in enumerate(known) if name not in words]
    return notation, (*of_one, *(known.index(word) for word in words if word in known))


def order_text(notation: Notation, order: Order, axes: Sequence[Axis]) -> str:
    """Write an order so that `parse_order` reads it back, but for the notation and its colon.

    Raises ProblemError where an axis has a name that the notation cannot carry.

    >>> order_text(Notation.MEGATRON, (0, 1, 2), [Axis("pp", 2), Axis("dp", 4), Axis("tp", 8)])
    'tp-dp-pp'
    """
    convention = CONVENTIONS[notation]
    names = [axes[axis].name for axis in order]
    if apart := [name for name in names if convention.separator in name]:
        raise ProblemError(
            f"axis {apart[0]} cannot stand in an order of {notation}, which puts {convention.separator!r} between "
            f"names; rename it, or write the order as {Notation.AXES}:..."
        )
    return convention.separator.join(reversed(names) if convention.innermost_first else names)


def own_order(notation: Notation, axes: Sequence[Axis]) -> Order | None:
    """The framework's default order of these axes; None: some axis of more than one shard is none that it knows.

    The default of p2smt's own notation is the order in which the job lists its axes.
    """
    names = CONVENTIONS[notation].names
    if notation is Notation.AXES:
        return tuple(range(len(axes)))
    if any(axis.size > 1 and axis.name not in names for axis in axes):
        return None
    return parse_order(f"{notation}:{CONVENTIONS[notation].separator.join(names)}", axes)[1]


def written_order(notation: Notation, matrix: ParallelismMatrix, axes: Sequence[Axis]) -> Order | None:
    """An order that gives a matrix, the framework's default if it does, else the first; None: no order does.

    >>> axes = [Axis("pp", 2), Axis("dp", 4), Axis("tp", 8)]
    >>> written_order(Notation.MEGATRON, ParallelismMatrix(((2, 1), (4, 1), (1, 8))), axes)
    (0, 1, 2)
    """
    own, sizes = own_order(notation, axes), [prod(column) for column in zip(*matrix.rows, strict=True)]
    if own is not None and matrix_of_order(own, [axis.size for axis in axes], sizes) == matrix:
        return own
    return order_of(matrix)


def remarks(notation: Notation, order: Order, axes: Sequence[Axis]) -> Iterator[str]:
    """What a framework does otherwise than an order alone says, each in a sentence."""
    real = [axes[axis].name for axis in order if axes[axis].size > 1]
    names = CONVENTIONS[notation].names
    if strange := [name for name in real if names and name not in names]:
        yield f"{notation} has no axis {', '.join(strange)}; its axes are {', '.join(names)}"
    if notation is Notation.MEGATRON:
        yield from _megatron(real)
    fixed = [name for name in names if name in real]
    if notation is Notation.TORCHTITAN and not strange and fixed != real:
        yield f"torchtitan always lays {', '.join(fixed)}; a rankfile puts its ranks where this order has them"


def _megatron(real: Sequence[str]) -> Iterator[str]:
    """What RankGenerator and initialize_model_parallel ask of the axes of more than one shard, outermost first."""
    if "ep" in real:
        yield (
            "Megatron lays ep by a generator of its own, in which dp is what is left beside ep, and the other "
            "layers' dp is both together; here ep is an axis of its own"
        )
    if "ep" in real and "cp" in real:
        yield "Megatron has no generator with both ep and cp; the groups of its expert layers have cp = 1"
    if "ep" in real and "pp" in real and real[0] != "pp":
        yield "Megatron asks for pp last in its order where ep is used"
